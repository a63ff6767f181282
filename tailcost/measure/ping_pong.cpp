#include "tailcost/measure/ping_pong.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/core/random.hpp"
#include "tailcost/host/child_process.hpp"
#include "tailcost/host/pinned_thread.hpp"
#include "tailcost/host/shared_memory.hpp"
#include "tailcost/measure/message_ring.hpp"
#include "tailcost/measure/pair_record.hpp"

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
  validate(options.plan);
  if (is_polling(options.wait)) require_two_cores(options.plan, std::string{"a pair that waits by "} + name_of(options.wait));
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
      : memory{sizeof(Common) + 2 * MessageRing::bytes_for(payload), SharedMemory::Pages::touched},
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

/// What the first process measures, on its own thread.
class Measured {
 public:
  Measured(const Line& line, const PingPongOptions& options, const CounterRate& rate)
      : line_{line},
        options_{options},
        rate_{rate},
        out_(static_cast<std::size_t>(options.payload_bytes)),
        in_(out_.size()),
        record_{options.plan.duration} {}

  void run() noexcept {
    with_policy(options_.wait, [this](auto wait) {
      using Wait = decltype(wait);
      if (options_.send_every > Nanos{}) {
        open_loop<Wait>(options_.plan.warmup, nullptr, 0);
        open_loop<Wait>(options_.plan.duration, &record_, 1);
      } else {
        closed_loop<Wait>(options_.plan.warmup, nullptr);
        closed_loop<Wait>(options_.plan.duration, &record_);
      }
    });
  }

  PairRecord& record() noexcept { return record_; }
  std::int64_t wrong() const noexcept { return wrong_; }

 private:
  template <class Wait>
  void closed_loop(Nanos duration, PairRecord* record) noexcept {
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
      if (record != nullptr) record->add(rate_.nanos(received - start), rate_.nanos(received - sent));
    }
    if (record != nullptr) record->complete();
  }

  /// Sends when it is time, if the ring has room, and takes answers meanwhile.
  template <class Wait>
  void open_loop(Nanos duration, PairRecord* record, std::uint64_t phase) noexcept {
    const TimeStampCounter counter;
    const CounterTicks start = counter.now();
    std::uint64_t index = 0;
    Nanos due = distance(phase, index);
    std::uint32_t answered = number_;
    const std::uint32_t first = number_;
    while (due <= duration || answered != number_) {
      const CounterTicks now = counter.now();
      if (due <= duration && now - start >= rate_.ticks(due) && number_ - answered < slots_of(options_)) {
        const MessageHead head{.value = ++number_ - first, .intended = (start + rate_.ticks(due)).value, .sent = now.value};
        std::memcpy(out_.data(), &head, sizeof head);
        line_.there.write(number_, out_.data());
        due += distance(phase, ++index);
      }
      if (answered != number_ && line_.back.word(answered + 1).load(std::memory_order_acquire) == answered + 1) {
        line_.back.read(++answered, in_.data());
        const CounterTicks received = counter.now();
        MessageHead head;
        std::memcpy(&head, in_.data(), sizeof head);
        wrong_ += head.value != answered - first + 1;
        if (record == nullptr) continue;
        record->add_from_send(rate_.nanos(received - CounterTicks{head.sent}));
        record->add(std::min(rate_.nanos(received - start), duration), rate_.nanos(received - CounterTicks{head.intended}));
      } else if (line_.common.halt.load(std::memory_order_relaxed)) {
        return;
      }
    }
    if (record != nullptr) record->complete();
  }

  /// From intended send `index` - 1 to `index` of the warm-up or the observation.
  Nanos distance(std::uint64_t phase, std::uint64_t index) const noexcept {
    if (!options_.random_sends) return options_.send_every;
    const auto word = random_words(options_.seed, Purpose::message_schedule, {.first = phase, .second = index})[0];
    return Nanos{static_cast<std::int64_t>(static_cast<double>(options_.send_every.count()) * exponential(word))};
  }

  const Line& line_;
  const PingPongOptions& options_;
  const CounterRate& rate_;
  std::vector<std::byte> out_, in_;
  PairRecord record_;
  std::uint32_t number_{0};
  std::int64_t wrong_{0};
};

}  // namespace

PairResult ping_pong(const PingPongOptions& options, const CounterRate& rate, const std::atomic<bool>& stop,
                     const std::function<void(Nanos done)>& look) {
  validate(options);
  Line line{static_cast<std::size_t>(options.payload_bytes), slots_of(options)};
  std::vector<std::byte> payload(static_cast<std::size_t>(options.payload_bytes));
  ChildProcess answerer{[&] {
    const PinnedThread pinned{{options.plan.second_cpu}};
    with_policy(options.wait, [&](auto wait) { answer<decltype(wait)>(line, payload.data()); });
  }};
  Measured measured{line, options, rate};
  run_measured_side(options.plan, [&measured] { measured.run(); },
                    {.stop = stop,
                     .look = look,
                     .check_second_side =
                         [&answerer] {
                           if (answerer.has_ended())
                             throw Error{"the second process of the pair ended before its time: " + answerer.wait()};
                         },
                     .halt = [&line] { line.halt(); }});
  if (measured.wrong() > 0)
    throw Error{std::to_string(measured.wrong()) +
                " answers of the pair were wrong: the memory between two processes is not coherent, or a bug of ours"};
  PairResult result = measured.record().finish();
  result.probe = PairProbe::ping_pong;
  result.first_cpu = options.plan.first_cpu;
  result.second_cpu = options.plan.second_cpu;
  result.method = {.wait = name_of(options.wait),
                   .payload_bytes = options.payload_bytes,
                   .lines = slots_of(options),
                   .policy = "other",
                   .send_every = options.send_every};
  return result;
}

}  // namespace tailcost
