#include "tailcost/market/dataset.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/possible_times.hpp"
#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/npy.hpp"
#include "tailcost/market/npy_column.hpp"
#include "tailcost/market/price_ladder.hpp"
#include "tailcost/market/replaced_folder.hpp"
#include "tailcost/market/tick_set.hpp"

namespace tailcost {
namespace {

constexpr std::string_view schema_name = "tailcost.dataset";
constexpr int schema_version = 2;
constexpr const char* facts_file = "dataset.json";

/// The columns in the order in which they are written and fingerprinted.
constexpr std::array<std::string_view, 7> column_names{"exch_ns", "feed_ns", "rank", "lots", "kind", "prices", "order_id"};
constexpr const char* unranked_file = "tick.npy";  ///< While rows come in, before all prices are known.

std::string column_file(std::string_view name) {
  return std::string{name} + ".npy";
}

std::string text_of(const Json& document, int indent) {
  // A symbol may come from anywhere; text that is not UTF-8 must not stop an import.
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json& dataset_schema() {
  static const Json schema = [] {
    Json document = Json::parse(R"({"type": "object", "additionalProperties": false,
      "required": ["schema", "version", "instrument", "rows", "trades", "first_ns", "last_ns", "prices", "lowest_tick", "highest_tick", "columns", "fingerprint", "origin"],
      "properties": {
        "schema": {"type": "string"}, "version": {"type": "integer"}, "instrument": {},
        "rows": {"type": "integer", "minimum": 1}, "trades": {"type": "integer", "minimum": 0},
        "first_ns": {"type": "integer"}, "last_ns": {"type": "integer"},
        "prices": {"type": "integer", "minimum": 1}, "lowest_tick": {"type": "integer"}, "highest_tick": {"type": "integer"},
        "columns": {"type": "object", "additionalProperties": false, "required": ["exch_ns", "feed_ns", "rank", "lots", "kind", "prices"], "properties": {
          "exch_ns": {"enum": ["<i8"]}, "feed_ns": {"enum": ["<i4", "<i8"]}, "rank": {"enum": ["<u2", "<u4"]}, "prices": {"enum": ["<i4"]}, "lots": {"enum": ["<i4", "<i8"]},
          "kind": {"enum": ["|u1"]}, "order_id": {"enum": ["<u8"]}}},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "origin": {"type": "string"}}})");
    document["properties"]["instrument"] = instrument_schema();
    return document;
  }();
  return schema;
}

struct Column {
  std::string_view name;
  std::string dtype;
  std::span<const std::byte> rows;
};

std::string fingerprint_of(const InstrumentFacts& instrument, std::span<const Column> columns) {
  Digest digest;
  digest.add(text_of(to_json(instrument), -1));
  for (const Column& column : columns) {
    digest.add("\n" + std::string{column.name} + " " + column.dtype + " " + std::to_string(column.rows.size()) + "\n");
    digest.add(column.rows);
  }
  return digest.hex();
}

std::string shown(SimTime time) {
  return std::to_string(time.time_since_epoch().count());
}

/// Gathers the facts of rows and checks that each clock's rows come in order.
class RowScan {
 public:
  /// What is wrong with the row, or nothing. Requires what lies between the clocks to fit 64 bits.
  std::optional<std::string> add(const MarketEvent& event) {
    const EventKind kind = kind_of(event.kind);
    if (!is_known(kind)) return "kind " + std::to_string(event.kind & EventFlags::kind_mask) + " is not known";
    if (event.price.value != static_cast<std::int32_t>(event.price.value))
      return "the price of " + std::to_string(event.price.value) + " ticks is beyond 32 bits";
    if (event.qty.value < 0) return "the quantity of " + std::to_string(event.qty.value) + " lots is below zero";
    if ((event.kind & EventFlags::exchange) != 0) {
      if (!is_possible(event.exch_time)) return impossible("exchange", event.exch_time);
      if (event.exch_time < exchange_last_) return out_of_order("exchange", event.exch_time, exchange_last_);
      exchange_last_ = event.exch_time;
      see(event.exch_time);
    }
    if ((event.kind & EventFlags::local) != 0) {
      if (!is_possible(event.local_time)) return impossible("local", event.local_time);
      if (event.local_time < local_last_) return out_of_order("local", event.local_time, local_last_);
      local_last_ = event.local_time;
      see(event.local_time);
      if (kind == EventKind::trade) ++trades_;
    }
    if (has_price(kind)) {
      lowest_ = std::min(lowest_, event.price);
      highest_ = std::max(highest_, event.price);
    }
    ++rows_;
    return std::nullopt;
  }

