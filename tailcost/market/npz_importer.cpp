#include "tailcost/market/npz_importer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/npy.hpp"
#include "tailcost/market/zip_reader.hpp"

namespace tailcost {
namespace {

static_assert(std::endian::native == std::endian::little, "records are read as they lie in the file");

/// A row of the two-clock event layout, as it lies in the file.
struct EventRecord {
  std::uint64_t ev;
  std::int64_t exch_ts;
  std::int64_t local_ts;
  double px;
  double qty;
  std::uint64_t order_id;
  std::int64_t ival;
  double fval;
};
static_assert(sizeof(EventRecord) == 64);

const std::array<NpyField, 8> layout{{{"ev", "<u8"},
                                      {"exch_ts", "<i8"},
                                      {"local_ts", "<i8"},
                                      {"px", "<f8"},
                                      {"qty", "<f8"},
                                      {"order_id", "<u8"},
                                      {"ival", "<i8"},
                                      {"fval", "<f8"}}};

constexpr std::size_t rows_at_once = 2048;  // 128 KiB: stays in the processor's second cache between unpacking and reading

/// The rows of one .npy or .npz file, from its first byte to its last.
class RowStream {
 public:
  explicit RowStream(const std::filesystem::path& path) : file_{path}, what_{path.string()} {
    if (path.extension() == ".npz") {
      open_member();
    } else if (path.extension() != ".npy") {
      throw Error{what_ + ": neither .npz nor .npy; give a file of two-clock events that ends so"};
    }
    read_header();
  }

  /// Fills `rows` as far as the file reaches; returns how many.
  std::size_t read(std::span<EventRecord> rows) {
    const auto due = static_cast<std::size_t>(std::min<std::int64_t>(left_, static_cast<std::int64_t>(rows.size())));
    const std::span<std::byte> out = std::as_writable_bytes(rows.first(due));
    if (take(out) != out.size()) refuse("holds fewer rows than its header says");
    left_ -= static_cast<std::int64_t>(due);
    std::byte more{};
    if (left_ == 0 && take({&more, 1}) != 0) refuse("holds more bytes than its header says");
    return due;
  }

  std::uint64_t consumed() const noexcept { return member_ ? member_->consumed() : position_; }
  std::uint64_t size() const noexcept { return file_.bytes().size(); }
  const std::string& what() const noexcept { return what_; }

 private:
  void open_member() {
    const std::vector<ZipMember> members = read_zip_directory(file_.bytes(), what_);
    const auto is_data = [](const ZipMember& member) { return member.name == "data.npy"; };
    const auto found = std::ranges::find_if(members, is_data);
    if (found == members.end()) {
      std::string names;
      for (const ZipMember& member : members) {
        if (names.size() < 200) names += (names.empty() ? "" : ", ") + member.name.substr(0, 40);
      }
      refuse("has no member data.npy, only " + (names.empty() ? "nothing" : names));
    }
    if (std::find_if(found + 1, members.end(), is_data) != members.end()) refuse("has two members data.npy");
    member_.emplace(file_.bytes(), *found, what_);
  }

  void read_header() {
    std::vector<std::byte> header(npy_prefix_size);
    header.resize(take(header));
    const std::size_t size = npy_header_size(header, what_);
    const std::size_t begun = header.size();
    header.resize(std::max(size, begun));
    if (begun + take(std::span{header}.subspan(begun)) != header.size()) refuse("is cut short inside the .npy header");
    left_ = npy_rows(parse_npy_header(header, what_), layout, what_);
  }

  std::size_t take(std::span<std::byte> out) {
    if (member_) return member_->read(out);
    const std::size_t size = std::min(out.size(), file_.bytes().size() - position_);
    if (size > 0) std::memcpy(out.data(), file_.bytes().data() + position_, size);
    position_ += size;
    return size;
  }

  [[noreturn]] void refuse(const std::string& fault) const { throw Error{what_ + ": " + fault + "; download or write the file again"}; }

  MappedFile file_;
  std::string what_;
  std::optional<ZipMemberReader> member_;
  std::size_t position_{0};
  std::int64_t left_{0};
};

constexpr EventKind kind_of_code(std::uint64_t code) noexcept {
  const bool is_known_code = (code >= 1 && code <= 5) || (code >= 10 && code <= 13);
  return is_known_code ? static_cast<EventKind>(code) : EventKind::other;
}

/// The four flags are the top bits of the low 32, in another order than ours.
constexpr std::uint8_t flags_of(std::uint64_t ev) noexcept {
  const auto bit = [ev](int position, std::uint8_t flag) { return (ev >> position & 1U) != 0 ? flag : std::uint8_t{0}; };
  return static_cast<std::uint8_t>(bit(31, EventFlags::exchange) | bit(30, EventFlags::local) | bit(29, EventFlags::buy) |
                                   bit(28, EventFlags::sell));
}

enum class RowFault : std::uint8_t {
  none,
  price_not_a_number,
  price_too_large,
  qty_not_a_number,
  qty_negative,
  qty_off_grid,
  qty_too_large
};

std::string sentence(RowFault fault, const EventRecord& record) {
  const std::string px = "the price " + std::to_string(record.px);
  const std::string qty = "the quantity " + std::to_string(record.qty);
  switch (fault) {
    case RowFault::none: break;
    case RowFault::price_not_a_number: return px + " is not a number; leave the row out";
    case RowFault::price_too_large: return px + " is beyond 32 bits of ticks; give a larger tick_size or leave the row out";
    case RowFault::qty_not_a_number: return qty + " is not a number; leave the row out";
    case RowFault::qty_negative: return qty + " is below zero; leave the row out";
    case RowFault::qty_off_grid: return qty + " is not a whole number of lots; give the lot_size of the instrument";
    case RowFault::qty_too_large: return qty + " is beyond 2^53 lots; give a larger lot_size or leave the row out";
  }
  __builtin_unreachable();
}

/// Makes events of records and counts the prices that needed rounding.
class RecordReader {
 public:
  explicit RecordReader(const InstrumentFacts& instrument) : tick_size_{instrument.tick_size}, lot_size_{instrument.lot_size} {}

