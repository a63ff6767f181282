#include "tailcost/backtest/queue_model.hpp"

#include <algorithm>
#include <cmath>

#include "tailcost/core/random.hpp"
#include "tailcost/stats/hypergeometric.hpp"

namespace tailcost {
namespace {

class RiskAverseQueue final : public QueueModel {
 public:
  void on_trade(std::span<QueuePosition> positions, QtyLots qty) const noexcept override {
    for (QueuePosition& position : positions) position.ahead -= static_cast<double>(qty.value);
  }
  void on_depth(std::span<QueuePosition> positions, QtyLots, QtyLots after, const RowLuck&) const noexcept override {
    for (QueuePosition& position : positions) position.ahead = std::fmin(position.ahead, static_cast<double>(after.value));
  }
};

/// Shares a level's decrease that no trade explains between front and back: `front_share` is the probability that it was behind us.
/// (Rigtorp 2013; backtest-parity.md 4.2.)
class ProbabilisticQueue final : public QueueModel {
 public:
  ProbabilisticQueue(const QueueSpec& spec, double lot_size) noexcept : kind_{spec.kind}, exponent_{spec.exponent}, lot_size_{lot_size} {}

  void on_trade(std::span<QueuePosition> positions, QtyLots qty) const noexcept override {
    for (QueuePosition& position : positions) {
      position.ahead -= static_cast<double>(qty.value);
      position.traded += static_cast<double>(qty.value);
    }
  }

  void on_depth(std::span<QueuePosition> positions, QtyLots before, QtyLots after, const RowLuck&) const noexcept override {
    const auto prior = static_cast<double>(before.value);
    const auto displayed = static_cast<double>(after.value);
    for (QueuePosition& position : positions) {
      const double change = prior - displayed - position.traded;
      position.traded = 0;
      if (change < 0) {
        position.ahead = std::fmin(position.ahead, displayed);
        continue;
      }
      const double behind = prior - position.ahead;
      double share = behind_share(position.ahead, behind);
      if (std::isinf(share)) share = 1;
      const double estimate = position.ahead - (1 - share) * change + std::fmin(behind - share * change, 0.0);
      position.ahead = std::fmin(estimate, displayed);  // fmin: a share that is not a number (0/0) leaves the displayed quantity
    }
  }

 private:
  double behind_share(double ahead, double behind) const noexcept {
    const auto power = [this](double x) { return std::pow(x, exponent_); };
    const auto logarithm = [this](double x) { return std::log(1 + x * lot_size_); };
    switch (kind_) {
      case QueueKind::risk_averse:
      case QueueKind::bernoulli: break;
      case QueueKind::power1: return power(behind) / (power(behind) + power(ahead));
      case QueueKind::power2: return power(behind) / power(behind + ahead);
      case QueueKind::power3: return 1 - power(ahead / (ahead + behind));
      case QueueKind::log1: return logarithm(behind) / (logarithm(behind) + logarithm(ahead));
      case QueueKind::log2: return logarithm(behind) / logarithm(behind + ahead);
    }
    return 0;
  }

  QueueKind kind_;
  double exponent_;
  double lot_size_;
};

/// A whole position: of the lots that were cancelled, those before us are drawn without replacement from all others. Exact where every lot
/// of the others is as likely to be cancelled as any (method.md, section 5).
class BernoulliQueue final : public QueueModel {
 public:
  void on_trade(std::span<QueuePosition> positions, QtyLots qty) const noexcept override {
    for (QueuePosition& position : positions) {
      position.ahead -= static_cast<double>(qty.value);
      position.traded += static_cast<double>(qty.value);
    }
  }

  void on_depth(std::span<QueuePosition> positions, QtyLots before, QtyLots after, const RowLuck& luck) const noexcept override {
    double chance = -1;
    for (QueuePosition& position : positions) {
      const std::int64_t others = before.value - static_cast<std::int64_t>(position.traded);
      const std::int64_t cancelled = others - after.value;
      position.traded = 0;
      auto ahead = std::min(static_cast<std::int64_t>(position.ahead), std::max<std::int64_t>(others, 0));
      if (cancelled > 0 && ahead > 0) {
        if (chance < 0) chance = luck.draw();
        ahead -= hypergeometric_quantile(chance, others, ahead, cancelled);
      }
      position.ahead = static_cast<double>(std::min(ahead, after.value));
    }
  }
};

}  // namespace

double RowLuck::draw() const noexcept {
  return unit_interval(random_words(seed, Purpose::queue_position, {.first = static_cast<std::uint64_t>(row), .second = instrument})[0]);
}

QtyLots passed_by_trades(QueuePosition& position) noexcept {
  const double passed = std::round(-position.ahead);
  if (!(passed > 0)) return {};
  position.ahead = 0;
  return {static_cast<std::int64_t>(passed)};
}

std::unique_ptr<QueueModel> make_queue_model(const QueueSpec& spec, double lot_size) {
  if (spec.kind == QueueKind::risk_averse) return std::make_unique<RiskAverseQueue>();
  if (spec.kind == QueueKind::bernoulli) return std::make_unique<BernoulliQueue>();
  return std::make_unique<ProbabilisticQueue>(spec, lot_size);
}

}  // namespace tailcost
