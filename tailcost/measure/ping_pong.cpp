#include "tailcost/measure/ping_pong.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/host/blocked_signals.hpp"
#include "tailcost/host/cpu_list.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/measure/deadline_schedule.hpp"
#include "tailcost/measure/message_ring.hpp"
#include "tailcost/measure/slice_recorder.hpp"

namespace tailcost {

namespace {

void require(bool holds, const std::string& sentence) {
  if (!holds) throw UsageError{sentence};
}

std::uint32_t slots_of(const PingPongOptions& options) noexcept {
  if (options.slots > 0) return static_cast<std::uint32_t>(options.slots);
  return options.send_every > Nanos{} ? MessageRing::most_slots : 1;
}

void validate(const PingPongOptions& options) {
  const std::vector<std::int64_t> online = online_cpus(), allowed = allowed_cpus();
  for (const std::int64_t cpu : {options.first_cpu, options.second_cpu}) {
    require(std::binary_search(online.begin(), online.end(), cpu) && std::binary_search(allowed.begin(), allowed.end(), cpu),
            "cannot measure a pair with core " + std::to_string(cpu) +
                ": it is offline, not there, or not allowed to this process, which may use " + format_cpu_list(allowed));
  }
  require(options.first_cpu != options.second_cpu || !is_polling(options.wait), "a pair that polls needs two cores, and core " +
                                                                                    std::to_string(options.first_cpu) +
                                                                                    " is both; name two, or wait by futex or eventfd");
  const std::string refusal = wait_refusal(options.wait);
  require(refusal.empty(), std::string{"cannot wait by "} + name_of(options.wait) + ": " + refusal);
  constexpr auto longest = static_cast<std::int64_t>(MessageRing::longest);
  const auto shortest = static_cast<std::int64_t>(options.send_every > Nanos{} ? sizeof(MessageHead) : MessageRing::shortest);
  require(options.payload_bytes >= shortest && options.payload_bytes <= longest,
          "a payload of " + std::to_string(options.payload_bytes) + " bytes is not possible; from " + std::to_string(shortest) + " to " +
              std::to_string(longest) + (options.send_every > Nanos{} ? " in an open loop, whose messages carry two times" : ""));
  const bool is_power = options.slots >= 0 && (options.slots & (options.slots - 1)) == 0;
  require(is_power && options.slots <= MessageRing::most_slots,
          "a ring of " + std::to_string(options.slots) + " slots is not possible; a power of two up to 64");
  require(options.send_every == Nanos{} || options.slots != 1, "an open loop needs a ring of two slots at least");
  require(options.duration >= Nanos{1'000'000}, "a pair is measured for 1 ms at least");
  require(options.warmup >= Nanos{0}, "the warm-up of a pair must not be negative");
  require(options.send_every == Nanos{} || options.send_every >= Nanos{100}, "in an open loop messages are 100 ns apart at least");
  require(options.send_every == Nanos{} || is_polling(options.wait), "an open loop polls for its answers: wait by spin, pause or yield");
}

/// What both processes share, besides the rings.
struct alignas(128) Common {
  std::atomic<bool> halt{false};
};

/// An event counter, closed at the end.
class EventCounter {
 public:
  EventCounter() : fd_{eventfd(0, EFD_CLOEXEC)} {
    if (fd_ < 0) throw Error{std::string{"cannot make an event counter: "} + strerrordesc_np(errno)};
  }
  ~EventCounter() { close(fd_); }
  EventCounter(const EventCounter&) = delete;
  EventCounter& operator=(const EventCounter&) = delete;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

/// The rings between the two, as the first process made them.
struct Line {
  Line(std::size_t payload, std::uint32_t slots)
      : memory{sizeof(Common) + 2 * MessageRing::bytes_for(payload)},
        common{*new(memory.data()) Common},
        there{memory.data() + sizeof(Common), payload, slots},
        back{memory.data() + sizeof(Common) + MessageRing::bytes_for(payload), payload, slots} {}

  void halt() noexcept {
    common.halt.store(true);
    const std::uint64_t one = 1;
    for (const int fd : {event_there.fd(), event_back.fd()}) static_cast<void>(!::write(fd, &one, sizeof one));
  }

