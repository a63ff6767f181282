#pragma once

namespace tailcost {

/// Says on standard error that something that was changed could not be put back, with the reason in `error` (an errno): for destructors.
void report_restore_failure(const char* what, int error) noexcept;

}  // namespace tailcost
