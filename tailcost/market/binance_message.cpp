#include "tailcost/market/binance_message.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace tailcost {
namespace {

constexpr std::uint64_t both_clocks = EventRecordFlags::exchange | EventRecordFlags::local;
constexpr std::uint64_t depth_code = 1;
constexpr std::uint64_t trade_code = 2;
constexpr std::uint64_t clear_code = 3;
constexpr std::uint64_t snapshot_code = 4;
constexpr std::int64_t nanos_a_milli = 1'000'000;
constexpr std::int64_t latest_milli = 9'000'000'000'000;  // the year 2255: fits 64 bits in nanoseconds

struct Level {
  double px{};
  double qty{};
};

/// The fields of a message that rows are made of.
struct Message {
  std::string event;
  std::optional<std::int64_t> transaction_ms;  ///< T
  std::optional<std::int64_t> event_ms;        ///< E
  std::optional<bool> buyer_is_maker;          ///< m
  std::optional<std::string> execution;        ///< X
  std::optional<double> px;
  std::optional<double> qty;
  bool has_levels{false};
  std::vector<Level> bids;
  std::vector<Level> asks;
  std::string fault;

  void clear() {
    event.clear();
    transaction_ms.reset();
    event_ms.reset();
    buyer_is_maker.reset();
    execution.reset();
    px.reset();
    qty.reset();
    has_levels = false;
    bids.clear();
    asks.clear();
    fault.clear();
  }
};

std::optional<double> number_of(std::string_view text) noexcept {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Fills a Message from the parser's events. Fields count in the outer object, and in the object `data` of a combined stream.
class MessageReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit MessageReader(Message& message) : message_{message} {}

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (is_field() && key_ == "m") message_.buyer_is_maker = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return whole(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return whole(value > static_cast<number_unsigned_t>(latest_milli) ? latest_milli + 1 : static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& value) override {
    if (levels_ != nullptr && arrays_ == 2) return level_part(value);
    if (!is_field()) return true;
    if (key_ == "e") message_.event = value;
    if (key_ == "X") message_.execution = value;
    if (key_ == "p") message_.px = number(value);
    if (key_ == "q") message_.qty = number(value);
    return true;
  }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override {
    if (objects_ == 1 && arrays_ == 0 && key_ == "data") is_wrapped_ = true;
    ++objects_;
    return true;
  }
  bool key(string_t& value) override {
    if (arrays_ == 0) key_ = value;
    return true;
  }
  bool end_object() override {
    --objects_;
    return true;
  }

  bool start_array(std::size_t) override {
    if (is_field()) {
      levels_ = key_ == "b" || key_ == "bids" ? &message_.bids : key_ == "a" || key_ == "asks" ? &message_.asks : nullptr;
      message_.has_levels |= levels_ != nullptr;
    }
    ++arrays_;
    parts_ = 0;
    return true;
  }
  bool end_array() override {
    if (levels_ != nullptr && arrays_ == 2 && parts_ < 2) message_.fault = "a level has no price and quantity";
    --arrays_;
    if (arrays_ == 0) levels_ = nullptr;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string_view said = error.what();
    message_.fault = "broken JSON at byte " + std::to_string(position) + " of the message (" +
                     std::string{said.substr(std::min(said.rfind(": ") + 2, said.size())).substr(0, 120)} + ")";
    return false;
  }

 private:
  bool is_field() const noexcept { return arrays_ == 0 && (objects_ == 1 || (objects_ == 2 && is_wrapped_)); }

  bool whole(std::int64_t value) {
    if (!is_field()) return true;
    if (key_ == "T") message_.transaction_ms = value;
    if (key_ == "E") message_.event_ms = value;
    return true;
  }

  bool level_part(const std::string& text) {
    const double value = number(text);
    if (parts_ == 0) levels_->push_back({.px = value});
    if (parts_ == 1) levels_->back().qty = value;
    ++parts_;
    return true;
  }

  double number(const std::string& text) {
    const std::optional<double> value = number_of(text);
    if (!value) message_.fault = "\"" + text.substr(0, 40) + "\" is not a number";
    return value.value_or(0);
  }

  Message& message_;
  std::string key_;
  int objects_{0};
  int arrays_{0};
  int parts_{0};
  bool is_wrapped_{false};
  std::vector<Level>* levels_{nullptr};
};

[[noreturn]] void refuse(const std::string& fault) {
  throw LineFault{fault + "; leave the line out or record the file again"};
}

std::int64_t exchange_time(std::optional<std::int64_t> milli) {
  if (!milli) refuse("the message has no exchange time (T, or E)");
  if (*milli < 0 || *milli > latest_milli) refuse("the exchange time " + std::to_string(*milli) + " is no time in milliseconds since 1970");
  return *milli * nanos_a_milli;
}

}  // namespace

struct BinanceMessages::State {
  void add_trade(std::int64_t local, std::vector<EventRecord>& records) {
    if (message.execution && *message.execution != "MARKET") return;
    const std::int64_t exch = exchange_time(message.transaction_ms);
    if (!message.px || !message.qty || !message.buyer_is_maker) refuse("the trade has no price, quantity or side (p, q and m)");
    newest_exch = std::max(newest_exch.value_or(exch), exch);
    const std::uint64_t side = *message.buyer_is_maker ? EventRecordFlags::sell : EventRecordFlags::buy;
    records.push_back({.ev = both_clocks | side | trade_code, .exch_ts = exch, .local_ts = local, .px = *message.px, .qty = *message.qty});
  }

