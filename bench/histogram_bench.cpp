// histogram_bench [COUNT]: what LatencyHistogram promises, on COUNT (10^7) random values spread evenly in their logarithm over 1 ns .. 1 h,
// more than twelve decades. Prints one JSON line: nanoseconds a record (least of 20 rounds over values in the cache, beside adding the same
// values up, and once over all values), the largest relative error of 20 001 quantiles against the sorted values, and whether merging eight
// parts gives the same histogram in any grouping.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tailcost/core/random.hpp"
#include "tailcost/stats/latency_histogram.hpp"

namespace tailcost {
namespace {

std::vector<std::int64_t> wide_values(std::size_t count) {
  RandomSequence random{5, Purpose::test};
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values) value = static_cast<std::int64_t>(std::pow(3.6e12, unit_interval(random.next())));
  return values;
}

template <class Work>
double nanos_each(std::size_t count, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / static_cast<double>(count);
}

template <class Work>
double least_of_20(std::size_t count, Work work) {
  double least = nanos_each(count, work);
  for (int round = 1; round < 20; ++round) least = std::min(least, nanos_each(count, work));
  return least;
}

double largest_error(const LatencyHistogram& histogram, std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  double largest = 0;
  for (int step = 0; step <= 20'000; ++step) {
    const Quantile q{step / 20'000.0};
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(nearest_rank(q, histogram.count()) - 1)]);
    largest = std::max(largest, std::abs(static_cast<double>(histogram.quantile(q).count()) - exact) / exact);
  }
  return largest;
}

bool merges_in_any_grouping(const LatencyHistogram& whole, const std::vector<std::int64_t>& values) {
  constexpr std::size_t parts = 8;
  std::vector<LatencyHistogram> part(parts);
  for (std::size_t each = 0; each < values.size(); ++each) part[each % parts].record(Nanos{values[each]});
  LatencyHistogram left;
  for (const LatencyHistogram& each : part) left.merge(each);
  LatencyHistogram right;
  for (auto each = part.rbegin(); each != part.rend(); ++each) {
    LatencyHistogram sum = *each;
    sum.merge(right);
    right = sum;
  }
  return left == whole && right == whole;
}

int run(std::size_t count) {
  const std::vector<std::int64_t> values = wide_values(count);
  LatencyHistogram histogram;
  const double once = nanos_each(count, [&] {
    for (const std::int64_t value : values) histogram.record(Nanos{value});
  });
  const std::size_t cached = std::min<std::size_t>(count, 2'000);
  LatencyHistogram again;
  const double record = least_of_20(cached, [&] {
    for (std::size_t each = 0; each < cached; ++each) again.record(Nanos{values[each]});
  });
  std::int64_t sum = 0;
  const double add = least_of_20(cached, [&] {
    for (std::size_t each = 0; each < cached; ++each) {
      sum += values[each];
      asm volatile("" : "+r"(sum));
    }
  });
  std::printf(
      "{\"values\": %zu, \"record_ns\": %.2f, \"record_all_ns\": %.2f, \"add_ns\": %.2f, \"largest_relative_error\": %.6f, \"bound\": "
      "%.6f, "
      "\"merges_in_any_grouping\": %s, \"checksum\": %lld}\n",
      count, record, once, add, largest_error(histogram, values), 1.0 / 256, merges_in_any_grouping(histogram, values) ? "true" : "false",
      static_cast<long long>(sum + again.count()));
  return 0;
}

}  // namespace
}  // namespace tailcost

int main(int argc, char** argv) {
  const long long count = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  if (count < 1 || count > 1'000'000'000) {
    std::fputs("histogram_bench: the count must be from 1 to 1000000000\n", stderr);
    return 2;
  }
  return tailcost::run(static_cast<std::size_t>(count));
}
