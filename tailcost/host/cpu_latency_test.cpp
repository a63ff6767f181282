#include "tailcost/host/cpu_latency.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tailcost/core/json.hpp"

using namespace tailcost;

TEST_CASE("a request writes a zero latency and holds its file") {
  const auto device = std::filesystem::temp_directory_path() / ("tailcost_cpu_latency_test_" + std::to_string(getpid()));
  write_file(device, "");
  {
    const CpuLatencyRequest request{device};
    CHECK(request.refusal().empty());
    CHECK(read_file(device) == std::string(4, '\0'));
  }
  std::filesystem::remove(device);
}

TEST_CASE("a device that is not there is a sentence and no failure") {
  const CpuLatencyRequest request{"/nowhere/cpu_dma_latency"};
  CHECK(request.refusal() == "idle states could not be kept shallow: cannot write /nowhere/cpu_dma_latency: No such file or directory");
}
