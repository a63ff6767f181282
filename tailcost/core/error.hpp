#pragma once

#include <stdexcept>
#include <string>

namespace tailcost {

/// The world refused: a file, a permission, a database, data that is not what it says.
/// The message is one sentence: what was tried and where, what happened, what to do. Exit code 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The question was wrong: a flag, a spec, a combination that makes no sense. Same message rule. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace tailcost
