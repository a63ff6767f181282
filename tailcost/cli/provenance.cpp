#include "tailcost/cli/provenance.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tailcost/core/version.hpp"

namespace tailcost::cli {
namespace {

/// A value on one short line.
std::string brief(const Json& value) {
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::string told(const std::string& pointer, const std::string& before, const std::string& now) {
  return "at " + (pointer.empty() ? "/" : pointer) + ": " + before + " in the result, " + now + " now";
}

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& pointer,
                                      const std::vector<std::string>& ignored);

std::optional<std::string> list_difference(const Json& before, const Json& now, const std::string& pointer,
                                           const std::vector<std::string>& ignored) {
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    if (auto found = difference(before[i], now[i], pointer + "/" + std::to_string(i), ignored)) return found;
  }
  if (before.size() == now.size()) return std::nullopt;
  return told(pointer, std::to_string(before.size()) + " entries", std::to_string(now.size()));
}

std::optional<std::string> object_difference(const Json& before, const Json& now, const std::string& pointer,
                                             const std::vector<std::string>& ignored) {
  const auto is_ignored = [&](const std::string& key) { return std::find(ignored.begin(), ignored.end(), key) != ignored.end(); };
  for (const auto& [key, value] : before.items()) {
    if (is_ignored(key)) continue;
    if (!now.contains(key)) return told(pointer + "/" + key, brief(value), "nothing");
    if (auto found = difference(value, now[key], pointer + "/" + key, ignored)) return found;
  }
  for (const auto& [key, value] : now.items()) {
    if (!is_ignored(key) && !before.contains(key)) return told(pointer + "/" + key, "nothing", brief(value));
  }
  return std::nullopt;
}

std::optional<std::string> difference(const Json& before, const Json& now, const std::string& pointer,
                                      const std::vector<std::string>& ignored) {
  if (before.is_object() && now.is_object()) return object_difference(before, now, pointer, ignored);
  if (before.is_array() && now.is_array()) return list_difference(before, now, pointer, ignored);
  if (before.dump() == now.dump()) return std::nullopt;
  return told(pointer, brief(before), brief(now));
}

}  // namespace

void add_provenance(Json& result, const Json& spec, const LoadedInputs& inputs, const std::filesystem::path& spec_folder,
                    const std::optional<std::filesystem::path>& output) {
  result["spec"] = spec;
  result["profiles"] = Json::object();
  for (const auto& [name, digest] : inputs.profile_digests()) result["profiles"][name] = digest;
  if (!output) return;
  const auto place = [](const std::filesystem::path& folder) { return std::filesystem::absolute("." / folder / "").lexically_normal(); };
  result["spec_folder"] = place(spec_folder).lexically_relative(place(output->parent_path())).generic_string();
}

std::vector<std::string> changes_since(const Json& result, const LoadedInputs& inputs) {
  std::vector<std::string> changes;
  const std::string code = result.value("code_version", std::string{});
  if (code != code_version()) changes.push_back("the result was made by " + code + ", this program is " + std::string{code_version()});
  const RunInputs opened = inputs.run_inputs();
  const Json fingerprints = result.value("data_fingerprints", Json::array());
  const Json names = result.at("spec").at("datasets");
  for (std::size_t i = 0; i < opened.datasets.size(); ++i) {
    if (i < fingerprints.size() && fingerprints[i] == opened.datasets[i]->facts().fingerprint) continue;
    changes.push_back("dataset " + brief(names[i]) + " has other rows");
  }
  const Json profiles = result.value("profiles", Json::object());
  for (const auto& [name, digest] : inputs.profile_digests()) {
    if (profiles.value(name, std::string{}) != digest) changes.push_back("profile " + name + " is another file");
  }
  return changes;
}

std::optional<std::string> first_difference(const Json& before, const Json& now, const std::vector<std::string>& ignored) {
  return difference(before, now, "", ignored);
}

}  // namespace tailcost::cli
