#include "tailcost/market/binance_message.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace tailcost;

namespace {

constexpr std::uint64_t both = EventRecordFlags::exchange | EventRecordFlags::local;
constexpr std::uint64_t bid = both | EventRecordFlags::buy;
constexpr std::uint64_t ask = both | EventRecordFlags::sell;
constexpr std::int64_t received = 1'700'000'000'000'000'123;

std::vector<EventRecord> rows_of(const std::string& message, BinanceMessages messages = {}) {
  std::vector<EventRecord> records;
  messages.read(std::to_string(received) + " " + message, records);
  return records;
}

void is_row(const EventRecord& record, std::uint64_t ev, std::int64_t exch_ms, double px, double qty) {
  CHECK(record.ev == ev);
  CHECK(record.exch_ts == exch_ms * 1'000'000);
  CHECK(record.local_ts == received);
  CHECK(record.px == px);
  CHECK(record.qty == qty);
}

std::string fault_of(const std::string& line) {
  std::vector<EventRecord> records;
  try {
    BinanceMessages{}.read(line, records);
  } catch (const LineFault& fault) {
    CHECK(records.empty());
    return fault.what;
  }
  return "none";
}

void refused(const std::string& message, const char* part) {
  CHECK_MESSAGE(fault_of(std::to_string(received) + " " + message).find(part) != std::string::npos, message);
}

}  // namespace

TEST_CASE("a trade's side is the aggressor's, in a plain and in a combined stream") {
  const std::string trade = R"({"e":"trade","E":2,"T":1,"s":"BTCUSDT","t":9,"p":"61800.30","q":"0.006","X":"MARKET","m":false})";
  is_row(rows_of(trade).at(0), bid | 2, 1, 61800.3, 0.006);
  is_row(rows_of(R"({"stream":"btcusdt@trade","data":)" + trade + "}").at(0), bid | 2, 1, 61800.3, 0.006);
  is_row(rows_of(R"({"e":"trade","E":2,"T":1,"p":"5","q":"6","m":true,"M":true})").at(0), ask | 2, 1, 5, 6);
}

TEST_CASE("trades of the insurance fund, best quotes and other messages give no row") {
  CHECK(rows_of(R"({"e":"trade","T":1,"p":"5","q":"6","X":"INSURANCE_FUND","m":true})").empty());
  CHECK(rows_of(R"({"stream":"x","data":{"e":"bookTicker","u":1,"b":"61800.20","B":"2.5","a":"61800.30","A":"2.5","T":1}})").empty());
  CHECK(rows_of(R"({"u":1,"s":"BTCUSDT","b":"61800.20","B":"2.5","a":"61800.30","A":"2.5"})").empty());
  CHECK(rows_of(R"({"result":null,"id":1})").empty());
}

TEST_CASE("a depth update gives bids, then asks, at T, and at E where there is no T") {
  const auto rows = rows_of(R"({"data":{"e":"depthUpdate","E":8,"T":7,"a":[["11","3"]],"b":[["10","1"],["9","0"]]}})");
  REQUIRE(rows.size() == 3);
  is_row(rows[0], bid | 1, 7, 10, 1);
  is_row(rows[1], bid | 1, 7, 9, 0);
  is_row(rows[2], ask | 1, 7, 11, 3);
  is_row(rows_of(R"({"e":"depthUpdate","E":8,"b":[["10","1"]],"a":[]})").at(0), bid | 1, 8, 10, 1);
}

TEST_CASE("a REST book clears each side as far as it reaches and then gives its levels") {
  const auto rows = rows_of(R"({"lastUpdateId":1,"E":8,"T":7,"bids":[["10","1"],["9","2"]],"asks":[["11","3"],["12","4"]]})");
  REQUIRE(rows.size() == 6);
  is_row(rows[0], bid | 3, 7, 9, 0);
  is_row(rows[1], bid | 4, 7, 10, 1);
  is_row(rows[2], bid | 4, 7, 9, 2);
  is_row(rows[3], ask | 3, 7, 12, 0);
  is_row(rows[5], ask | 4, 7, 12, 4);
  CHECK(rows_of(R"({"lastUpdateId":1,"T":7,"bids":[],"asks":[["11","3"]]})").size() == 2);
}

TEST_CASE("a REST book without a time, as spot has it, takes the newest exchange time above it") {
  BinanceMessages messages;
  std::vector<EventRecord> records;
  messages.read(std::to_string(received) + R"( {"e":"depthUpdate","E":8,"b":[["10","1"]],"a":[]})", records);
  is_row(rows_of(R"({"lastUpdateId":1,"bids":[["10","1"]],"asks":[]})", std::move(messages)).at(1), bid | 4, 8, 10, 1);
  refused(R"({"lastUpdateId":1,"bids":[["10","1"]],"asks":[]})", "no exchange time (T, or E), and no message above it has one");
}

TEST_CASE("a line that is no message says what is wrong and gives no row") {
  CHECK(fault_of("").find("does not begin with a receipt time of 19 digits") != std::string::npos);
  CHECK(fault_of(R"({"e":"trade"})").find("receipt time") != std::string::npos);
  CHECK(fault_of("1700000000000123 {}").find("receipt time of 19 digits") != std::string::npos);
  refused(R"({"e":"trade","T":1,"p":"5")", "broken JSON at byte");
  refused("", "broken JSON");
  refused(R"({"e":"trade","p":"5","q":"6","m":true})", "no exchange time");
  refused(R"({"e":"trade","T":"1","p":"5","q":"6","m":true})", "no exchange time");
  refused(R"({"e":"trade","T":99999999999999999999,"p":"5","q":"6","m":true})", "no exchange time");
  refused(R"({"e":"trade","T":9999999999999,"p":"5","q":"6","m":true})", "is no time in milliseconds");
  refused(R"({"e":"trade","T":1,"q":"6","m":true})", "no price, quantity or side");
  refused(R"({"e":"depthUpdate","T":1,"b":[["1O","1"]],"a":[]})", "\"1O\" is not a number");
  refused(R"({"e":"depthUpdate","T":1,"b":[["10"]],"a":[]})", "a level has no price and quantity");
}
