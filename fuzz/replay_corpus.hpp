#pragma once

#include <cstddef>
#include <span>

namespace tailcost::testing {

/// Runs `body` over every file of fuzz/corpus/<name>, over no bytes at all, and over each file cut in half. Fails where the corpus is
/// empty.
void replay_corpus(const char* name, void (*body)(std::span<const std::byte>));

}  // namespace tailcost::testing
