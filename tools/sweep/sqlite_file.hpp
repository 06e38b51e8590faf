// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace ndsim::sweep {

// SqliteFile: the results of a sweep as tables, for questions in SQL: points, settings, metrics, limits, ledgers. It is
// written beside its place and moved there when it is whole. The same points make the same bytes.
class SqliteFile {
public:
    explicit SqliteFile(std::string path);  // cli::OutputError, also of the others
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;
    ~SqliteFile();

    void add(std::size_t point, const std::vector<std::pair<std::string, std::string>>& settings,
             const nlohmann::ordered_json& result);
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
