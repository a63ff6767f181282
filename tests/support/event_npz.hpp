#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tailcost/market/event_record.hpp"
#include "tests/support/npz_bytes.hpp"

namespace tailcost::testing {

/// An .npz of the two-clock event layout.
inline std::string event_npz(const std::vector<EventRecord>& records) {
  const std::string_view rows{reinterpret_cast<const char*>(records.data()), records.size() * sizeof(EventRecord)};
  const std::string description =
      "{'descr': [('ev', '<u8'), ('exch_ts', '<i8'), ('local_ts', '<i8'), ('px', '<f8'), ('qty', '<f8'), ('order_id', '<u8'), "
      "('ival', '<i8'), ('fval', '<f8')], 'fortran_order': False, 'shape': (" +
      std::to_string(records.size()) + ",), }";
  return zip_bytes(std::vector<ZipBytesMember>{{"data.npy", npy_bytes(description, rows)}});
}

}  // namespace tailcost::testing
