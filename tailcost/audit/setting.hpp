#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tailcost/audit/check.hpp"

namespace tailcost {

/// Whether a setting's text is good on this machine.
using Accept = std::function<bool(const std::string&, const Machine&)>;

Accept is_one_of(std::vector<std::string> words);
Accept is_at_most(std::int64_t most);  ///< Of the first number in the text; false where there is none.
Accept is_at_least(std::int64_t least);
Accept mask_leaves_out_audited();  ///< A mask, "ff", without any audited core.
Accept list_leaves_out_audited();  ///< A list, "0-3", without any audited core.
Accept list_holds_audited();       ///< A list with all audited cores.

enum class Concerns : std::uint8_t { both, spin, sleep };

/// A check of one file, or of one file for each audited core.
struct Setting {
  std::string id{};
  std::string area{};
  std::string title{};
  std::string why{};
  std::string file{};  ///< Below the root; "{cpu}" stands for each audited core.
  std::string want{};
  Accept good{};
  AuditVerdict otherwise{AuditVerdict::warning};
  std::string value{};  ///< To write; "{mask}" and "{list}" stand for the housekeeping cores, "{audited}" for the audited. Empty: cannot be
                        ///< written.
  std::string command{};
  std::string boot{};
  Concerns concerns{Concerns::both};
};

/// "[chosen]" of "always [chosen] never" is what counts; a missing file is not applicable, an unreadable one cannot be told.
Check check_of(Setting setting);

/// `text` with every `what` replaced.
std::string replaced(std::string text, std::string_view what, std::string_view with);

}  // namespace tailcost
