#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/market/event_record.hpp"

namespace tailcost {

/// What could not be made of a line; `what` is a sentence without a full stop that says what to do.
struct LineFault {
  std::string what;
};

/// Makes records of a collector's lines, `<local time in ns> <message>`, the messages being those of Binance's trade and depth streams
/// (USD-M, COIN-M and spot; plain or combined) and answers of its REST depth call.
///
///   trade         one trade, the aggressor's side; only market trades where the message says what it was (field X)
///   depthUpdate   one depth row a level, bids first
///   REST answer   clear to the last bid, the bids, clear to the last ask, the asks; at its T, else E, else the newest exchange time above
///   it
///
/// All other messages give no row. Records are seen by both clocks. Exchange times are T (of spot depth, which has none: E).
class BinanceMessages {
 public:
  BinanceMessages();
  ~BinanceMessages();
  BinanceMessages(BinanceMessages&&) noexcept;
  BinanceMessages& operator=(BinanceMessages&&) noexcept;

  /// Appends the records of one line to `records`. Throws LineFault and appends nothing for a line without a receipt time or with broken
  /// JSON, a message without a time, and prices or quantities that are not numbers.
  void read(std::string_view line, std::vector<EventRecord>& records);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tailcost
