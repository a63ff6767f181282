#include <fmt/format.h>

#include <algorithm>

#include "tailcost/report/findings.hpp"
#include "tailcost/report/forest_plot.hpp"
#include "tailcost/report/law_table.hpp"
#include "tailcost/report/markup.hpp"
#include "tailcost/report/page_style.hpp"
#include "tailcost/report/report.hpp"
#include "tailcost/report/tail_plot.hpp"
#include "tailcost/report/wording.hpp"

namespace tailcost {
namespace {

constexpr std::size_t open_cores = 2;  // the plots of further ones are folded

std::string element(const char* tag, const std::string& text, std::size_t most = 1000) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, escaped(text, most));
}

std::string note(const std::string& text) {
  return "<p class=\"note\">" + escaped(text, 1000) + "</p>\n";
}

std::string bullets(const std::vector<std::string>& sentences) {
  std::string out = "<ul>\n";
  for (const std::string& sentence : sentences) out += "<li>" + escaped(sentence, 600) + "</li>\n";
  return out + "</ul>\n";
}

/// `caption` is for those who do not see the plot above. Heads that begin with '<' stand to the left, as the words below them.
std::string table(const std::string& caption, const std::vector<std::string>& heads, const std::string& rows) {
  std::string out = "<div class=\"scroll\"><table aria-label=\"" + escaped(caption) + "\"><thead><tr>";
  for (const std::string& head : heads) {
    const bool left = head.starts_with('<');
    out += std::string{"<th scope=\"col\""} + (left ? " class=\"left\">" : ">") + escaped(left ? head.substr(1) : head) + "</th>";
  }
  return out + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string row_head(const std::string& name) {
  return "<tr><th scope=\"row\">" + escaped(name, 60) + "</th>";
}

std::string cell(const std::string& text, const char* look = "") {
  return *look == '\0' ? "<td>" + escaped(text) + "</td>" : fmt::format("<td class=\"{}\">{}</td>", look, escaped(text));
}

std::string law_table(const std::string& caption, const std::vector<LawRow>& rows, const char* first, const char* count) {
  std::vector<std::string> heads = {first, count};
  for (const double q : table_quantiles) heads.push_back(quantile_name(q));
  std::string body;
  for (const LawRow& row : rows) {
    body += row_head(row.name) + cell(row.count == 0 ? "-" : counted(row.count));
    for (const std::string& latency : row.latency) body += cell(latency, latency.starts_with("~") ? "uncertain-cell" : "");
    body += "</tr>\n";
  }
  return table(caption, heads, body) + (has_uncertain(rows) ? note(uncertain_legend) : "");
}

const char* look_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::better: return "left better";
    case Verdict::worse: return "left worse";
    case Verdict::no_difference_shown: return "left none";
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

std::vector<PricedDifference> differences_of(const PricingResult& result, const std::string& strategy) {
  std::vector<PricedDifference> rows;
  for (const PricedDifference& row : result.comparisons) {
    if (row.strategy == strategy) rows.push_back(row);
  }
  return rows;
}

std::string difference_table(const std::vector<PricedDifference>& rows, const std::string& caption) {
  std::string body;
  for (const PricedDifference& row : rows) {
    const int decimals = decimals_for(row);
    body += row_head(row.machine) + cell(signed_money(row.difference, decimals)) + cell(interval(row.low, row.high, decimals)) +
            cell(counted(row.blocks)) + cell(counted(row.blocks_different)) + cell(detectable(row)) +
            cell(std::string{name_of(row.verdict)}, look_of(row.verdict)) + "</tr>\n";
  }
  const std::string width = rows.empty() ? "interval" : fmt::format("{:g} % interval", 100 * rows.front().confidence);
  return table(caption, {"machine", "difference", width, "blocks", "differ", "minimum detectable", "<verdict"}, body);
}

std::string cost_of_strategy(const PricingResult& result, const std::string& strategy, const std::string& id) {
  const std::vector<PricedDifference> rows = differences_of(result, strategy);
  const std::string title = "What each machine costs the strategy " + shown(strategy, 60);
  std::string out = "<h3>Strategy " + escaped(strategy, 60) + "</h3>\n";
  out += to_svg(ForestPlot{.title = title, .id = id, .rows = rows, .day = day_name(result.day)}) + "\n" + difference_table(rows, title) +
         "<ul>\n";
  for (const PricedDifference& row : rows) out += "<li>" + escaped(finding(row, result.day), 600) + "</li>\n";
  return out + "</ul>\n";
}

std::string costs(const PricingResult& result, const std::string& id) {
  std::string out = element("h2", "What it costs");
  if (result.comparisons.empty()) return out + note("Nothing was compared.");
  const PricedDifference& first = result.comparisons.front();
  out +=
      note(fmt::format("{} a {}, each machine minus \"{}\" on the same market. Bars are {:g} % intervals from {} paired blocks of {}; "
                       "inside the grey band an effect would "
                       "probably be missed.",
                       shown(first.currency, 20), day_name(result.day), shown(first.baseline, 60), 100 * first.confidence,
                       counted(first.blocks), format_duration(result.block)));
  std::size_t number = 0;
  for (const std::string& strategy : strategies_of(result))
    out += cost_of_strategy(result, strategy, fmt::format("{}-cost-{}", id, number++));
  return out + note(multiplicity_note(result));
}

std::string machines(const PricingResult& result, const std::string& id) {
  const std::string title = "How late the machines are";
  std::vector<LawRow> rows;
  for (const MachineFacts& machine : result.machines) rows.push_back(law_row(machine));
  std::string out =
      element("h2", title) +
      note(
          "Reaction to a message at a random instant: how often it is later than a given delay. Dashed and faint: fewer than ten samples.");
  out += to_svg(tail_plot(result, title, id + "-machines")) + "\n" + law_table(title, rows, "machine", "samples") + "<ul>\n";
  for (const MachineFacts& machine : result.machines) {
    out += "<li><strong>" + escaped(machine.name, 60) + "</strong> (" + escaped(machine.label, 40) +
           "): " + escaped(machine.description, 300) + "</li>\n";
  }
  return out + "</ul>\n";
}

std::string earned(const PricingResult& result) {
  std::string body;
  for (const Earned& row : result.earned) {
    body += row_head(row.strategy) + cell(shown(row.machine, 60), "left") +
            cell(money(row.pnl, decimals_for(std::abs(row.pnl))) + " " + shown(row.currency, 20)) + cell(counted(row.trades)) +
            cell(format_duration(row.reaction.p50)) + cell(format_duration(row.reaction.p99)) + cell(format_duration(row.reaction.p99_9)) +
            cell(format_duration(row.reaction.max)) + "</tr>\n";
  }
  return element("h2", "What was earned") +
         note("Amounts a " + day_name(result.day) + ", and the reaction times that the lanes really met.") +
         table("What was earned", {"strategy", "<machine", "earned", "trades", "met p50", "p99", "p99.9", "max"}, body);
}

std::string pricing_sections(const PricingResult& result, const std::string& id) {
  std::string out = costs(result, id) + machines(result, id) + earned(result) + element("h2", "What this does and does not say");
  out += "<div class=\"pair\"><div>" + element("h3", "Held fixed") + bullets(result.held_fixed) + "</div><div>";
  return out + element("h3", "Cannot be claimed") + bullets(result.cannot_claim) + "</div></div>\n";
}

std::string probe_section(const LatencyProfile& profile, std::int64_t cpu, const ProbeResult& probe, const std::string& id, bool open) {
  const std::string name = fmt::format(
      "Core {}, {}", cpu, probe.source.empty() ? std::string{probe.probe == Probe::wakeup ? "wake-up" : "spin"} : probe_title(probe));
  const std::string title = shown(profile.name, 60) + ": " + name;
  std::string out = open ? element("h3", name) : "<details><summary>" + escaped(name) + "</summary>\n";
  std::string seen = "Method: " + method_sentence(probe) + ". " + missed_sentence(probe) + ".";
  for (const std::string& sentence : {perturbation_sentence(probe), speed_sentence(probe)}) {
    if (!sentence.empty()) seen += " " + sentence + ".";
  }
  out += note(seen);
  out += to_svg(tail_plot(probe, title, id)) + "\n" + law_table(title, law_rows(probe), "law", "count");
  return out + (open ? "" : "</details>\n");
}

std::string pairs_section(const LatencyProfile& profile) {
  if (profile.pairs.empty()) return {};
  std::string body;
  for (const PairRow& row : pair_rows(profile)) {
    body += row_head(row[0]) + cell(row[1], "left");
    for (std::size_t column = 2; column < row.size(); ++column) body += cell(row[column]);
    body += "</tr>\n";
  }
  return element("h3", "Between two cores") +
         table("Between two cores", {"cores", "<way", "bytes", "times", "p50", "p90", "p99", "p99.9", "max"}, body) +
         bullets(pair_sentences(profile));
}

std::string profile_section(const LatencyProfile& profile, const std::string& id) {
  std::string out = "<h2>" + escaped(profile.name, 60) +
                    (profile.label.empty() ? "" : " <span class=\"none\">" + escaped(profile.label, 40) + "</span>") + "</h2>\n";
  out += element("p", headline(profile));
  if (profile.cores.empty() && profile.pairs.empty()) {
    MachineFacts facts;
    facts.name = profile.name;
    facts.reaction = profile.published;
    out += law_table("Published quantiles", {law_row(facts)}, "machine", "samples");
  } else {
    out += "<p class=\"facts\">Host: " + escaped(host_sentence(profile.host), 400) +
           ".<br>Clock: " + escaped(clock_sentence(profile.host.clock), 400) + ".";
    if (!profile.cores.empty())
      out +=
          "<br>Laws: <em>events</em>, one number for each wake-up or gap that happened; <em>deadlines</em>, each deadline counts, missed "
          "ones "
          "too; <em>arrivals</em>, what a "
          "message at a random instant meets.";
    out += "</p>\n";
  }
  for (std::size_t core = 0; core < profile.cores.size(); ++core) {
    for (const ProbeResult& probe : profile.cores[core].probes) {
      out += probe_section(profile, profile.cores[core].cpu, probe, fmt::format("{}-{}-{}", id, core, name_of(probe.probe)),
                           core < open_cores);
    }
  }
  out += pairs_section(profile);
  std::vector<std::string> signs;
  for (const Sign& sign : profile.signs) signs.push_back(sign_sentence(sign));
  if (!signs.empty()) out += element("h3", "Signs of causes") + bullets(signs);
  if (!profile.verdict.empty()) out += element("h3", "Verdict") + bullets(profile.verdict);
  if (!profile.advice.empty()) out += element("h3", "Advice") + bullets(profile.advice);
  if (!profile.cannot.empty()) out += element("h3", "What this run could not do") + bullets(profile.cannot);
  return out;
}

std::string origin(const PricingResult& result) {
  std::string text = fmt::format("Pricing of {} simulated, {} rows, seed {}; code {}; spec {}; data", format_duration(result.simulated),
                                 counted(result.rows), result.seed, shown(result.code_version, 60), shown(result.spec_digest, 64));
  for (const std::string& fingerprint : result.data_fingerprints) text += " " + shown(fingerprint.substr(0, 16), 16);
  return element("p", text + ".", 4000);
}

}  // namespace

std::string to_html(const ReportContent& content) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n";
  out += element("title", content.title, 200) + "<style>" + page_style + "</style>\n</head>\n<body>\n";
  out += "<header>\n<p class=\"brand\">Tailcost report</p>\n" + element("h1", content.title, 200) + "<p class=\"lead\">" +
         escaped(headline(content), 600) + "</p>\n</header>\n<main>\n";
  for (std::size_t i = 0; i < content.pricings.size(); ++i) out += pricing_sections(content.pricings[i], fmt::format("pricing-{}", i));
  for (std::size_t i = 0; i < content.profiles.size(); ++i) out += profile_section(content.profiles[i], fmt::format("profile-{}", i));
  out += "</main>\n<footer>\n";
  for (const PricingResult& result : content.pricings) out += origin(result);
  return out + "</footer>\n</body>\n</html>\n";
}

}  // namespace tailcost
