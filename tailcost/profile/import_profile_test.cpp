#include "tailcost/profile/import_profile.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "tailcost/core/error.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;

namespace {

/// What MANIFEST.md states of a file, merged over what it is stated of.
struct Stated {
  std::string file;
  std::string source;
  std::string variant;
  std::int64_t count;          ///< 0 for published quantiles.
  std::vector<double> values;  ///< p50, p99, p99.9, p99.99, max, in units; negative where not stated.
  std::int64_t unit_ns{1};
  std::optional<std::int64_t> cpu{};
};

const std::vector<Quantile> stated_quantiles{0.5, 0.99, 0.999, 0.9999, 1.0};

const std::vector<Stated>& stated() {
  static const std::vector<Stated> all{
      {"ros_rpi_cyclictest/20.04_5.4.195-rt74-raspi.log", "cyclictest", "*", 143999676, {9, 36, 53, 72, 148}, 1000},
      {"ros_rpi_cyclictest/22.04_5.15.39-rt42-raspi.log", "cyclictest", "*", 143999673, {15, 19, 23, 29, 60}, 1000},
      {"ros_rpi_cyclictest/22.04_5.15.98-rt62-raspi.log", "cyclictest", "*", 143999499, {15, 20, 23, 27, 58}, 1000},
      {"ros_rpi_cyclictest/24.04_6.8.4-rt11-raspi_rpi3b.log", "cyclictest", "*", 143993825, {81, 144, 165, 186, 330}, 1000},
      {"ros_rpi_cyclictest/24.04_6.8.4-rt11-raspi_rpi4.log", "cyclictest", "*", 143999466, {20, 26, 29, 34, 82}, 1000},
      {"ros_rpi_cyclictest/24.04_6.8.4-rt11-raspi_rpi5.log", "cyclictest", "*", 143999734, {3, 6, 7, 9, 34}, 1000},
      {"ennerf_jhiccup/jHiccup-2tags.hlog", "hdrhistogram", "*", 389676, {507904, 1458176, 1507328, 14221312, 17039360}},
      {"ennerf_jhiccup/jHiccup-osx.hlog", "hdrhistogram", "", 155350, {180224, 212992, 311296, 983040, 2998272}},
      {"ennerf_jhiccup/jHiccup-win.hlog", "hdrhistogram", "", 234326, {507904, 1458176, 3194880, 15204352, 17039360}},
      {"hdrhistogram_c/hiccup.140623.1028.10646.hlog", "hdrhistogram", "", 51715, {32768, 65536, 98304, 147456, 3112960}},
      {"hdrhistogram_c/jHiccup-2.0.1.logV0.hlog", "hdrhistogram", "", 61256, {376832, 1098907648, 1509949440, 1568669696, 1568669696}},
      {"hdrhistogram_c/jHiccup-2.0.6.logV1.hlog", "hdrhistogram", "", 65964, {376832, 1233125376, 1828716544, 1887436800, 1887436800}},
      {"hdrhistogram_c/jHiccup-2.0.7S.logV2.hlog", "hdrhistogram", "", 48761, {327680, 1426063360, 1744830464, 1795162112, 1795162112}},
      {"hdrhistogram_c/jHiccup-2.0.7S.logV3.hlog", "hdrhistogram", "*", 48761, {327680, 1426063360, 1744830464, 1795162112, 1795162112}},
      {"hdrhistogram_java/jHiccup-2.0.1.logV0.hlog", "hdrhistogram", "", 61256, {376832, 1098907648, 1509949440, 1568669696, 1568669696}},
      {"hdrhistogram_java/jHiccup-2.0.6.logV1.hlog", "hdrhistogram", "", 65964, {376832, 1233125376, 1828716544, 1887436800, 1887436800}},
      {"hdrhistogram_java/jHiccup-2.0.7S.logV2.hlog", "hdrhistogram", "", 48761, {327680, 1426063360, 1744830464, 1795162112, 1795162112}},
      {"hdrhistogram_java/tagged-Log.logV2.hlog", "hdrhistogram", "*", 32290, {344064, 1384120320, 1535115264, 1543503872, 1543503872}},
      {"hdrhistogram_java/ycsb.logV1.hlog", "hdrhistogram", "", 300056, {373, 130496, 1213440, 1448960, 1545216}, 1000},
      {"hdrhistogram_java/example1.txt", "hdrhistogram", "", 475109, {11.167, 206.207, 1260.543, -1, 9428.991}, 1000},
      {"hdrhistogram_java/example2.txt", "hdrhistogram", "", 1104769, {1418.239, 1511.423, 1511.423, -1, 1511.423}, 1000},
      {"hdrhistogram_java/example3.txt", "hdrhistogram", "", 1091324, {30.447, 5881.855, 8073.215, -1, 9428.991}, 1000},
      {"osjitter_atom_c3758/osjitter-atom-C3758-half-hz.txt", "osjitter", "", 0, {3482, 4648, 36907, -1, 3929568}, 1, 0},
      {"osjitter_atom_c3758/osjitter-atom-C3758-half-hz.txt", "osjitter", "", 0, {2642, 4880, 11532, -1, 4537616}, 1, 4},
      {"osjitter_atom_c3758/osjitter-atom-C3758-hz.txt", "osjitter", "", 0, {2847, 69640, 190076, -1, 2848408}, 1, 3},
      {"osjitter_atom_c3758/pingpong-atom-C3758-half-hz.txt", "pingpong", "sem", 0, {4471, 5152, 8041, -1, 10298}, 1, 6},
      {"osjitter_atom_c3758/pingpong-atom-C3758-half-hz.txt", "pingpong", "futex", 0, {4263, 5024, 7660, -1, 9746}, 1, 5},
      {"osjitter_atom_c3758/pingpong-atom-C3758-write-early-enabled.txt", "pingpong", "spin.2", 0, {178, 185, 251, -1, 551}, 1, 6},
      {"osjitter_atom_c3758/pingpong-atom-C3758.txt", "pingpong", "pipe", 0, {6654, 8394, 12050, -1, 831490}, 1, 6},
      {"rtai/latencies-4.4.115-rtai-5.1-abbott-092-2018-06-14-polltscrel-isolcpus1-cpu1-idle-perfect",
       "rtai",
       "jitter",
       1998,
       {177, 668, 1713, -1, 792439}},
      {"rtai/latencies-4.4.115-rtai-5.1-mule-021-2018-06-14-polltscrel-isolcpus1-cpu1-idle-good",
       "rtai",
       "jitter",
       1998,
       {218, 702, 3532, -1, 4476}},
      {"rtai/latencies-horse-rtai-5.2-4.4.176-041-2019-06-18-poll-tscreliable-isolcpus1-cpu1-idle-good",
       "rtai",
       "jitter",
       1998,
       {120, 693, 1115, -1, 3680}},
      {"rtla_kernel_docs/rtla-timerlat-hist_alien.txt", "timerlat", "irq", 3000010, {0, 2, 6, 12, 24}, 1000},
      {"rtla_kernel_docs/rtla-timerlat-hist_alien.txt", "timerlat", "thread", 3000010, {6, 9, 13, 19, 58}, 1000},
      {"rtla_kernel_docs/rtla-osnoise-hist_f34.txt", "osnoise", "", 658773, {0, 10, 10, 30, 50}, 1000},
      {"rtla_kernel_docs/rtla-osnoise-top_f34.txt", "osnoise", "", 0, {-1, -1, -1, -1, 56}, 1000, 0},
      {"rtla_kernel_docs/rtla-hwnoise_8c16t.txt", "hwnoise", "", 0, {-1, -1, -1, -1, 4}, 1000, 4},
      {"rtla_kernel_docs/rtla-timerlat-top_24cpu.txt", "timerlat", "irq", 0, {-1, -1, -1, -1, 15}, 1000, 1},
      {"rtla_kernel_docs/rtla-timerlat-top_24cpu.txt", "timerlat", "thread", 0, {-1, -1, -1, -1, 31}, 1000, 1},
      {"chronicle_jlbh/results.txt", "jlbh", "1.run1", 0, {0.24, 1.23, 16.24, 23.90, 3952.64}, 1000, 0},
      {"chronicle_jlbh/results.txt", "jlbh", "2.run1", 0, {0.24, 0.65, 1.34, 2.12, 96.38}, 1000, 0}};
  return all;
}

std::optional<Nanos> unit_of(const std::string& file) {
  const bool leaves_it_open = file.find("example") != std::string::npos || file.find("ycsb") != std::string::npos;
  return leaves_it_open ? std::optional{Nanos{1000}} : std::nullopt;
}

LatencyProfile imported(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  return import_profile(text, path.filename().string(), {.unit = unit_of(path.filename().string())});
}

/// The results that a statement is about, as one.
ProbeResult merged(const LatencyProfile& profile, const Stated& about) {
  ProbeResult all;
  for (const CoreProfile& core : profile.cores) {
    if (about.cpu && core.cpu != *about.cpu) continue;
    for (const ProbeResult& result : core.probes) {
      if (result.source != about.source || (about.variant != "*" && result.variant != about.variant)) continue;
      all.events.merge(result.events);
      all.published = result.published;
      all.resolution = std::max(all.resolution, result.resolution);
    }
  }
  return all;
}

Nanos quantile(const ProbeResult& result, Quantile q) {
  if (result.published.empty()) return result.events.quantile(q);
  for (const PublishedQuantile& each : result.published) {
    if (each.q == q) return each.latency;
  }
  return Nanos{-1};
}

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> files;
  const auto folder = testing::shared_data("data/jitter");
  if (!folder) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{*folder}) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// A profile that reads back to itself, or a sentence: anything else fails the test or ends the process.
