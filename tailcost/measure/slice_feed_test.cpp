#include "tailcost/measure/slice_feed.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace tailcost;

TEST_CASE("slices are seen in order and never change once seen") {
  constexpr std::int64_t slices = 20'000;
  SliceFeed feed;
  feed.reserve(slices);
  const std::jthread writer{[&feed] {
    for (std::int64_t each = 0; each < slices; ++each) feed.publish({.count = each, .max = Nanos{each}});
  }};
  std::size_t seen = 0;
  bool in_order = true;
  while (seen < slices) {
    const auto finished = feed.finished();
    for (; seen < finished.size(); ++seen)
      in_order = in_order && finished[seen].count == static_cast<std::int64_t>(seen) && finished[seen].max == Nanos{finished[seen].count};
  }
  CHECK(in_order);
  CHECK(feed.missed() == 0);
}

TEST_CASE("a slice without room is counted and changes nothing") {
  SliceFeed feed;
  feed.reserve(1);
  feed.publish({.count = 1});
  feed.publish({.count = 2});
  CHECK(feed.missed() == 1);
  CHECK(feed.finished().size() == 1);
  CHECK(feed.finished()[0].count == 1);
}
