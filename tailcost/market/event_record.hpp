#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "tailcost/market/dataset.hpp"
#include "tailcost/market/market_event.hpp"

namespace tailcost {

static_assert(std::endian::native == std::endian::little, "records are read as they lie in the file");

/// A row of the two-clock event layout, as it lies in a file and as every importer makes it.
struct EventRecord {
  std::uint64_t ev{};
  std::int64_t exch_ts{};
  std::int64_t local_ts{};
  double px{};
  double qty{};
  std::uint64_t order_id{};
  std::int64_t ival{};
  double fval{};
};
static_assert(sizeof(EventRecord) == 64);

/// The bits of `EventRecord::ev` above the kind.
struct EventRecordFlags {
  static constexpr std::uint64_t exchange = std::uint64_t{1} << 31U;
  static constexpr std::uint64_t local = std::uint64_t{1} << 30U;
  static constexpr std::uint64_t buy = std::uint64_t{1} << 29U;
  static constexpr std::uint64_t sell = std::uint64_t{1} << 28U;
};

enum class RowFault : std::uint8_t {
  none,
  price_not_a_number,
  price_too_large,
  qty_not_a_number,
  qty_negative,
  qty_off_grid,
  qty_too_large
};

/// What is wrong with `record` and what to do, without a full stop. Requires a fault.
std::string sentence(RowFault fault, const EventRecord& record);

/// Makes events of records and counts the prices that needed rounding.
class RecordReader {
 public:
  explicit RecordReader(const InstrumentFacts& instrument) : tick_size_{instrument.tick_size}, lot_size_{instrument.lot_size} {}

  [[nodiscard]] RowFault read(const EventRecord& record, MarketEvent& event) noexcept;

  /// Throws UsageError where more than one price in a hundred was off the grid by more than a thousandth of a tick: the tick size is wrong.
  void check_tick_size() const;

  /// A sentence for DatasetFacts::origin about rounded prices, with a blank before it; nothing where none was rounded.
  std::string rounding() const;

 private:
  RowFault read_price(double px, PriceTicks& price) noexcept;
  RowFault read_qty(double qty, QtyLots& lots) const noexcept;
  bool is_whole_lots(double qty) const noexcept;

  double tick_size_;
  double lot_size_;
  std::int64_t priced_{0};
  std::int64_t rounded_{0};
};

}  // namespace tailcost