  SharedMemory memory;
  Common& common;
  MessageRing there, back;
  EventCounter event_there, event_back;
};

/// Answers each message with its value plus one until halted. Nothing here allocates or throws: it runs in a forked child.
template <class Wait>
void answer(const Line& line, std::byte* payload) noexcept {
  for (std::uint32_t number = 1;; ++number) {
    if (!Wait::wait({line.there.word(number), line.event_there.fd()}, number, line.common.halt)) return;
    line.there.read(number, payload);
    std::uint64_t value = 0;
    std::memcpy(&value, payload, sizeof value);
    ++value;
    std::memcpy(payload, &value, sizeof value);
    line.back.write(number, payload);
    Wait::wake({line.back.word(number), line.event_back.fd()});
  }
}

/// The second process: gone when this object is.
class Answerer {
 public:
  Answerer(Line& line, const PingPongOptions& options) : line_{line} {
    std::vector<std::byte> payload(static_cast<std::size_t>(options.payload_bytes));
    const CpuSet cpus{{options.second_cpu}};
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ < 0) throw Error{std::string{"cannot make a second process: "} + strerrordesc_np(errno)};
    if (child_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);  // the first process decides when it is over
    signal(SIGTERM, SIG_IGN);
    if (getppid() == parent && cpus.apply() == 0) {
      with_policy(options.wait, [&](auto wait) { answer<decltype(wait)>(line, payload.data()); });
      _exit(0);
    }
    _exit(1);
  }
  ~Answerer() {
    line_.halt();
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  /// Throws Error where it has ended.
  void check() {
    int status = 0;
    if (child_ > 0 && waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      throw Error{"the second process of the pair ended by itself; was it killed?"};
    }
  }

 private:
  Line& line_;
  pid_t child_{-1};
};

/// What the first process measures, on its own thread.
class Measured {
 public:
  Measured(const Line& line, const PingPongOptions& options, const CounterRate& rate)
      : line_{line}, options_{options}, rate_{rate}, out_(static_cast<std::size_t>(options.payload_bytes)), in_(out_.size()) {
    slices_ = SliceRecorder{feed_, SliceRecorder::length_for(options.duration), options.duration};
  }

  void run() noexcept {
    with_policy(options_.wait, [this](auto wait) {
      using Wait = decltype(wait);
      if (options_.send_every > Nanos{}) {
        open_loop<Wait>(options_.warmup, nullptr, 0);
        open_loop<Wait>(options_.duration, &result_, 1);
      } else {
        closed_loop<Wait>(options_.warmup, nullptr);
        closed_loop<Wait>(options_.duration, &result_);
      }
    });
    slices_.finish(result_.observed);
  }

  PairResult& result() noexcept { return result_; }
  const SliceFeed& feed() const noexcept { return feed_; }
  std::int64_t wrong() const noexcept { return wrong_; }

 private:
  template <class Wait>
  void closed_loop(Nanos duration, PairResult* result) noexcept {
    const TimeStampCounter counter;
    const CounterTicks start = counter.now();
    const CounterTicks end = start + rate_.ticks(duration);
    std::uint64_t value = number_;
    CounterTicks received = start;
    while (received < end) {
      ++number_;
      const CounterTicks sent = counter.now();
      std::memcpy(out_.data(), &value, sizeof value);
      line_.there.write(number_, out_.data());
      Wait::wake({line_.there.word(number_), line_.event_there.fd()});
      if (!Wait::wait({line_.back.word(number_), line_.event_back.fd()}, number_, line_.common.halt)) return;
      line_.back.read(number_, in_.data());
      received = counter.now();
      std::uint64_t answered = 0;
      std::memcpy(&answered, in_.data(), sizeof answered);
      wrong_ += answered != value + 1;
      value = answered;
      if (result != nullptr) note(*result, rate_.nanos(received - start), rate_.nanos(received - sent));
    }
    if (result != nullptr) result->complete = true;
  }

  /// Sends when it is time, if the ring has room, and takes answers meanwhile.
  template <class Wait>
  void open_loop(Nanos duration, PairResult* result, std::uint64_t phase) noexcept {
    const TimeStampCounter counter;
    const DeadlineSchedule schedule{
        {.period = options_.send_every, .random = options_.random_sends, .seed = options_.seed, .cpu = 0, .phase = phase}};
    const CounterTicks start = counter.now();
    std::uint64_t index = 0;
    Nanos due = schedule.distance(index);
    std::uint32_t answered = number_;
    const std::uint32_t first = number_;
    while (due <= duration || answered != number_) {
      const CounterTicks now = counter.now();
      if (due <= duration && now - start >= rate_.ticks(due) && number_ - answered < slots_of(options_)) {
        const MessageHead head{.value = ++number_ - first, .intended = (start + rate_.ticks(due)).value, .sent = now.value};
        std::memcpy(out_.data(), &head, sizeof head);
        line_.there.write(number_, out_.data());
        due += schedule.distance(++index);
      }
      if (answered != number_ && line_.back.word(answered + 1).load(std::memory_order_acquire) == answered + 1) {
        line_.back.read(++answered, in_.data());
        const CounterTicks received = counter.now();
        MessageHead head;
        std::memcpy(&head, in_.data(), sizeof head);
        wrong_ += head.value != answered - first + 1;
        if (result == nullptr) continue;
        result->from_send.record(rate_.nanos(received - CounterTicks{head.sent}));
        note(*result, std::min(rate_.nanos(received - start), duration), rate_.nanos(received - CounterTicks{head.intended}));
      } else if (line_.common.halt.load(std::memory_order_relaxed)) {
        return;
      }
    }
    if (result != nullptr) result->complete = true;
  }

