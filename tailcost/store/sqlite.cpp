#include "tailcost/store/sqlite.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

std::string sentence(const std::filesystem::path& file, int code, const std::string& said) {
  const std::string store = "the store " + file.string();
  switch (code & 0xff) {
    case SQLITE_NOTADB: return store + " is not an SQLite file; name another file, or move this one away and a new store is made";
    case SQLITE_CORRUPT: return store + " is damaged (" + said + "); restore it from a backup, or move it away and a new store is made";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return store + " is locked by another process; wait until that one ends and try again";
    case SQLITE_READONLY:
      return "cannot write to " + store + ": it is read-only; get write permission for the file and its folder, or name another file";
    case SQLITE_CANTOPEN: return "cannot open " + store + ": no permission, or not a file; check the path and the rights of its folder";
    case SQLITE_FULL: return "cannot write to " + store + ": no space left; free some and try again";
    case SQLITE_IOERR: return "cannot read or write " + store + ": the disk refused (" + said + "); check the disk and try again";
    case SQLITE_TOOBIG: return "cannot write to " + store + ": the value is larger than SQLite keeps (1 GB); make it smaller";
    default: return store + ": SQLite says \"" + said + "\"; if the file was edited by hand, move it away and a new store is made";
  }
}

}  // namespace

void SqliteConnection::Close::operator()(sqlite3* handle) const noexcept {
  sqlite3_close_v2(handle);
}

SqliteConnection::SqliteConnection(std::filesystem::path file, Nanos lock_wait) : file_{std::move(file)} {
  std::error_code ignored;  // opening says it better
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), ignored);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file_.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(lock_wait).count();
  sqlite3_busy_timeout(handle, static_cast<int>(std::clamp<std::int64_t>(milliseconds, 0, 3'600'000)));
}

void SqliteConnection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t SqliteConnection::number(const std::string& sql) const {
  SqliteStatement statement{*this, sql};
  const bool row = statement.step();
  TAILCOST_ASSERT(row);
  return statement.number(0);
}

void SqliteConnection::fail(int code) const {
  throw Error{sentence(file_, code, handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory")};
}

void SqliteStatement::Finalize::operator()(sqlite3_stmt* handle) const noexcept {
  sqlite3_finalize(handle);
}

SqliteStatement::SqliteStatement(const SqliteConnection& connection, std::string_view sql) : connection_{connection} {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(connection.handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) connection_.fail(code);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_.get(), parameter, value);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view value) {
  // A null pointer would bind NULL, which an empty view may hold.
  const char* text = value.empty() ? "" : value.data();
  const int code = sqlite3_bind_text64(handle_.get(), parameter, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

bool SqliteStatement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) connection_.fail(code);
  return code == SQLITE_ROW;
}

std::int64_t SqliteStatement::number(int column) const noexcept {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string SqliteStatement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(handle_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return bytes == nullptr ? std::string{} : std::string(reinterpret_cast<const char*>(bytes), size);
}

SqliteTransaction::SqliteTransaction(SqliteConnection& connection) : connection_{connection} {
  connection_.execute("BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction() {
  if (!open_) return;
  try {
    connection_.execute("ROLLBACK");
  } catch (const Error&) {
    // SQLite rolled back by itself, or does when the connection closes.
  }
}

void SqliteTransaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace tailcost
