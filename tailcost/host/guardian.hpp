#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "tailcost/host/undo_journal.hpp"

namespace tailcost {

/// A small process of its own session, with the normal policy, that does nothing but wait for the end of the one that made it. Where that
/// ends without the guard's end (killed, crashed, out of memory), it puts back at once what is noted of it, says so on standard error, and
/// ends. Make it before the first ChangedSetting, and before other threads.
class Guardian {
 public:
  /// It stays on `cpus`. Throws Error where no process can be made.
  explicit Guardian(const std::vector<std::int64_t>& cpus, UndoPlace place = {});

  /// Ends it. Where it had been killed meanwhile, that is said on standard error.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  pid_t process() const noexcept { return process_; }

 private:
  pid_t process_{-1};
  int line_{-1};  ///< Its other end sees when this process is gone.
};

}  // namespace tailcost
