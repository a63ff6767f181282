#include <fmt/format.h>

#include <algorithm>

#include "tailcost/report/findings.hpp"
#include "tailcost/report/law_table.hpp"
#include "tailcost/report/report.hpp"
#include "tailcost/report/text_table.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

std::string heading(const std::string& text, const TextStyle& style) {
  return "\n" + toned(text, Tone::strong, style.colour) + "\n";
}

std::string listed(const std::vector<std::string>& sentences, const TextStyle& style) {
  std::string out;
  for (const std::string& sentence : sentences) out += wrapped(shown(sentence, 700), style.width, "  - ");
  return out;
}

std::string indented(const std::string& lines) {
  std::string out = "  ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) out += "  ";
  }
  return out;
}

std::string law_table(const std::vector<LawRow>& rows, const char* first, const char* count, const TextStyle& style) {
  std::vector<std::string> heads = {first, count};
  for (const double q : table_quantiles) heads.push_back(quantile_name(q));
  TextTable table{heads};
  for (const LawRow& row : rows) {
    std::vector<TextTable::Cell> cells = {{shown(row.name)}, {row.count == 0 ? "-" : counted(row.count)}};
    for (const std::string& latency : row.latency) cells.push_back({latency, latency.starts_with("~") ? Tone::faint : Tone::plain});
    table.add(std::move(cells));
  }
  std::string out = indented(table.render(style.width - 2, style.colour));
  if (has_uncertain(rows)) out += toned(std::string{"  "} + uncertain_legend, Tone::faint, style.colour) + "\n";
  return out;
}

std::string probe_text(std::int64_t cpu, const ProbeResult& probe, const TextStyle& style) {
  std::string out = fmt::format("\ncore {} · {}\n", cpu, probe_title(probe));
  out += wrapped(method_sentence(probe), style.width, "  ");
  out += law_table(law_rows(probe), "law", "count", style);
  out += wrapped(missed_sentence(probe) + ".", style.width, "  ");
  for (const std::string& sentence : {perturbation_sentence(probe), speed_sentence(probe)}) {
    if (!sentence.empty()) out += wrapped(sentence + ".", style.width, "  ");
  }
  return out;
}

std::string pairs_text(const LatencyProfile& profile, const TextStyle& style) {
  if (profile.pairs.empty()) return {};
  TextTable table{{"cores", "way", "bytes", "times", "p50", "p90", "p99", "p99.9", "max"}};
  for (const PairRow& row : pair_rows(profile)) {
    std::vector<TextTable::Cell> cells;
    for (const std::string& text : row) cells.push_back({text});
    table.add(std::move(cells));
  }
  std::string out = heading("Between two cores", style) + indented(table.render(style.width - 2, style.colour));
  for (const std::string& sentence : pair_sentences(profile)) out += wrapped(sentence, style.width, "  - ");
  return out;
}

Tone tone_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::better: return Tone::good;
    case Verdict::worse: return Tone::bad;
    case Verdict::no_difference_shown: return Tone::faint;
  }
  __builtin_unreachable();
}

std::vector<std::string> strategies_of(const PricingResult& result) {
  std::vector<std::string> names;
  for (const Earned& earned : result.earned) {
    if (std::find(names.begin(), names.end(), earned.strategy) == names.end()) names.push_back(earned.strategy);
  }
  return names;
}

std::string difference_table(const PricingResult& result, const std::string& strategy, const TextStyle& style) {
  TextTable table{{"machine", "difference", "interval", "blocks", "verdict", "detectable"}, {4}};
  for (const PricedDifference& row : result.comparisons) {
    if (row.strategy != strategy) continue;
    const int decimals = decimals_for(row);
    table.add({{shown(row.machine)},
               {signed_money(row.difference, decimals)},
               {interval(row.low, row.high, decimals)},
               {counted(row.blocks)},
               {std::string{name_of(row.verdict)}, tone_of(row.verdict)},
               {detectable(row)}});
  }
  return indented(table.render(style.width - 2, style.colour));
}

std::string earned_table(const PricingResult& result, const std::string& strategy, const TextStyle& style) {
  TextTable table{{"machine", "earned", "trades", "met: p50", "p99", "p99.9", "max"}};
  for (const Earned& row : result.earned) {
    if (row.strategy != strategy) continue;
    table.add({{shown(row.machine)},
               {money(row.pnl, decimals_for(std::abs(row.pnl)))},
               {counted(row.trades)},
               {format_duration(row.reaction.p50)},
               {format_duration(row.reaction.p99)},
               {format_duration(row.reaction.p99_9)},
               {format_duration(row.reaction.max)}});
  }
  return indented(table.render(style.width - 2, style.colour));
}

