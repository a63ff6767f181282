#include "tailcost/host/undo_journal.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tailcost/core/error.hpp"
#include "tailcost/host/proc_status.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace tailcost;
using tailcost::testing::ScratchFolder;

namespace {

bool accepts_all(int) noexcept {
  return true;
}

/// A setting, a folder of notes and a note of a process that is gone. Values have one length, as a plain file keeps its tail.
struct Leftover {
  ScratchFolder scratch;
  UndoPlace place{.folder = scratch / "undo", .accepts = accepts_all};
  std::filesystem::path setting{scratch.with("setting", "new")};

  std::filesystem::path note(const std::string& text, const std::string& name = "1073741823-5-1.undo") {
    std::filesystem::create_directory(place.folder);
    chmod(place.folder.c_str(), 0700);
    const auto made = scratch.with("undo/" + name, text);
    chmod(made.c_str(), 0600);
    return made;
  }
  std::string text() const { return setting.string() + "\nold\nnew\n"; }
  std::string value() const { return read_kernel_file(setting).value_or("gone"); }
};

}  // namespace

TEST_CASE("a setting has its new value and a note only while the guard lives") {
  Leftover at;
  {
    const ChangedSetting changed{at.setting, "mid", at.place};
    CHECK(at.value() == "mid");
    CHECK(std::distance(std::filesystem::directory_iterator{at.place.folder}, {}) == 1);
    CHECK(restore_leftovers(at.place).empty());
    CHECK(at.value() == "mid");
  }
  CHECK(at.value() == "new");
  CHECK(std::filesystem::is_empty(at.place.folder));
}

TEST_CASE("a setting that has the value already is not noted") {
  Leftover at;
  const ChangedSetting same{at.setting, "new", at.place};
  CHECK(!std::filesystem::exists(at.place.folder));
}

TEST_CASE("what somebody else changed meanwhile is left alone") {
  Leftover at;
  {
    const ChangedSetting changed{at.setting, "mid", at.place};
    at.scratch.with("setting", "own");
  }
  CHECK(at.value() == "own");
  CHECK(std::filesystem::is_empty(at.place.folder));
}

TEST_CASE("a file that is no setting of the kernel is not changed, nor is a note made") {
  Leftover at;
  at.place.accepts = is_kernel_setting;
  CHECK_THROWS_AS((ChangedSetting{at.setting, "mid", at.place}), Error);
  CHECK(at.value() == "new");
  CHECK(!std::filesystem::exists(at.place.folder));
}

TEST_CASE("a setting that makes something else of the value has its old one again, and no note stays") {
  Leftover at;
  CHECK_THROWS_WITH_AS((ChangedSetting{at.setting, "a", at.place}),
                       ("cannot set " + at.setting.string() + " to a: the kernel made aew of it").c_str(), Error);
  CHECK(at.value() == "new");
  CHECK(std::filesystem::is_empty(at.place.folder));
}

TEST_CASE("what a process that is gone had changed is put back once") {
  Leftover at;
  at.note(at.text());
  const std::vector<std::string> said = restore_leftovers(at.place);
  REQUIRE(said.size() == 1);
  CHECK(said[0] == "put back " + at.setting.string() + " to old, which process 1073741823 had set to new");
  CHECK(at.value() == "old");
  CHECK(restore_leftovers(at.place).empty());
}

TEST_CASE("two changes of one setting are undone from the last to the first") {
  Leftover at;
  at.note(at.setting.string() + "\nold\nmid\n", "1073741823-5-9.undo");
  at.note(at.setting.string() + "\nmid\nnew\n", "1073741823-5-10.undo");
  CHECK(restore_changes_of({.id = 1073741823, .started = 5}, at.place).size() == 2);
  CHECK(at.value() == "old");
}

TEST_CASE("a note of a process that died before the change goes without a word") {
  for (const std::string cut : {"", "/proc", "\nold\nnew"}) {
    Leftover at;
    const auto note = at.note(cut);
    CHECK(restore_leftovers(at.place).empty());
    CHECK(!std::filesystem::exists(note));
  }
  Leftover at;
  const auto note = at.note(at.setting.string() + "\nnew\nold\n");
  CHECK(restore_leftovers(at.place).empty());
  CHECK(!std::filesystem::exists(note));
  CHECK(at.value() == "new");
}

