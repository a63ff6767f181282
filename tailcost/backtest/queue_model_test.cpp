#include "tailcost/backtest/queue_model.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace tailcost;

namespace {

constexpr std::array kinds{QueueKind::risk_averse, QueueKind::power1, QueueKind::power2,   QueueKind::power3,
                           QueueKind::log1,        QueueKind::log2,   QueueKind::bernoulli};

struct Case {
  std::unique_ptr<QueueModel> model;
  QueuePosition position;
  void trade(std::int64_t qty) { model->on_trade({&position, 1}, {qty}); }
  void depth(std::int64_t before, std::int64_t after) {
    model->on_depth({&position, 1}, {before}, {after}, {.seed = 1, .instrument = 0, .row = row++});
  }
  std::int64_t row{0};
};

Case behind_ten(QueueKind kind) {
  return {make_queue_model({.kind = kind, .exponent = 2}, 1), {.ahead = 10, .traded = 0}};
}

}  // namespace

TEST_CASE("in every model only trades beyond the queue reach us, by half a lot or more") {
  for (const QueueKind kind : kinds) {
    Case queue = behind_ten(kind);
    queue.trade(4);
    CHECK(passed_by_trades(queue.position) == QtyLots{0});
    queue.trade(6);
    CHECK(passed_by_trades(queue.position) == QtyLots{0});  // exact exhaustion is no fill
    queue.trade(3);
    CHECK(passed_by_trades(queue.position) == QtyLots{3});
    CHECK(queue.position.ahead == 0);
  }
}

TEST_CASE("the risk-averse position moves on cancellations only when the level is smaller than what was ahead") {
  Case queue = behind_ten(QueueKind::risk_averse);
  queue.depth(20, 15);
  CHECK(queue.position.ahead == 10);
  queue.depth(15, 6);
  CHECK(queue.position.ahead == 6);
}

TEST_CASE("a decrease that a trade explains does not move a probabilistic position again") {
  for (const QueueKind kind : {QueueKind::power2, QueueKind::log2, QueueKind::bernoulli}) {
    Case queue = behind_ten(kind);
    queue.trade(4);
    queue.depth(20, 16);
    CHECK(queue.position.ahead == 6);
  }
}

TEST_CASE("a cancellation is shared between front and back by the model's formula") {
  // 10 ahead and 10 behind, 4 cancelled: power1 and log1 say one half, power2 one quarter, power3 three quarters from behind.
  const auto ahead_after = [](QueueKind kind) {
    Case queue = behind_ten(kind);
    queue.depth(20, 16);
    return queue.position.ahead;
  };
  CHECK(ahead_after(QueueKind::power1) == doctest::Approx(8));
  CHECK(ahead_after(QueueKind::log1) == doctest::Approx(8));
  CHECK(ahead_after(QueueKind::power2) == doctest::Approx(7));
  CHECK(ahead_after(QueueKind::power3) == doctest::Approx(9));
  CHECK(ahead_after(QueueKind::log2) == doctest::Approx(10 - (1 - std::log(11.0) / std::log(21.0)) * 4));
}

TEST_CASE("one call moves every position as it would move it alone") {
  for (const QueueKind kind : kinds) {
    const auto model = make_queue_model({.kind = kind, .exponent = 3}, 0.01);
    std::array together{QueuePosition{.ahead = 3}, QueuePosition{.ahead = 17}, QueuePosition{.ahead = 0}};
    std::array alone = together;
    model->on_trade(together, {2});
    model->on_depth(together, {25}, {21}, {});
    for (QueuePosition& position : alone) {
      model->on_trade({&position, 1}, {2});
      model->on_depth({&position, 1}, {25}, {21}, {});
    }
    for (std::size_t i = 0; i < alone.size(); ++i) CHECK(together[i].ahead == alone[i].ahead);
  }
}

TEST_CASE("the Bernoulli position is a whole number of lots, right on average where every lot is as likely to be cancelled") {
  const auto model = make_queue_model({.kind = QueueKind::bernoulli}, 1);
  double sum = 0;
  constexpr int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    QueuePosition position{.ahead = 30, .traded = 0};
    model->on_depth({&position, 1}, {100}, {60}, {.seed = 5, .instrument = 0, .row = round});  // 40 of 100 leave: 12 of 30 on average
    REQUIRE(position.ahead == std::floor(position.ahead));
    sum += position.ahead;
  }
  CHECK(sum / rounds == doctest::Approx(18).epsilon(0.005));
}

TEST_CASE("the Bernoulli positions of two orders keep their order under one row's luck") {
  const auto model = make_queue_model({.kind = QueueKind::bernoulli}, 1);
  for (int row = 0; row < 2'000; ++row) {
    std::array positions{QueuePosition{.ahead = 10}, QueuePosition{.ahead = 25}};
    model->on_depth(positions, {40}, {17}, {.seed = 3, .instrument = 0, .row = row});
    REQUIRE(positions[0].ahead <= positions[1].ahead);
  }
}