  bool is_seen() const noexcept { return first_ <= last_; }

  /// Fills what was gathered into `facts`.
  void complete(DatasetFacts& facts) const {
    facts.rows = rows_;
    facts.trades = trades_;
    facts.first = first_;
    facts.last = last_;
    facts.lowest = lowest_ <= highest_ ? lowest_ : PriceTicks{};
    facts.highest = lowest_ <= highest_ ? highest_ : PriceTicks{};
  }

 private:
  static bool is_possible(SimTime time) noexcept { return time >= earliest_time && time <= latest_time; }
  static std::string impossible(std::string_view clock, SimTime time) {
    return "the " + std::string{clock} + " time " + shown(time) + " is not in the years 1824 to 2115; give nanoseconds since 1970";
  }
  static std::string out_of_order(std::string_view clock, SimTime time, SimTime last) {
    return "the " + std::string{clock} + " time " + shown(time) + " is before " + shown(last) +
           " of an earlier row; sort the rows by their " + std::string{clock} + " time";
  }

  void see(SimTime time) noexcept {
    first_ = std::min(first_, time);
    last_ = std::max(last_, time);
  }

  SimTime exchange_last_{SimTime::min()};
  SimTime local_last_{SimTime::min()};
  std::int64_t rows_{0};
  std::int64_t trades_{0};
  SimTime first_{SimTime::max()};
  SimTime last_{SimTime::min()};
  PriceTicks lowest_{std::numeric_limits<std::int64_t>::max()};
  PriceTicks highest_{std::numeric_limits<std::int64_t>::min()};
};

/// Requires a document that the instrument's schema allows.
InstrumentFacts read_instrument(const Json& document) {
  return {.symbol = document.value("symbol", ""),
          .currency = document.value("currency", ""),
          .tick_size = document["tick_size"].get<double>(),
          .lot_size = document["lot_size"].get<double>(),
          .contract = document.value("contract", "linear") == "inverse" ? ContractKind::inverse : ContractKind::linear,
          .contract_size = document.value("contract_size", 1.0)};
}

DatasetFacts facts_from_json(const Json& document) {
  const auto number = [&](const char* key) { return document[key].get<std::int64_t>(); };
  const auto text = [&](const char* key) { return document[key].get<std::string>(); };
  return {.instrument = read_instrument(document["instrument"]),
          .rows = number("rows"),
          .trades = number("trades"),
          .first = SimTime{Nanos{number("first_ns")}},
          .last = SimTime{Nanos{number("last_ns")}},
          .prices = number("prices"),
          .lowest = {number("lowest_tick")},
          .highest = {number("highest_tick")},
          .fingerprint = text("fingerprint"),
          .origin = text("origin")};
}

/// True only for a document that the schema allows. Compiling a schema costs twenty times what opening a dataset otherwise does, so that it
/// is left to documents that are not, for its words on what is wrong.
bool is_plainly_right(const Json& document) {
  const auto holds = [&](std::initializer_list<const char*> keys, auto is_right) {
    return std::ranges::all_of(keys, [&](const char* key) { return document.contains(key) && is_right(document[key]); });
  };
  const bool has_numbers = holds({"version", "rows", "trades", "first_ns", "last_ns", "prices", "lowest_tick", "highest_tick"},
                                 [](const Json& value) { return value.is_number_integer(); });
  const bool has_texts = holds({"schema", "fingerprint", "origin"}, [](const Json& value) { return value.is_string(); });
  const bool has_parts = holds({"instrument", "columns"}, [](const Json& value) { return value.is_object(); });
  if (!has_numbers || !has_texts || !has_parts || document.size() != 13) return false;
  const std::string& fingerprint = document["fingerprint"].get_ref<const std::string&>();
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (fingerprint.size() != 64 || !std::ranges::all_of(fingerprint, is_hex)) return false;
  if (document["rows"] < 1 || document["trades"] < 0 || document["prices"] < 1) return false;

  const Json& instrument = document["instrument"];
  for (const auto& [key, value] : instrument.items()) {
    const bool is_text = key == "symbol" || key == "currency";
    const bool is_size = key == "tick_size" || key == "lot_size" || key == "contract_size";
    const bool is_contract = key == "contract" && (value == "linear" || value == "inverse");
    if (!(is_text && value.is_string()) && !(is_size && value.is_number() && value > 0) && !is_contract) return false;
  }
  if (!instrument.contains("tick_size") || !instrument.contains("lot_size")) return false;

  const Json& columns = document["columns"];
  const auto is_one_of = [&](const char* column, std::initializer_list<std::string_view> dtypes) {
    return columns.contains(column) && std::ranges::any_of(dtypes, [&](std::string_view dtype) { return columns[column] == dtype; });
  };
  const bool has_columns = is_one_of("exch_ns", {"<i8"}) && is_one_of("feed_ns", {"<i4", "<i8"}) && is_one_of("rank", {"<u2", "<u4"}) &&
                           is_one_of("lots", {"<i4", "<i8"}) && is_one_of("kind", {"|u1"}) && is_one_of("prices", {"<i4"});
  const bool has_ids = columns.contains("order_id");
  return has_columns && columns.size() == (has_ids ? 7U : 6U) && (!has_ids || is_one_of("order_id", {"<u8"}));
}

Json read_facts_document(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / facts_file)) {
    const char* found = std::filesystem::is_directory(folder) ? "the folder has no dataset.json"
                        : std::filesystem::exists(folder)     ? "it is not a folder"
                                                              : "no such folder";
    throw Error{"cannot open dataset " + folder.string() + ": " + found +
                "; give a folder that `tailcost data import` or `data generate` made"};
  }
  const std::string what = (folder / facts_file).string();
  Json document = parse_json(read_file(folder / facts_file), what);
  check_schema_name(document, schema_name, schema_version, what);
  if (!is_plainly_right(document)) validate(document, dataset_schema(), what);
  return document;
}

