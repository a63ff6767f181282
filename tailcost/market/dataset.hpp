#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tailcost/core/json.hpp"
#include "tailcost/core/price.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/market/market_event.hpp"

namespace tailcost {

enum class ContractKind : std::uint8_t { linear, inverse };

/// What is traded, and in which units.
struct InstrumentFacts {
  std::string symbol{};
  std::string currency{};  ///< Of prices and money.
  double tick_size{};      ///< Price of one tick.
  double lot_size{};       ///< Quantity of one lot.
  ContractKind contract{ContractKind::linear};
  double contract_size{1};

  friend bool operator==(const InstrumentFacts&, const InstrumentFacts&) = default;
};

/// Throws UsageError (naming `what`) where a tick, lot or contract size is missing, not above zero or not finite.
void check(const InstrumentFacts& instrument, std::string_view what);

Json to_json(const InstrumentFacts& instrument);
/// Throws UsageError naming the place where `document` is no instrument.
InstrumentFacts instrument_from_json(const Json& document, std::string_view what);
/// JSON Schema of an instrument.
const Json& instrument_schema();

/// What an opened dataset knows without reading a row.
struct DatasetFacts {
  InstrumentFacts instrument;
  std::int64_t rows{};
  std::int64_t trades{};  ///< Trade rows that the local clock sees.
  SimTime first{};        ///< Earliest time of any row on any clock.
  SimTime last{};         ///< Latest time of any row on any clock.
  std::int64_t prices{};  ///< Distinct ticks over all rows.
  PriceTicks lowest{};    ///< Over all rows with a price.
  PriceTicks highest{};
  std::string fingerprint;  ///< SHA-256 over the columns and the instrument, computed when it was written.
  std::string origin;       ///< One sentence: where the rows come from.

  friend bool operator==(const DatasetFacts&, const DatasetFacts&) = default;
};

/// What `dataset.json` holds, but for the columns' types.
Json to_json(const DatasetFacts& facts);

/// One instrument's market events on two clocks: a folder of `.npy` columns and `dataset.json`, read where it lies (memory-mapped, shared
/// by all processes).
///
/// Columns (all the same length, little endian): exch_ns i8; feed_ns i4 or i8 (local receipt minus exchange time); rank u2 or u4 (of the
/// price, among all that occur); lots i4 or i8; kind u1 (EventKind and flags); order_id u8 in L3 data only. 19 bytes a row where all are
/// narrow. Beside them `prices`, the ticks by rank. The feed delay of a row that only the exchange sees is zero.
class Dataset {
 public:
  /// Opens in under a millisecond whatever the size. Throws Error for a folder that is not one, a column that is missing, cut short or of
  /// another type.
  explicit Dataset(const std::filesystem::path& folder);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  const DatasetFacts& facts() const noexcept { return facts_; }
  std::int64_t rows() const noexcept { return facts_.rows; }

  std::span<const std::int64_t> exch_ns() const noexcept { return exch_ns_; }
  std::span<const std::uint16_t> narrow_rank() const noexcept { return narrow_rank_; }  ///< Empty where ranks are wide.
  std::span<const std::uint32_t> wide_rank() const noexcept { return wide_rank_; }      ///< Empty where ranks are narrow.
  /// The ticks that occur, ascending.
  std::span<const std::int32_t> prices() const noexcept { return prices_; }
  PriceTicks tick(std::int64_t row) const noexcept {
    const auto i = static_cast<std::size_t>(row);
    const std::size_t rank = narrow_rank_.empty() ? wide_rank_[i] : narrow_rank_[i];
    return {prices_[std::min(rank, prices_.size() - 1)]};
  }
  std::span<const std::uint8_t> kind() const noexcept { return kind_; }
  std::span<const std::int32_t> narrow_lots() const noexcept { return narrow_lots_; }     ///< Empty where lots are wide.
  std::span<const std::int64_t> wide_lots() const noexcept { return wide_lots_; }         ///< Empty where lots are narrow.
  std::span<const std::int32_t> narrow_feed_ns() const noexcept { return narrow_feed_; }  ///< Empty where feed delays are wide.
  std::span<const std::int64_t> wide_feed_ns() const noexcept { return wide_feed_; }      ///< Empty where feed delays are narrow.
  std::span<const std::uint64_t> order_id() const noexcept { return order_id_; }          ///< Empty in L2 data.

  SimTime exch_time(std::int64_t row) const noexcept { return SimTime{Nanos{exch_ns_[static_cast<std::size_t>(row)]}}; }
  SimTime local_time(std::int64_t row) const noexcept {
    const auto i = static_cast<std::size_t>(row);
    return SimTime{Nanos{exch_ns_[i] + (narrow_feed_.empty() ? wide_feed_[i] : std::int64_t{narrow_feed_[i]})}};
  }
  QtyLots lots(std::int64_t row) const noexcept {
    const auto i = static_cast<std::size_t>(row);
    return {narrow_lots_.empty() ? wide_lots_[i] : std::int64_t{narrow_lots_[i]}};
  }
  MarketEvent event(std::int64_t row) const noexcept;

  /// Reads every row: the fingerprint and the order of both clocks. Throws Error naming the first wrong row.
  void verify() const;

 private:
  struct Mappings;
  DatasetFacts facts_;
  std::unique_ptr<Mappings> mappings_;
  std::span<const std::int64_t> exch_ns_;
  std::span<const std::int32_t> narrow_feed_;
  std::span<const std::int64_t> wide_feed_;
  std::span<const std::uint16_t> narrow_rank_;
  std::span<const std::uint32_t> wide_rank_;
  std::span<const std::int32_t> prices_;
  std::span<const std::int32_t> narrow_lots_;
  std::span<const std::int64_t> wide_lots_;
  std::span<const std::uint8_t> kind_;
  std::span<const std::uint64_t> order_id_;
};

/// Takes rows one by one and writes a dataset when `finish` is called; nothing is left behind if it never is.
class DatasetWriter {
 public:
  /// Throws Error where `folder` exists and is not a dataset or cannot be made.
  DatasetWriter(std::filesystem::path folder, InstrumentFacts instrument, std::string origin);
  ~DatasetWriter();
  DatasetWriter(const DatasetWriter&) = delete;
  DatasetWriter& operator=(const DatasetWriter&) = delete;

  /// Rows that follow come from `name` and are counted from 0 again; messages about a wrong row say so. Before the first call they come
  /// from the dataset's folder.
  void begin_source(std::string name);

  /// Adds to the sentence about where the rows come from, for what only the rows could tell.
  void append_to_origin(std::string_view text);

  /// Requires rows seen by the exchange in order of exch_time and rows seen locally in order of local_time; throws Error naming the row
  /// otherwise, and for an unknown kind, a quantity below zero, a price beyond 32 bits or clocks that are too far apart.
  void add(const MarketEvent& event);

  /// Writes the folder, replacing a dataset that was there, in one step. Throws Error where no row was added that a clock sees.
  DatasetFacts finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tailcost
