// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tools/sweep/point_result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace ndsim::sweep {

// SqliteFile: the results of a sweep as tables for SQL queries: points, settings, metrics, limits, ledgers. It is
// written under another name and renamed when complete. The same points make the same bytes.
class SqliteFile {
public:
    explicit SqliteFile(const std::string& path);  // cli::OutputError, as from the other functions
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;
    ~SqliteFile();

    void add(std::size_t point, const std::vector<std::pair<std::string, std::string>>& settings,
             const PointResult& point_result);
    void finish();

private:
    class Insert;
    void execute(const char* sql);
    [[nodiscard]] sqlite3_stmt* prepare(const char* sql);
    [[noreturn]] void fail() const;

    std::string path_;
    std::string part_;
    sqlite3* database_ = nullptr;
    std::vector<sqlite3_stmt*> inserts_;
};

}  // namespace ndsim::sweep