void import_or_refuse(std::string_view text, const std::filesystem::path& path) {
  try {
    const LatencyProfile profile = import_profile(text, "edited", {.unit = unit_of(path.filename().string())});
    const Json document = to_json(profile);
    CHECK(to_json(latency_profile_from_json(document, "written")) == document);
  } catch (const Error& error) {
    CHECK(std::string_view{error.what()}.size() > 20);
  }
}

}  // namespace

TEST_CASE("other tools' files import to the quantiles that were computed from them independently") {
  for (const Stated& about : stated()) {
    const auto path = testing::shared_data("data/jitter/" + about.file);
    if (!path) return;
    CAPTURE(about.file);
    CAPTURE(about.variant);
    const ProbeResult result = merged(imported(*path), about);
    REQUIRE((result.events.count() > 0 || !result.published.empty()));
    if (about.count > 0) CHECK(result.events.count() == about.count);
    for (std::size_t i = 0; i < about.values.size(); ++i) {
      if (about.values[i] < 0) continue;
      const double expected = about.values[i] * static_cast<double>(about.unit_ns);
      const double width = about.count == 0 ? 0.5 : std::max({static_cast<double>(result.resolution.count()), expected / 128, 1.0});
      CAPTURE(i);
      CHECK(std::abs(static_cast<double>(quantile(result, stated_quantiles[i]).count()) - expected) <= width);
    }
  }
}