  void add_depth(std::int64_t local, std::vector<EventRecord>& records) {
    const std::int64_t exch = exchange_time(message.transaction_ms ? message.transaction_ms : message.event_ms);
    newest_exch = std::max(newest_exch.value_or(exch), exch);
    add_levels(message.bids, EventRecordFlags::buy | depth_code, exch, local, records);
    add_levels(message.asks, EventRecordFlags::sell | depth_code, exch, local, records);
  }

  void add_snapshot(std::int64_t local, std::vector<EventRecord>& records) {
    const std::optional<std::int64_t> milli = message.transaction_ms ? message.transaction_ms : message.event_ms;
    if (!milli && !newest_exch) refuse("the book has no exchange time (T, or E), and no message above it has one");
    const std::int64_t exch = milli ? exchange_time(milli) : *newest_exch;
    newest_exch = std::max(newest_exch.value_or(exch), exch);
    for (const auto& [levels, side] : {std::pair{&message.bids, EventRecordFlags::buy}, std::pair{&message.asks, EventRecordFlags::sell}}) {
      if (levels->empty()) continue;
      records.push_back({.ev = both_clocks | side | clear_code, .exch_ts = exch, .local_ts = local, .px = levels->back().px});
      add_levels(*levels, side | snapshot_code, exch, local, records);
    }
  }

  static void add_levels(const std::vector<Level>& levels, std::uint64_t side_and_kind, std::int64_t exch, std::int64_t local,
                         std::vector<EventRecord>& records) {
    for (const Level& level : levels) {
      records.push_back({.ev = both_clocks | side_and_kind, .exch_ts = exch, .local_ts = local, .px = level.px, .qty = level.qty});
    }
  }

  Message message;
  std::optional<std::int64_t> newest_exch;
};

BinanceMessages::BinanceMessages() : state_{std::make_unique<State>()} {}
BinanceMessages::~BinanceMessages() = default;
BinanceMessages::BinanceMessages(BinanceMessages&&) noexcept = default;
BinanceMessages& BinanceMessages::operator=(BinanceMessages&&) noexcept = default;

void BinanceMessages::read(std::string_view line, std::vector<EventRecord>& records) {
  std::int64_t local = 0;
  const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), local);
  if (fault != std::errc{} || end - line.data() != 19 || !line.substr(19).starts_with(' '))
    refuse("the line does not begin with a receipt time of 19 digits, in nanoseconds since 1970, and a blank");
  line.remove_prefix(20);
  Message& message = state_->message;
  message.clear();
  MessageReader reader{message};
  nlohmann::json::sax_parse(line.begin(), line.end(), &reader);
  if (!message.fault.empty()) refuse(message.fault);
  if (message.event == "trade") return state_->add_trade(local, records);
  if (message.event == "depthUpdate") return state_->add_depth(local, records);
  if (message.event.empty() && message.has_levels) state_->add_snapshot(local, records);
}

}  // namespace tailcost
