#include "tailcost/market/npz_rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tailcost/core/error.hpp"

namespace tailcost {

NpzRows::NpzRows(const std::filesystem::path& path, std::span<const NpyField> fields, std::size_t row_bytes)
    : file_{path}, what_{path.string()}, row_bytes_{row_bytes} {
  if (path.extension() == ".npz") {
    open_member();
  } else if (path.extension() != ".npy") {
    throw Error{what_ + ": neither .npz nor .npy; give a file of records that ends so"};
  }
  read_header(fields);
}

std::size_t NpzRows::read(std::span<std::byte> out) {
  const std::size_t rows = std::min(static_cast<std::size_t>(left_), out.size() / row_bytes_);
  const std::span<std::byte> due = out.first(rows * row_bytes_);
  if (take(due) != due.size()) refuse("holds fewer rows than its header says");
  left_ -= static_cast<std::int64_t>(rows);
  std::byte more{};
  if (left_ == 0 && take({&more, 1}) != 0) refuse("holds more bytes than its header says");
  return rows;
}

void NpzRows::open_member() {
  const std::vector<ZipMember> members = read_zip_directory(file_.bytes(), what_);
  const auto is_data = [](const ZipMember& member) { return member.name == "data.npy"; };
  const auto found = std::ranges::find_if(members, is_data);
  if (found == members.end()) {
    std::string names;
    for (const ZipMember& member : members) {
      if (names.size() < 200) names += (names.empty() ? "" : ", ") + member.name.substr(0, 40);
    }
    refuse("has no member data.npy, only " + (names.empty() ? "nothing" : names));
  }
  if (std::find_if(found + 1, members.end(), is_data) != members.end()) refuse("has two members data.npy");
  member_.emplace(file_.bytes(), *found, what_);
}

void NpzRows::read_header(std::span<const NpyField> fields) {
  std::vector<std::byte> header(npy_prefix_size);
  header.resize(take(header));
  const std::size_t size = npy_header_size(header, what_);
  const std::size_t begun = header.size();
  header.resize(std::max(size, begun));
  if (begun + take(std::span{header}.subspan(begun)) != header.size()) refuse("is cut short inside the .npy header");
  left_ = npy_rows(parse_npy_header(header, what_), fields, what_);
}

std::size_t NpzRows::take(std::span<std::byte> out) {
  if (member_) return member_->read(out);
  const std::size_t size = std::min(out.size(), file_.bytes().size() - position_);
  if (size > 0) std::memcpy(out.data(), file_.bytes().data() + position_, size);
  position_ += size;
  return size;
}

void NpzRows::refuse(const std::string& fault) const {
  throw Error{what_ + ": " + fault + "; download or write the file again"};
}

}  // namespace tailcost