TEST_CASE("every file but prose imports to a profile that its JSON gives back") {
  for (const std::filesystem::path& path : samples()) {
    CAPTURE(path.filename().string());
    const Json document = to_json(imported(path));
    CHECK(to_json(latency_profile_from_json(document, "written")) == document);
  }
}

TEST_CASE("prose is refused with a sentence that says what to do") {
  for (const char* file : {"data/jitter/osjitter_atom_c3758/README.md", "data/jitter/rt_latency_benchmark/readme.md",
                           "data/jitter/rt_latency_benchmark/results.md"}) {
    const auto path = testing::shared_data(file);
    if (!path) return;
    CHECK_THROWS_WITH_AS(imported(*path), doctest::Contains("the output of no tool that is known"), UsageError);
  }
}

TEST_CASE("a file cut anywhere imports or is refused, never more") {
  std::mt19937_64 random{1};
  for (const std::filesystem::path& path : samples()) {
    const std::string text = read_file(path);
    for (int cut = 0; cut < 20; ++cut) import_or_refuse(std::string_view{text}.substr(0, random() % text.size()), path);
    for (std::size_t length = 0; length < 200; ++length) import_or_refuse(std::string_view{text}.substr(0, length * 20), path);
  }
}

TEST_CASE("a file with other bytes in it imports or is refused, never more") {
  std::mt19937_64 random{2};
  for (const std::filesystem::path& path : samples()) {
    const std::string text = read_file(path).substr(0, 20'000);
    for (int round = 0; round < 100; ++round) {
      std::string edited = text;
      for (int edit = 0; edit < 3; ++edit)
        edited[random() % edited.size()] = static_cast<char>(random() % 3 == 0 ? random() : '0' + random() % 10);
      import_or_refuse(edited, path);
    }
  }
}