/// The rows of a column's file. Throws Error where it is not what dataset.json says.
std::span<const std::byte> rows_of(const MappedFile& file, std::string_view dtype, std::int64_t rows, const std::string& what) {
  const auto bytes = file.bytes();
  const NpyHeader header = parse_npy_header(bytes, what);
  const std::array expected{NpyField{.name = "", .dtype = std::string{dtype}}};
  const std::int64_t found = npy_rows(header, expected, what);
  if (found != rows) {
    throw Error{what + ": " + std::to_string(found) + " rows where dataset.json says " + std::to_string(rows) +
                "; import or generate the dataset again"};
  }
  const std::size_t width = npy_dtype_size(dtype, what);
  const std::size_t left = bytes.size() - header.size;
  if (header.size % 64 != 0 || left / width != static_cast<std::size_t>(rows) || left % width != 0) {
    throw Error{what + ": holds " + std::to_string(left) + " bytes of rows where " + std::to_string(rows) + " rows of " +
                std::to_string(width) + " bytes are due (cut short?); import or generate the dataset again"};
  }
  return bytes.subspan(header.size);
}

template <class T>
std::span<const T> numbers(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Throws Error where `folder` exists and is neither empty nor a dataset with nothing else in it.
void require_replaceable(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return;
  const auto refuse = [&](const std::string& reason) {
    throw Error{"cannot write dataset " + folder.string() + ": " + reason + "; choose another place or remove it first"};
  };
  if (!std::filesystem::is_directory(folder)) refuse("a file is there");
  if (std::filesystem::is_empty(folder)) return;
  if (!std::filesystem::exists(folder / facts_file)) refuse("a folder that is not a dataset is there");
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string name = entry.path().filename().string();
    const bool is_ours =
        name == facts_file || std::ranges::any_of(column_names, [&](std::string_view column) { return name == column_file(column); });
    if (!is_ours) refuse("the folder also holds " + name);
  }
}

}  // namespace