TEST_CASE("a note whose value is neither the old nor the new one changes nothing") {
  Leftover at;
  at.note(at.text());
  at.scratch.with("setting", "own");
  const std::vector<std::string> said = restore_leftovers(at.place);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("is left at own: somebody changed it") != std::string::npos);
  CHECK(at.value() == "own");
}

TEST_CASE("a note whose setting is gone is said once, and goes") {
  Leftover at;
  const auto note = at.note(at.text());
  std::filesystem::remove(at.setting);
  const std::vector<std::string> said = restore_leftovers(at.place);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("is gone, and cannot be put back to old") != std::string::npos);
  CHECK(!std::filesystem::exists(note));
}

TEST_CASE("the note of a living process is told from that of an older one with its number") {
  Leftover at;
  const ProcessIdentity self = identity_of(getpid()).value();
  at.note(at.text(), std::to_string(self.id) + "-" + std::to_string(self.started) + "-1000.undo");
  CHECK(restore_leftovers(at.place).empty());
  CHECK(at.value() == "new");
  at.note(at.text(), std::to_string(self.id) + "-" + std::to_string(self.started - 1) + "-1.undo");
  CHECK(restore_leftovers(at.place).size() == 1);
  CHECK(at.value() == "old");
}

TEST_CASE("a hostile note or folder is not obeyed") {
  Leftover at;
  SUBCASE("a note that others may write") {
    chmod(at.note(at.text()).c_str(), 0666);
  }
  SUBCASE("a note that has a second name") {
    const auto note = at.note(at.text());
    std::filesystem::create_hard_link(note, at.scratch / "second");
  }
  SUBCASE("a symbolic link to a note") {
    const auto note = at.note(at.text());
    std::filesystem::rename(note, at.scratch / "elsewhere");
    std::filesystem::create_symlink(at.scratch / "elsewhere", note);
  }
  SUBCASE("a pipe") {
    const auto note = at.note("");
    std::filesystem::remove(note);
    REQUIRE(mkfifo(note.c_str(), 0600) == 0);
  }
  SUBCASE("a folder that others may write") {
    at.note(at.text());
    chmod(at.place.folder.c_str(), 0777);
  }
  SUBCASE("a symbolic link to a folder") {
    at.note(at.text());
    std::filesystem::rename(at.place.folder, at.scratch / "elsewhere");
    std::filesystem::create_directory_symlink(at.scratch / "elsewhere", at.place.folder);
  }
  SUBCASE("a path that is no setting of the kernel") {
    at.note(at.text());
    at.place.accepts = is_kernel_setting;
  }
  CHECK(restore_leftovers(at.place).size() == 1);
  CHECK(at.value() == "new");
}

TEST_CASE("a note that names a pipe keeps nobody waiting") {
  Leftover at;
  at.place.accepts = is_kernel_setting;
  std::filesystem::remove(at.setting);
  REQUIRE(mkfifo(at.setting.c_str(), 0600) == 0);
  at.note(at.text());
  const std::vector<std::string> said = restore_leftovers(at.place);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("is not a setting of the kernel") != std::string::npos);
}

TEST_CASE("files below /proc/sys and in sysfs are settings, others are not, whatever way leads there") {
  const ScratchFolder scratch;
  std::filesystem::create_symlink("/proc/self/comm", scratch / "link");
  const auto is_setting = [](const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    REQUIRE(file >= 0);
    const bool answer = is_kernel_setting(file);
    close(file);
    return answer;
  };
  CHECK(is_setting("/proc/sys/kernel/sched_rt_runtime_us"));
  CHECK(is_setting("/sys/kernel"));
  CHECK(!is_setting("/proc/self/comm"));
  CHECK(!is_setting(scratch / "link"));
  CHECK(!is_setting("/proc/sys/../self/comm"));
  CHECK(!is_setting(scratch.with("plain", "")));
}

TEST_CASE("a process that is dead but not waited for does not live") {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(!identity_of(child));
  waitpid(child, nullptr, 0);
  CHECK(identity_of(getpid()));
}

TEST_CASE("no note is looked for where there is no folder") {
  CHECK(restore_leftovers({.folder = {}, .accepts = accepts_all}).empty());
  CHECK(restore_leftovers({.folder = "/nowhere/tailcost", .accepts = accepts_all}).empty());
}
