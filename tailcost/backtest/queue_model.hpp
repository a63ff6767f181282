#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tailcost/core/price.hpp"

namespace tailcost {

enum class QueueKind : std::uint8_t {
  risk_averse,  ///< Only trades move us forward; a level that shrinks below our place takes us with it.
  power1,       ///< f(b) / (f(b) + f(a)), f(x) = x^n
  power2,       ///< f(b) / f(b + a)
  power3,       ///< 1 - (a / (a + b))^n
  log1,         ///< g(b) / (g(b) + g(a)), g(x) = ln(1 + x)
  log2,         ///< g(b) / g(b + a)
  bernoulli     ///< A whole number of lots ahead; each cancelled lot was any of the others' with equal chance.
};

struct QueueSpec {
  QueueKind kind{QueueKind::risk_averse};
  double exponent{2};  ///< n of the power models.
};

/// Where one resting order stands in the queue of its price level, in lots.
struct QueuePosition {
  double ahead{};   ///< Quantity before us; below zero once trades have eaten into us.
  double traded{};  ///< Traded here since the level last changed: the next decrease is that trade's, not a cancellation.
};

/// The luck of one row of market data: the same for every lane, so that lanes at one place of a level stay together.
struct RowLuck {
  std::uint64_t seed{};
  std::uint32_t instrument{};
  std::int64_t row{};
  double draw() const noexcept;  ///< Uniform in [0, 1).
};

/// Infers the queue position from L2 data. One call covers all orders at a level, whatever lane they belong to.
class QueueModel {
 public:
  virtual ~QueueModel() = default;

  /// `qty` was traded at the level.
  virtual void on_trade(std::span<QueuePosition> positions, QtyLots qty) const noexcept = 0;

  /// The level's displayed quantity went from `before` to `after` (called for every row of the level, equal quantities included).
  virtual void on_depth(std::span<QueuePosition> positions, QtyLots before, QtyLots after, const RowLuck& luck) const noexcept = 0;
};

/// Lots by which trades have passed the order: half a lot or more beyond the queue counts, exact exhaustion does not. Resets what was ahead
/// when positive.
QtyLots passed_by_trades(QueuePosition& position) noexcept;

/// `lot_size` matters to the logarithmic models only, which are not scale-free.
std::unique_ptr<QueueModel> make_queue_model(const QueueSpec& spec, double lot_size);

}  // namespace tailcost