  [[nodiscard]] RowFault read(const EventRecord& record, MarketEvent& event) noexcept {
    EventKind kind = kind_of_code(record.ev & 0xffU);
    const std::uint8_t flags = flags_of(record.ev);
    const bool has_side = (flags & (EventFlags::buy | EventFlags::sell)) != 0;
    if (kind == EventKind::clear && !(has_side && std::isfinite(record.px))) kind = EventKind::clear_all;
    if (kind == EventKind::best_quote && !(std::isfinite(record.px) && is_whole_lots(record.qty))) kind = EventKind::other;
    event = {.exch_time = SimTime{Nanos{record.exch_ts}},
             .local_time = SimTime{Nanos{(flags & EventFlags::local) != 0 ? record.local_ts : record.exch_ts}},
             .order_id = record.order_id,
             .price = {},
             .qty = {},
             .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | flags)};
    if (has_price(kind)) {
      if (const RowFault fault = read_price(record.px, event.price); fault != RowFault::none) return fault;
    }
    return has_price(kind) && kind != EventKind::clear ? read_qty(record.qty, event.qty) : RowFault::none;
  }

  std::int64_t priced() const noexcept { return priced_; }
  std::int64_t rounded() const noexcept { return rounded_; }

 private:
  RowFault read_price(double px, PriceTicks& price) noexcept {
    const double ticks = px / tick_size_;
    if (!std::isfinite(ticks)) return RowFault::price_not_a_number;
    if (std::abs(ticks) > 2147483646.0) return RowFault::price_too_large;
    const double whole = std::round(ticks);  // half away from zero, as the reference engine does
    ++priced_;
    rounded_ += std::abs(ticks - whole) > 1e-3 ? 1 : 0;
    price = {static_cast<std::int64_t>(whole)};
    return RowFault::none;
  }

  RowFault read_qty(double qty, QtyLots& lots) const noexcept {
    const double exact = qty / lot_size_;
    if (!std::isfinite(exact)) return RowFault::qty_not_a_number;
    if (exact > 0x1p53) return RowFault::qty_too_large;
    const double whole = std::round(exact);
    if (whole < 0) return RowFault::qty_negative;
    if (!is_whole_lots(qty)) return RowFault::qty_off_grid;
    lots = {static_cast<std::int64_t>(whole)};
    return RowFault::none;
  }

  bool is_whole_lots(double qty) const noexcept {
    const double exact = qty / lot_size_;
    // Beyond 10^9 lots the file's own doubles are off the grid by more than a millionth.
    return std::abs(exact - std::round(exact)) <= std::max(1e-6, exact * 0x1p-50) && exact <= 0x1p53 && exact > -0.5;
  }

  double tick_size_;
  double lot_size_;
  std::int64_t priced_{0};
  std::int64_t rounded_{0};
};

std::string origin_of(std::span<const std::filesystem::path> files) {
  constexpr std::size_t named = 3;
  std::string text = "Imported from ";
  for (std::size_t i = 0; i < std::min(files.size(), named); ++i) text += (i == 0 ? "" : ", ") + files[i].filename().string();
  if (files.size() > named) text += " and " + std::to_string(files.size() - named) + " more files";
  return text + ".";
}

void import_file(const std::filesystem::path& path, RecordReader& reader, DatasetWriter& writer,
                 const std::function<void(std::uint64_t)>& consumed) {
  RowStream stream{path};
  writer.begin_source(stream.what());
  std::vector<EventRecord> records(rows_at_once);
  MarketEvent event;
  std::int64_t row = 0;
  while (const std::size_t count = stream.read(records)) {
    for (const EventRecord& record : std::span{records}.first(count)) {
      const RowFault fault = reader.read(record, event);
      if (fault != RowFault::none)
        throw Error{stream.what() + ": row " + std::to_string(row) + " (counted from 0): " + sentence(fault, record)};
      writer.add(event);
      ++row;
    }
    consumed(stream.consumed());
  }
}

}  // namespace

DatasetFacts import_npz(std::span<const std::filesystem::path> files, const std::filesystem::path& folder, const NpzImportOptions& options,
                        const ImportProgress& progress) {
  check(options.instrument, "instrument");
  if (files.empty()) throw UsageError{"no file to import was given; name one or more .npz files"};
  std::uint64_t total = 1;
  for (const auto& path : files) total += MappedFile{path}.bytes().size();
  DatasetWriter writer{folder, options.instrument, origin_of(files)};
  RecordReader reader{options.instrument};
  std::uint64_t done = 0;
  for (const auto& path : files) {
    import_file(path, reader, writer, [&](std::uint64_t consumed) {
      if (progress) progress(static_cast<double>(done + consumed) / static_cast<double>(total));
    });
    done += MappedFile{path}.bytes().size();
  }
  if (reader.rounded() * 100 > reader.priced()) {
    throw UsageError{"tick_size " + Json(options.instrument.tick_size).dump() + " does not fit " + std::to_string(reader.rounded()) +
                     " of " + std::to_string(reader.priced()) + " prices; give the tick size of the instrument"};
  }
  if (reader.rounded() > 0) writer.append_to_origin(" " + std::to_string(reader.rounded()) + " prices off the tick grid were rounded.");
  DatasetFacts facts = writer.finish();
  if (progress) progress(1);
  return facts;
}

}  // namespace tailcost