  void note(PairResult& result, Nanos at, Nanos time) noexcept {
    result.times.record(time);
    result.observed = at;
    slices_.advance(at);
    slices_.record(time);
  }

  const Line& line_;
  const PingPongOptions& options_;
  const CounterRate& rate_;
  std::vector<std::byte> out_, in_;
  PairResult result_{.complete = false};
  SliceFeed feed_;
  SliceRecorder slices_;
  std::uint32_t number_{0};
  std::int64_t wrong_{0};
};

}  // namespace

PairResult ping_pong(const PingPongOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                     const std::function<void(Nanos done)>& look) {
  validate(options);
  Line line{static_cast<std::size_t>(options.payload_bytes), slots_of(options)};
  Answerer answerer{line, options};
  Measured measured{line, options, rate};
  std::atomic<bool> is_finished{false};
  std::exception_ptr failure;
  {
    std::jthread thread;
    {
      const BlockedSignals blocked;
      thread = std::jthread{[&] {
        try {
          const PinnedThread pinned{{options.first_cpu}};
          measured.run();
        } catch (...) {
          failure = std::current_exception();
        }
        is_finished.store(true, std::memory_order_release);
      }};
    }
    const struct HaltAtEnd {
      Line& line;
      ~HaltAtEnd() { line.halt(); }
    } halt_at_end{line};
    constexpr Nanos look_every{50'000'000};
    const MonoTimer timer;
    const MonoTime started = timer.now();
    while (!is_finished.load(std::memory_order_acquire)) {
      timer.sleep_until(timer.now() + look_every);
      if (stop.load(std::memory_order_relaxed)) break;
      if (!is_finished.load(std::memory_order_acquire)) answerer.check();
      if (look) look(std::min(timer.now() - started, options.warmup + options.duration));
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (measured.wrong() > 0)
    throw Error{std::to_string(measured.wrong()) +
                " answers of the pair were wrong: the memory between two processes is not coherent, or a bug of ours"};
  PairResult result = std::move(measured.result());
  result.probe = PairProbe::ping_pong;
  result.first_cpu = options.first_cpu;
  result.second_cpu = options.second_cpu;
  result.method = {.wait = name_of(options.wait),
                   .payload_bytes = options.payload_bytes,
                   .lines = slots_of(options),
                   .policy = "other",
                   .send_every = options.send_every};
  const auto slices = measured.feed().finished();
  result.slice_length = SliceRecorder::length_for(options.duration);
  result.slices = {slices.begin(), slices.end()};
  result.levels = levels_of(slices, result.slice_length);
  return result;
}

std::vector<PairResult::Level> levels_of(std::span<const TimeSlice> slices, Nanos slice_length) {
  constexpr double same_within = 1.25;
  constexpr std::size_t least_slices = 3;
  const auto differ = [](Nanos a, Nanos b) {
    const auto [low, high] = std::minmax({static_cast<double>(a.count()), static_cast<double>(b.count())});
    return high > same_within * low;
  };
  std::vector<PairResult::Level> levels;
  std::vector<Nanos> stretch;
  const auto median = [](std::vector<Nanos> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  for (std::size_t each = 0; each < slices.size(); ++each) {
    if (slices[each].count == 0) continue;
    if (!stretch.empty()) {
      const Nanos level = median(stretch);
      const std::size_t ahead = std::min(each + least_slices, slices.size());
      const bool has_moved =
          ahead - each == least_slices &&
          std::all_of(slices.begin() + static_cast<std::ptrdiff_t>(each), slices.begin() + static_cast<std::ptrdiff_t>(ahead),
                      [&](const TimeSlice& slice) { return slice.count > 0 && differ(slice.p50, level); });
      if (has_moved) {
        levels.back().median = level;
        stretch.clear();
      }
    }
    if (stretch.empty()) levels.push_back({.from = slice_length * static_cast<std::int64_t>(each), .median = slices[each].p50});
    stretch.push_back(slices[each].p50);
  }
  if (levels.size() < 2) return {};
  levels.back().median = median(stretch);
  return levels;
}

}  // namespace tailcost