std::string machines_text(const PricingResult& result, const TextStyle& style) {
  std::vector<LawRow> rows;
  for (const MachineFacts& machine : result.machines) rows.push_back(law_row(machine));
  std::string out = heading("How late the machines are", style) + wrapped("Reaction to a message at a random instant.", style.width);
  out += law_table(rows, "machine", "samples", style);
  for (const MachineFacts& machine : result.machines) {
    out +=
        wrapped(shown(machine.name, 60) + " (" + shown(machine.label, 40) + "): " + shown(machine.description, 300), style.width, "  - ");
  }
  return out;
}

std::string costs_text(const PricingResult& result, const TextStyle& style) {
  if (result.comparisons.empty()) return {};
  const PricedDifference& first = result.comparisons.front();
  std::string out = heading("What it costs", style);
  out += wrapped(fmt::format("{} a {}, machine minus \"{}\"; {:g} % intervals from {} paired blocks of {}. \"detectable\": the smallest "
                             "true difference that this many "
                             "blocks would show in 4 of 5 runs.",
                             shown(first.currency, 20), day_name(result.day), shown(first.baseline, 60), 100 * first.confidence,
                             counted(first.blocks), format_duration(result.block)),
                 style.width);
  for (const std::string& strategy : strategies_of(result)) {
    out += "\nstrategy " + shown(strategy, 60) + "\n" + difference_table(result, strategy, style);
    for (const PricedDifference& difference : result.comparisons) {
      if (difference.strategy == strategy) out += wrapped(finding(difference, result.day), style.width, "  - ");
    }
  }
  return out + "\n" + wrapped(multiplicity_note(result), style.width);
}

}  // namespace

std::string to_text(const LatencyProfile& profile, const TextStyle& style) {
  std::string out =
      heading("Profile " + shown(profile.name, 60) + (profile.label.empty() ? "" : " (" + shown(profile.label, 40) + ")"), style);
  out += wrapped(headline(profile), style.width);
  if (profile.cores.empty() && profile.pairs.empty()) {
    MachineFacts facts;
    facts.name = profile.name;
    facts.reaction = profile.published;
    out += law_table({law_row(facts)}, "machine", "samples", style);
  } else {
    out += wrapped(host_sentence(profile.host), style.width, "  host   ");
    out += wrapped(clock_sentence(profile.host.clock), style.width, "  clock  ");
    if (!profile.cores.empty())
      out += wrapped(
          "events: one number for each wake-up or gap that happened; deadlines: each deadline counts, missed ones too; arrivals: what a "
          "message at a random "
          "instant meets.",
          style.width, "  laws   ");
    for (const CoreProfile& core : profile.cores) {
      for (const ProbeResult& probe : core.probes) out += probe_text(core.cpu, probe, style);
    }
  }
  out += pairs_text(profile, style);
  std::vector<std::string> signs;
  for (const Sign& sign : profile.signs) signs.push_back(sign_sentence(sign));
  if (!signs.empty()) out += "\nSigns of causes\n" + listed(signs, style);
  if (!profile.verdict.empty()) out += "\nVerdict\n" + listed(profile.verdict, style);
  if (!profile.advice.empty()) out += "\nAdvice\n" + listed(profile.advice, style);
  if (!profile.cannot.empty()) out += "\nWhat this run could not do\n" + listed(profile.cannot, style);
  return out;
}

std::string to_text(const PricingResult& result, const TextStyle& style) {
  std::string out = costs_text(result, style) + machines_text(result, style);
  out += heading("What was earned", style) +
         wrapped("Amounts a " + day_name(result.day) + "; and the reaction times that the lanes really met.", style.width);
  for (const std::string& strategy : strategies_of(result)) {
    out += "\nstrategy " + shown(strategy, 60) + "\n" + earned_table(result, strategy, style);
  }
  out += heading("Held fixed", style) + listed(result.held_fixed, style);
  out += heading("What cannot be claimed", style) + listed(result.cannot_claim, style);
  out += "\n" +
         wrapped(fmt::format("{} simulated, {} rows, seed {}, code {}, spec {}.", format_duration(result.simulated), counted(result.rows),
                             result.seed, shown(result.code_version, 60), shown(result.spec_digest.substr(0, 12))),
                 style.width);
  return out;
}

std::string to_text(const ReportContent& content, const TextStyle& style) {
  std::string out = toned(shown(content.title, 100), Tone::strong, style.colour) + "\n" + wrapped(headline(content), style.width);
  for (const PricingResult& pricing : content.pricings) out += to_text(pricing, style);
  for (const LatencyProfile& profile : content.profiles) out += to_text(profile, style);
  return out;
}

}  // namespace tailcost
