#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tailcost/core/time.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tailcost {

/// One open SQLite file. Every refusal becomes an Error with one sentence: which file, what happened, what to do.
/// Threads: one at a time.
class SqliteConnection {
 public:
  /// Opens for reading and writing and makes the file, and missing folders, where there are none. Waits up to `lock_wait` for another
  /// process's lock.
  SqliteConnection(std::filesystem::path file, Nanos lock_wait);

  /// Statements that answer nothing.
  void execute(const std::string& sql);

  /// The first column of the first row. Requires that there is one.
  std::int64_t number(const std::string& sql) const;

  const std::filesystem::path& file() const noexcept { return file_; }

  /// Throws the sentence for what SQLite last said on this connection.
  [[noreturn]] void fail(int code) const;

 private:
  friend class SqliteStatement;
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One prepared statement: bind, then step through the rows. Columns count from 0, parameters from 1. Must not outlive its connection.
class SqliteStatement {
 public:
  SqliteStatement(const SqliteConnection& connection, std::string_view sql);

  SqliteStatement& bind(int parameter, std::int64_t value);
  SqliteStatement& bind(int parameter, std::string_view value);

  /// True while there is a row.
  bool step();

  std::int64_t number(int column) const noexcept;
  std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const noexcept;
  };
  const SqliteConnection& connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// Takes the write lock at once; rolls back unless committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  void commit();

 private:
  SqliteConnection& connection_;
  bool open_{true};
};

}  // namespace tailcost
