#include "tailcost/host/undo_journal.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/host/proc_status.hpp"

namespace tailcost {

namespace {

namespace fs = std::filesystem;

/// A file descriptor that is closed at the end.
class OpenFile {
 public:
  explicit OpenFile(int file) noexcept : file_{file} {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  OpenFile(OpenFile&& other) noexcept : file_{std::exchange(other.file_, -1)} {}
  OpenFile& operator=(OpenFile&&) = delete;

  explicit operator bool() const noexcept { return file_ >= 0; }
  int get() const noexcept { return file_; }
  std::string path_again() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

std::string reason() {
  return strerrordesc_np(errno);
}

bool belongs_to_us_alone(const struct stat& facts) noexcept {
  return facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string note_name(const SettingChange& change) {
  return std::to_string(change.process.id) + "-" + std::to_string(change.process.started) + "-" + std::to_string(change.number) + ".undo";
}

std::optional<SettingChange> parse_name(const std::string& name) {
  SettingChange change;
  const char* const end = name.data() + name.size();
  const auto id = std::from_chars(name.data(), end, change.process.id);
  if (id.ec != std::errc{} || change.process.id <= 0 || id.ptr == end || *id.ptr != '-') return std::nullopt;
  const auto started = std::from_chars(id.ptr + 1, end, change.process.started);
  if (started.ec != std::errc{} || started.ptr == end || *started.ptr != '-') return std::nullopt;
  const auto number = std::from_chars(started.ptr + 1, end, change.number);
  if (number.ec != std::errc{} || note_name(change) != name) return std::nullopt;
  return change;
}

/// False for a text that is not whole: its writer died before it changed anything.
bool parse_text(const std::string& text, SettingChange& change) {
  if (!text.ends_with('\n') || std::count(text.begin(), text.end(), '\n') != 3) return false;
  std::istringstream lines{text};
  std::string path;
  std::getline(lines, path);
  std::getline(lines, change.before);
  std::getline(lines, change.written);
  change.path = path;
  return change.path.is_absolute();
}

/// Of "always [madvise] never" the chosen word; other texts as they are.
std::string chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  return close == std::string::npos ? text : text.substr(open + 1, close - open - 1);
}

/// The file as a place only, not yet opened: to open one can already do something, or wait for ever.
OpenFile looked_up(const fs::path& path, const UndoPlace& place) {
  OpenFile file{open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (!file) throw Error{"cannot open " + path.string() + ": " + reason()};
  if (!place.accepts(file.get())) throw Error{path.string() + " is not a setting of the kernel, and is left alone"};
  return file;
}

std::string read_setting(const fs::path& path, const UndoPlace& place) {
  const std::optional<std::string> text = read_kernel_file(looked_up(path, place).path_again());
  if (!text) throw Error{"cannot read the setting " + path.string() + ": " + reason()};
  return chosen(*text);
}

void write_setting(const fs::path& path, const std::string& value, const UndoPlace& place) {
  const OpenFile file{open(looked_up(path, place).path_again().c_str(), O_WRONLY | O_CLOEXEC)};
  if (file && write(file.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size())) return;
  throw Error{"cannot write " + value + " to " + path.string() + ": " + reason()};
}

/// The folder of notes, locked against others while it is open.
class UndoFolder {
 public:
  enum class Wait : std::uint8_t { yes, no };

  /// Throws Error where it is there but not ours.
  UndoFolder(const fs::path& path, Wait wait) : path_{path}, file_{open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)} {
    if (!file_ && errno == ENOENT) return;
    struct stat facts{};
    if (!file_ || fstat(file_.get(), &facts) != 0)
      throw Error{"cannot open the folder of undo notes " + path.string() + ": " + reason() + "; remove what is there"};
    if (!belongs_to_us_alone(facts))
      throw Error{"the folder of undo notes " + path.string() + " belongs to another user or can be written by others; remove it"};
    is_locked_ = flock(file_.get(), LOCK_EX | (wait == Wait::no ? LOCK_NB : 0)) == 0;
  }

  bool is_open() const noexcept { return is_locked_; }

  /// Those of the wanted processes, the last change first. What is not obeyed is said in `refused`.
  std::vector<SettingChange> changes(const std::function<bool(const ProcessIdentity&)>& is_wanted,
                                     std::vector<std::string>& refused) const {
    std::vector<SettingChange> found;
    for (const fs::directory_entry& entry : fs::directory_iterator{path_}) {
      std::optional<SettingChange> change = parse_name(entry.path().filename().string());
      if (!change || !is_wanted(change->process)) continue;
      if (read(*change, refused)) found.push_back(std::move(*change));
    }
    std::sort(found.begin(), found.end(), [](const SettingChange& a, const SettingChange& b) { return a.number > b.number; });
    return found;
  }

  void remove(const SettingChange& change) const { unlinkat(file_.get(), note_name(change).c_str(), 0); }

  void add(const SettingChange& change) const {
    const OpenFile note{openat(file_.get(), note_name(change).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
    const std::string text = change.path.string() + "\n" + change.before + "\n" + change.written + "\n";
    if (note && write(note.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(note.get()) == 0 &&
        fsync(file_.get()) == 0)
      return;
    const std::string why = reason();
    if (note) remove(change);
    throw Error{"cannot note in " + path_.string() + " how " + change.path.string() + " is put back, so that it is not changed: " + why};
  }

 private:
  bool read(SettingChange& change, std::vector<std::string>& refused) const {
    constexpr off_t largest = 64 * 1024;
    const OpenFile note{openat(file_.get(), note_name(change).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
    struct stat facts{};
    const std::string where = (path_ / note_name(change)).string();
    if (!note || fstat(note.get(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1 || !belongs_to_us_alone(facts) ||
        facts.st_size > largest) {
      refused.push_back("the undo note " + where + " is not obeyed, as it is a link, too large or may come from another user; remove it");
      return false;
    }
    std::string text(static_cast<std::size_t>(facts.st_size), '\0');
    const bool is_whole = pread(note.get(), text.data(), text.size(), 0) == facts.st_size && parse_text(text, change);
    if (!is_whole) remove(change);
    return is_whole;
  }

  fs::path path_;
  OpenFile file_;
  bool is_locked_{false};
};

std::string named(const ProcessIdentity& process) {
  return "process " + std::to_string(process.id);
}

struct PutBack {
  bool is_as_before{};
  std::string sentence;  ///< Empty where nothing had to be done.
};

/// The note stays where putting back failed, for the next start.
PutBack put_back(const SettingChange& change, const UndoFolder& folder, const UndoPlace& place) {
  const std::string what = change.path.string();
  try {
    if (!fs::exists(change.path)) {  // of a core or a device that was taken away
      folder.remove(change);
      return {.is_as_before = false, .sentence = what + " is gone, and cannot be put back to " + change.before};
    }
    const std::string now = read_setting(change.path, place);
    if (now != change.before && now != change.written) {
      folder.remove(change);
      return {.is_as_before = false,
              .sentence = what + " is left at " + now + ": somebody changed it after " + named(change.process) + ", which had found " +
                          change.before + " there, set it to " + change.written};
    }
    const bool is_changed = now != change.before;
    if (is_changed) write_setting(change.path, change.before, place);
    folder.remove(change);
    if (!is_changed) return {.is_as_before = true, .sentence = {}};
    return {.is_as_before = true,
            .sentence = "put back " + what + " to " + change.before + ", which " + named(change.process) + " had set to " + change.written};
  } catch (const Error& error) {
    return {.is_as_before = false, .sentence = "could not put back " + what + " to " + change.before + ": " + error.what()};
  }
}

std::vector<std::string> restore(const UndoPlace& place, UndoFolder::Wait wait,
                                 const std::function<bool(const ProcessIdentity&)>& is_wanted) {
  std::vector<std::string> said;
  if (place.folder.empty()) return said;
  try {
    const UndoFolder folder{place.folder, wait};
    if (!folder.is_open()) return said;
    for (const SettingChange& change : folder.changes(is_wanted, said)) {
      if (std::string sentence = put_back(change, folder, place).sentence; !sentence.empty()) said.push_back(std::move(sentence));
    }
  } catch (const std::exception& error) {
    said.emplace_back(error.what());
  }
  return said;
}

bool is_alive(const ProcessIdentity& process) {
  return identity_of(process.id) == process;
}

UndoFolder made_folder(const fs::path& path) {
  if (path.empty()) throw Error{"cannot change a setting of the kernel: there is no XDG_RUNTIME_DIR to note its old value in; run as root"};
  mkdir(path.c_str(), 0700);
  return UndoFolder{path, UndoFolder::Wait::yes};
}

}  // namespace

std::optional<ProcessIdentity> identity_of(pid_t process) {
  const std::optional<std::string> text = read_kernel_file("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name_end = text ? text->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields{text->substr(name_end + 1)};
  std::string state, skipped;
  fields >> state;
  constexpr int between_state_and_start = 18;
  for (int i = 0; i < between_state_and_start; ++i) fields >> skipped;
  ProcessIdentity identity{.id = process, .started = 0};
  if (!(fields >> identity.started) || state == "Z" || state == "X") return std::nullopt;
  return identity;
}

fs::path usual_undo_folder() {
  if (geteuid() == 0) return "/run/tailcost";
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  return runtime != nullptr && *runtime == '/' ? fs::path{runtime} / "tailcost" : fs::path{};
}

bool is_kernel_setting(int file) noexcept {
  struct statfs facts{};
  if (fstatfs(file, &facts) != 0) return false;
  switch (static_cast<unsigned long>(facts.f_type)) {
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC: return true;
    case PROC_SUPER_MAGIC: {
      char path[4096];
      const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
      return length > 0 && std::string_view{path, static_cast<std::size_t>(length)}.starts_with("/proc/sys/");
    }
    default: return false;
  }
}

ChangedSetting::ChangedSetting(fs::path file, std::string value, UndoPlace place) : place_{std::move(place)} {
  static std::atomic<std::uint64_t> changes_so_far{0};
  if (access(file.c_str(), W_OK) != 0)
    throw Error{"cannot set " + file.string() + " to " + value + ": " + reason() + "; run as root, outside of a container"};
  const std::string before = read_setting(file, place_);
  if (before == value) return;
  const std::optional<ProcessIdentity> self = identity_of(getpid());
  if (!self) throw Error{"cannot set " + file.string() + ": /proc does not show this process, so that its change could not be put back"};
  const SettingChange change{
      .process = *self, .number = ++changes_so_far, .path = std::move(file), .before = before, .written = std::move(value)};
  const UndoFolder folder = made_folder(place_.folder);
  if (!folder.is_open()) throw Error{"cannot lock the folder of undo notes " + place_.folder.string()};
  std::vector<std::string> refused;
  for (const SettingChange& other : folder.changes(is_alive, refused)) {
    if (other.path == change.path && other.process != *self)
      throw Error{"cannot set " + change.path.string() + ": " + named(other.process) + " has changed it too; wait for its end"};
  }
  folder.add(change);
  try {
    write_setting(change.path, change.written, place_);
    if (const std::string now = read_setting(change.path, place_); now != change.written)
      throw Error{"cannot set " + change.path.string() + " to " + change.written + ": the kernel made " + now + " of it"};
  } catch (const Error&) {
    if (read_setting(change.path, place_) != change.before) write_setting(change.path, change.before, place_);
    folder.remove(change);
    throw;
  }
  change_ = change;
}

ChangedSetting::~ChangedSetting() {
  if (!change_) return;
  try {
    const UndoFolder folder{place_.folder, UndoFolder::Wait::yes};
    if (const PutBack done = put_back(*change_, folder, place_); !done.is_as_before)
      std::fprintf(stderr, "tailcost: %s\n", done.sentence.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tailcost: %s could not be put back to %s: %s\n", change_->path.c_str(), change_->before.c_str(), error.what());
  }
}

std::vector<std::string> restore_changes_of(const ProcessIdentity& process, const UndoPlace& place) {
  return restore(place, UndoFolder::Wait::yes, [&process](const ProcessIdentity& other) { return other == process; });
}

std::vector<std::string> restore_leftovers(const UndoPlace& place) {
  return restore(place, UndoFolder::Wait::no, [](const ProcessIdentity& process) { return !is_alive(process); });
}

}  // namespace tailcost