void check(const InstrumentFacts& instrument, std::string_view what) {
  const auto require = [&](double value, const char* name, const char* example) {
    if (std::isfinite(value) && value > 0) return;
    throw UsageError{std::string{what} + ": " + name + " must be given, as a number above zero; for example " + example};
  };
  require(instrument.tick_size, "tick_size", "0.1");
  require(instrument.lot_size, "lot_size", "0.001");
  require(instrument.contract_size, "contract_size", "1");
}

const Json& instrument_schema() {
  static const Json schema =
      Json::parse(R"({"type": "object", "additionalProperties": false, "required": ["tick_size", "lot_size"], "properties": {
    "symbol": {"type": "string"}, "currency": {"type": "string"},
    "tick_size": {"type": "number", "exclusiveMinimum": 0}, "lot_size": {"type": "number", "exclusiveMinimum": 0},
    "contract": {"enum": ["linear", "inverse"]}, "contract_size": {"type": "number", "exclusiveMinimum": 0}}})");
  return schema;
}

Json to_json(const InstrumentFacts& instrument) {
  return {{"symbol", instrument.symbol},
          {"currency", instrument.currency},
          {"tick_size", instrument.tick_size},
          {"lot_size", instrument.lot_size},
          {"contract", instrument.contract == ContractKind::linear ? "linear" : "inverse"},
          {"contract_size", instrument.contract_size}};
}

InstrumentFacts instrument_from_json(const Json& document, std::string_view what) {
  validate(document, instrument_schema(), what);
  return read_instrument(document);
}
Json to_json(const DatasetFacts& facts) {
  return {{"schema", schema_name},
          {"version", schema_version},
          {"instrument", to_json(facts.instrument)},
          {"rows", facts.rows},
          {"trades", facts.trades},
          {"first_ns", facts.first.time_since_epoch().count()},
          {"last_ns", facts.last.time_since_epoch().count()},
          {"prices", facts.prices},
          {"lowest_tick", facts.lowest.value},
          {"highest_tick", facts.highest.value},
          {"fingerprint", facts.fingerprint},
          {"origin", facts.origin}};
}

struct Dataset::Mappings {
  std::filesystem::path folder;
  std::vector<MappedFile> files;
  std::vector<Column> columns;
};

Dataset::Dataset(const std::filesystem::path& folder) : mappings_{std::make_unique<Mappings>()} {
  const Json document = read_facts_document(folder);
  facts_ = facts_from_json(document);
  mappings_->folder = folder;
  for (const std::string_view name : column_names) {
    if (!document["columns"].contains(std::string{name})) continue;
    const std::filesystem::path path = folder / column_file(name);
    const std::string dtype = document["columns"][std::string{name}].get<std::string>();
    const MappedFile& file = mappings_->files.emplace_back(path);
    const std::int64_t rows = name == "prices" ? facts_.prices : facts_.rows;
    mappings_->columns.push_back({.name = name, .dtype = dtype, .rows = rows_of(file, dtype, rows, path.string())});
  }
  for (const Column& column : mappings_->columns) {
    const bool is_narrow = column.dtype == "<i4";
    if (column.name == "exch_ns") exch_ns_ = numbers<std::int64_t>(column.rows);
    if (column.name == "feed_ns" && is_narrow) narrow_feed_ = numbers<std::int32_t>(column.rows);
    if (column.name == "feed_ns" && !is_narrow) wide_feed_ = numbers<std::int64_t>(column.rows);
    if (column.name == "rank" && column.dtype == "<u2") narrow_rank_ = numbers<std::uint16_t>(column.rows);
    if (column.name == "rank" && column.dtype == "<u4") wide_rank_ = numbers<std::uint32_t>(column.rows);
    if (column.name == "prices") prices_ = numbers<std::int32_t>(column.rows);
    if (column.name == "lots" && is_narrow) narrow_lots_ = numbers<std::int32_t>(column.rows);
    if (column.name == "lots" && !is_narrow) wide_lots_ = numbers<std::int64_t>(column.rows);
    if (column.name == "kind") kind_ = numbers<std::uint8_t>(column.rows);
    if (column.name == "order_id") order_id_ = numbers<std::uint64_t>(column.rows);
  }
}

Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

