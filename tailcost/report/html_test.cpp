#include <doctest/doctest.h>

#include <regex>
#include <set>

#include "tailcost/report/report.hpp"

using namespace tailcost;

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

PricingResult pricing(const char* machine) {
  PricingResult result;
  result.block = Nanos{60'000'000'000};
  result.day = Nanos{86'400'000'000'000};
  PricedDifference difference;
  difference.strategy = "grid";
  difference.machine = machine;
  difference.baseline = "A";
  difference.currency = "USD";
  difference.difference = -12;
  difference.low = -19;
  difference.high = -5;
  difference.confidence = 0.95;
  difference.blocks = 60;
  difference.minimum_detectable = 9.8;
  difference.verdict = Verdict::worse;
  result.comparisons = {difference};
  MachineFacts facts;
  facts.name = machine;
  facts.reaction = {{0.5, Nanos{100}}, {1, Nanos{1000}}};
  result.machines = {facts};
  result.earned = {{.strategy = "grid", .machine = machine, .currency = "USD", .pnl = 1, .trades = 2, .volume = 3, .reaction = {}}};
  result.cannot_claim = {std::string{"Live money of "} + machine};
  return result;
}

std::string page(const char* name) {
  LatencyProfile control = profile_with_periodic_stall(name, Nanos{5'000'000}, Nanos{100'000'000}, Nanos{10'000'000'000});
  control.cannot = {std::string{"could not see "} + name};
  return to_html({.title = name, .profiles = {control}, .pricings = {pricing(name), pricing(name)}});
}

}  // namespace

TEST_CASE("the page is one file: no script, and nothing from outside") {
  const std::string html = page("host");
  CHECK(html.starts_with("<!DOCTYPE html>"));
  for (const char* part : {"<script", "http:", "https:", "src=", "href=", "@import", "url("}) CHECK_FALSE(has(html, part));
  CHECK(has(html, "prefers-color-scheme:dark"));
  CHECK(has(html, "width=device-width"));
}

TEST_CASE("names are data, wherever they stand") {
  const std::string html = page("<img src=x onerror=alert(1)> \"quoted\" & more");
  CHECK_FALSE(has(html, "<img"));
  CHECK_FALSE(has(html, "\"quoted\""));
  CHECK(has(html, "&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; more"));
}

TEST_CASE("each picture has a title of its own id") {
  const std::string html = page("host");
  std::set<std::string> ids;
  const std::regex id{" id=\"([^\"]+)\""};
  for (std::sregex_iterator at{html.begin(), html.end(), id}; at != std::sregex_iterator{}; ++at) CHECK(ids.insert((*at)[1]).second);
  CHECK(ids.contains("pricing-0-cost-0-t"));
  CHECK(ids.contains("profile-0-0-spin-t"));
}

TEST_CASE("elements are closed in the order in which they were opened") {
  const std::string html = page("host");
  const std::regex tag{"<(/?)([a-z][a-z0-9]*)([^>]*)>"};
  const std::set<std::string> alone = {"meta", "br"};
  std::vector<std::string> open;
  for (std::sregex_iterator at{html.begin(), html.end(), tag}; at != std::sregex_iterator{}; ++at) {
    const std::string name = (*at)[2];
    if (alone.contains(name) || (*at)[3].str().ends_with("/")) continue;
    if ((*at)[1].length() == 0) {
      open.push_back(name);
      continue;
    }
    REQUIRE_FALSE(open.empty());
    CHECK(open.back() == name);
    open.pop_back();
  }
  CHECK(open.empty());
}

TEST_CASE("an empty report is a page that says what to do") {
  CHECK(has(to_html({.title = "t", .profiles = {}, .pricings = {}}), "measure a machine"));
}
