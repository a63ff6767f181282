#include "tailcost/measure/core_distance.hpp"

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <thread>

#include "tailcost/core/error.hpp"
#include "tailcost/host/blocked_signals.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/shared_memory.hpp"
#include "tailcost/measure/pair_record.hpp"

namespace tailcost {

namespace {

constexpr std::int64_t most_lines = 4'096;

/// Two words that two cores hand to each other, each alone on its lines.
struct ExchangeLines {
  alignas(128) std::atomic<std::uint64_t> there{0};
  alignas(128) std::atomic<std::uint64_t> back{0};
};

/// Lines in turn, on memory that nobody has touched at first.
class Exchange {
 public:
  explicit Exchange(std::size_t lines)
      : memory_{lines * sizeof(ExchangeLines), SharedMemory::Pages::untouched},
        lines_{reinterpret_cast<ExchangeLines*>(memory_.data()), lines} {}

  /// Takes the pages for the calling thread's core.
  void touch() noexcept {
    for (ExchangeLines& each : lines_) new (&each) ExchangeLines{};
  }

  ExchangeLines& of(std::uint64_t trip) noexcept { return lines_[(trip >> trips_on_a_line_bits) % lines_.size()]; }

  /// Waits for `trip` to come by `word`; false where the run was halted.
  bool wait(const std::atomic<std::uint64_t>& word, std::uint64_t trip) const noexcept {
    constexpr int looks_between = 1'024;
    while (!is_halted()) {
      for (int look = 0; look < looks_between; ++look) {
        if (word.load(std::memory_order_acquire) == trip) return true;
      }
    }
    return false;
  }

  void halt() noexcept { halt_.store(true); }
  bool is_halted() const noexcept { return halt_.load(std::memory_order_relaxed); }

 private:
  static constexpr int trips_on_a_line_bits = 10;

  SharedMemory memory_;
  std::span<ExchangeLines> lines_;
  alignas(128) std::atomic<bool> halt_{false};
};

/// The second side: hands each line back until halted.
void hand_back(Exchange& exchange) noexcept {
  for (std::uint64_t trip = 1; exchange.wait(exchange.of(trip).there, trip); ++trip)
    exchange.of(trip).back.store(trip, std::memory_order_release);
}

/// The first side.
class Measured {
 public:
  Measured(Exchange& exchange, const CounterRate& rate) noexcept : exchange_{exchange}, rate_{rate} {}

  /// Hands lines over for `duration` and notes each round trip, where there is a record.
  void run(Nanos duration, PairRecord* record) noexcept {
    const TimeStampCounter counter;
    const CounterTicks start = counter.now();
    const CounterTicks end = start + rate_.ticks(duration);
    for (CounterTicks back = start; back < end;) {
      ExchangeLines& lines = exchange_.of(++trip_);
      const CounterTicks sent = counter.now();
      lines.there.store(trip_, std::memory_order_release);
      if (!exchange_.wait(lines.back, trip_)) return;
      back = counter.now();
      if (record != nullptr) record->add(rate_.nanos(back - start), rate_.nanos(back - sent));
    }
    if (record != nullptr) record->complete();
  }

 private:
  Exchange& exchange_;
  const CounterRate& rate_;
  std::uint64_t trip_{0};
};

/// The second thread: on its core before it is said to be ready, and gone when this object is.
class SecondThread {
 public:
  SecondThread(Exchange& exchange, const CoreDistanceOptions& options) : exchange_{exchange} {
    const BlockedSignals blocked;
    thread_ = std::jthread{[this, &options] { run(options); }};
    is_ready_.wait(false);
    if (failure_) std::rethrow_exception(failure_);
  }
  ~SecondThread() { exchange_.halt(); }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

 private:
  void run(const CoreDistanceOptions& options) noexcept {
    try {
      const PinnedThread pinned{{options.plan.second_cpu}};
      if (options.touched_by == TouchedBy::second) exchange_.touch();
      be_ready();
      hand_back(exchange_);
    } catch (...) {
      failure_ = std::current_exception();
      be_ready();
    }
  }
  void be_ready() noexcept {
    is_ready_.store(true);
    is_ready_.notify_all();
  }

  Exchange& exchange_;
  std::atomic<bool> is_ready_{false};
  std::exception_ptr failure_;
  std::jthread thread_;
};

void touch_on(std::int64_t cpu, Exchange& exchange) {
  const PinnedThread pinned{{cpu}};
  exchange.touch();
}

}  // namespace

std::string_view name_of(TouchedBy side) noexcept {
  return side == TouchedBy::first ? "first" : "second";
}

PairResult core_distance(const CoreDistanceOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                         const std::function<void(Nanos done)>& look) {
  validate(options.plan);
  require_two_cores(options.plan, "the distance between cores");
  if (options.lines < 1 || options.lines > most_lines)
    throw UsageError{std::to_string(options.lines) + " different lines are not possible; from 1 to " + std::to_string(most_lines)};
  Exchange exchange{static_cast<std::size_t>(options.lines)};
  if (options.touched_by == TouchedBy::first) touch_on(options.plan.first_cpu, exchange);
  const SecondThread second{exchange, options};
  PairRecord record{options.plan.duration};
  Measured measured{exchange, rate};
  const auto measure = [&] {
    measured.run(options.plan.warmup, nullptr);
    measured.run(options.plan.duration, &record);
  };
  run_measured_side(options.plan, measure, {.stop = stop, .look = look, .halt = [&exchange] { exchange.halt(); }});
  PairResult result = record.finish();
  result.probe = PairProbe::cores;
  result.first_cpu = options.plan.first_cpu;
  result.second_cpu = options.plan.second_cpu;
  result.method = {.wait = "spin", .memory = std::string{name_of(options.touched_by)}, .lines = options.lines, .policy = "other"};
  return result;
}

}  // namespace tailcost