MarketEvent Dataset::event(std::int64_t row) const noexcept {
  const auto i = static_cast<std::size_t>(row);
  return {.exch_time = exch_time(row),
          .local_time = local_time(row),
          .order_id = order_id_.empty() ? 0 : order_id_[i],
          .price = tick(row),
          .qty = lots(row),
          .kind = kind_[i]};
}

void Dataset::verify() const {
  const std::string what = mappings_->folder.string();
  RowScan scan;
  for (std::int64_t row = 0; row < rows(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    std::int64_t unused = 0;
    const bool is_apart =
        __builtin_add_overflow(exch_ns_[i], narrow_feed_.empty() ? wide_feed_[i] : std::int64_t{narrow_feed_[i]}, &unused);
    const std::size_t rank = narrow_rank_.empty() ? wide_rank_[i] : narrow_rank_[i];
    if (rank >= prices_.size()) {
      throw Error{what + ": row " + std::to_string(row) + ": rank " + std::to_string(rank) + " is beyond the " +
                  std::to_string(prices_.size()) + " prices; import or generate the dataset again"};
    }
    const auto fault = is_apart ? std::optional<std::string>{"the two clocks are too far apart"} : scan.add(event(row));
    if (fault) throw Error{what + ": row " + std::to_string(row) + ": " + *fault + "; import or generate the dataset again"};
  }
  DatasetFacts found = facts_;
  scan.complete(found);
  if (!std::ranges::is_sorted(prices_, std::ranges::less_equal{}) && prices_.size() > 1)
    throw Error{what + ": the prices are not in ascending order; import or generate the dataset again"};
  if (!(found == facts_))
    throw Error{what + ": the rows do not give the counts, times and prices of dataset.json; import or generate the dataset again"};
  if (fingerprint_of(facts_.instrument, mappings_->columns) != facts_.fingerprint) {
    throw Error{what +
                ": the fingerprint of the rows is not that of dataset.json: a column was changed; import or generate the dataset again"};
  }
}

namespace {

/// Turns the ticks of the rows into ranks and the table of prices; how many there are.
std::int64_t rank_prices(const std::filesystem::path& folder, std::int64_t rows, Json& dtypes) {
  std::vector<std::int32_t> prices;
  {
    const MappedFile file{folder / unranked_file};
    const auto ticks = numbers<std::int32_t>(rows_of(file, "<i4", rows, (folder / unranked_file).string()));
    const auto [low, high] = std::ranges::minmax_element(ticks);
    TickSet seen{{*low}, {*high}};
    for (const std::int32_t tick : ticks) seen.insert({tick});
    for (auto tick = seen.at_or_above({*low}); tick; tick = seen.at_or_above({tick->value + 1})) {
      prices.push_back(static_cast<std::int32_t>(tick->value));
    }
    NpyColumnWriter table{folder / column_file("prices"), ColumnType::i4};
    for (const std::int32_t price : prices) table.add(price);
    dtypes["prices"] = table.finish();
    NpyColumnWriter ranks{folder / column_file("rank"), prices.size() <= 65'536 ? ColumnType::u2 : ColumnType::u4};
    const PriceLadder ladder{prices};
    std::size_t near = 0;
    for (const std::int32_t tick : ticks) {
      near = *ladder.rank_of({tick}, near);
      ranks.add(static_cast<std::int64_t>(near));
    }
    dtypes["rank"] = ranks.finish();
  }
  std::filesystem::remove(folder / unranked_file);
  return static_cast<std::int64_t>(prices.size());
}

}  // namespace

struct DatasetWriter::State {
  State(const std::filesystem::path& target, InstrumentFacts traded, std::string from)
      : folder{target},
        source{target.string()},
        exch_ns{folder.partial() / column_file("exch_ns"), ColumnType::i8},
        feed_ns{folder.partial() / column_file("feed_ns"), ColumnType::i4_or_i8},
        tick{folder.partial() / unranked_file, ColumnType::i4},
        lots{folder.partial() / column_file("lots"), ColumnType::i4_or_i8},
        kind{folder.partial() / column_file("kind"), ColumnType::u1} {
    facts.instrument = std::move(traded);
    facts.origin = std::move(from);
  }

  void begin_order_ids() {
    order_id.emplace(folder.partial() / column_file("order_id"), ColumnType::u8);
    for (std::int64_t row = 0; row < rows; ++row) order_id->add(0);
  }

  ReplacedFolder folder;
  DatasetFacts facts;
  std::string source;
  std::int64_t source_row{0};
  std::int64_t rows{0};
  RowScan scan;
  NpyColumnWriter exch_ns;
  NpyColumnWriter feed_ns;
  NpyColumnWriter tick;
  NpyColumnWriter lots;
  NpyColumnWriter kind;
  std::optional<NpyColumnWriter> order_id;
};

DatasetWriter::DatasetWriter(std::filesystem::path folder, InstrumentFacts instrument, std::string origin) {
  check(instrument, "instrument");
  require_replaceable(folder);
  state_ = std::make_unique<State>(folder, std::move(instrument), std::move(origin));
}

DatasetWriter::~DatasetWriter() = default;

void DatasetWriter::begin_source(std::string name) {
  state_->source = std::move(name);
  state_->source_row = 0;
}

void DatasetWriter::append_to_origin(std::string_view text) {
  state_->facts.origin += text;
}

void DatasetWriter::add(const MarketEvent& event) {
  State& state = *state_;
  const bool is_local = (event.kind & EventFlags::local) != 0;
  std::int64_t feed = 0;
  std::optional<std::string> fault;
  if (is_local && __builtin_sub_overflow(event.local_time.time_since_epoch().count(), event.exch_time.time_since_epoch().count(), &feed))
      [[unlikely]] {
    fault = "the two clocks are too far apart";
  } else {
    fault = state.scan.add(event);
  }
  if (fault) [[unlikely]]
    throw Error{state.source + ": row " + std::to_string(state.source_row) + " (counted from 0): " + *fault};
  const bool has_order = is_order_kind(kind_of(event.kind));
  if (has_order && !state.order_id) [[unlikely]]
    state.begin_order_ids();
  state.exch_ns.add(event.exch_time.time_since_epoch().count());
  state.feed_ns.add(feed);
  state.tick.add(event.price.value);
  state.lots.add(event.qty.value);
  state.kind.add(event.kind);
  if (state.order_id) state.order_id->add(has_order ? static_cast<std::int64_t>(event.order_id) : 0);
  ++state.source_row;
  ++state.rows;
}

DatasetFacts DatasetWriter::finish() {
  State& state = *state_;
  if (!state.scan.is_seen()) throw Error{state.source + ": holds no row that the exchange or we would see; give a file with market events"};
  state.scan.complete(state.facts);
  Json dtypes = {{"exch_ns", state.exch_ns.finish()},
                 {"feed_ns", state.feed_ns.finish()},
                 {"lots", state.lots.finish()},
                 {"kind", state.kind.finish()}};
  state.tick.finish();
  state.facts.prices = rank_prices(state.folder.partial(), state.facts.rows, dtypes);
  if (state.order_id) dtypes["order_id"] = state.order_id->finish();
  std::vector<MappedFile> files;
  std::vector<Column> columns;
  for (const std::string_view name : column_names) {
    if (!dtypes.contains(std::string{name})) continue;
    const std::filesystem::path path = state.folder.partial() / column_file(name);
    const std::string dtype = dtypes[std::string{name}].get<std::string>();
    columns.push_back(
        {.name = name,
         .dtype = dtype,
         .rows = rows_of(files.emplace_back(path), dtype, name == "prices" ? state.facts.prices : state.facts.rows, path.string())});
  }
  state.facts.fingerprint = fingerprint_of(state.facts.instrument, columns);
  Json document = to_json(state.facts);
  document["columns"] = dtypes;
  write_file(state.folder.partial() / facts_file, text_of(document, 2) + "\n");
  require_replaceable(state.folder.target());
  state.folder.replace();
  return state.facts;
}

}  // namespace tailcost
