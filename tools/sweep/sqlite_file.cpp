// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/sqlite_file.hpp"

#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "sim/files/whole_file.hpp"
#include "tools/cli/failure.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kTables = R"(
pragma journal_mode = off;
pragma synchronous = off;
begin;
create table points (point integer primary key, exit integer, outcome text, why text, completions integer,
                     expectations_met integer, expectations integer, dead_connections integer);
create table settings (point integer, path text, value text, primary key (point, path)) without rowid;
create table metrics (point integer, name text, value integer, unit text, primary key (point, name)) without rowid;
create table limits (point integer, rank integer, kind text, what text, share_ppm integer, binds integer,
                     parameter text, value text, source text, basis text, primary key (point, rank)) without rowid;
create table ledgers (point integer, host text, operation text, requests integer, account text, mean_ps integer,
                      primary key (point, host, operation, account)) without rowid;
)";
enum Table : std::size_t { kPoints, kSettings, kMetrics, kLimits, kLedgers };
constexpr std::array kInserts{"insert into points values (?, ?, ?, ?, ?, ?, ?, ?)",
                              "insert into settings values (?, ?, ?)", "insert into metrics values (?, ?, ?, ?)",
                              "insert into limits values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              "insert into ledgers values (?, ?, ?, ?, ?, ?)"};

const Json& list_in(const Json& result, const char* key) {
    static const Json kNone = Json::array();
    const auto found = result.find(key);
    return found == result.end() ? kNone : *found;
}

// SQLite cannot write a device or a pipe.
std::string file_at(const std::string& path) {
    if (std::optional<std::string> file = replaceable_file(path)) {
        return *std::move(file);
    }
    throw cli::OutputError(path + ": is not a regular file");
}

}  // namespace

// One row: its values are bound in turn, and inserted when it ends. Texts must live until then.
class SqliteFile::Insert {
public:
    Insert(SqliteFile& file, std::size_t table) : file_(file), row_(file.inserts_.at(table)) {}
    Insert(const Insert&) = delete;
    Insert& operator=(const Insert&) = delete;
    ~Insert() = default;

    Insert& operator<<(std::uint64_t value) {
        sqlite3_bind_int64(row_, ++bound_, static_cast<sqlite3_int64>(value));
        return *this;
    }
    Insert& operator<<(const std::string& text) {
        sqlite3_bind_text(row_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
        return *this;
    }
    Insert& operator<<(const Json& value) {
        return value.is_string() ? *this << value.get_ref<const std::string&>() : *this << value.get<std::uint64_t>();
    }
    void done() {
        if (sqlite3_step(row_) != SQLITE_DONE || sqlite3_reset(row_) != SQLITE_OK) {
            file_.fail();
        }
    }

private:
    SqliteFile& file_;
    sqlite3_stmt* row_;
    int bound_ = 0;
};

SqliteFile::SqliteFile(const std::string& path) : path_(file_at(path)), part_(path_ + ".part") {
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
    if (sqlite3_open(part_.c_str(), &database_) != SQLITE_OK) {
        fail();
    }
    execute(kTables);
    for (const char* const insert : kInserts) {
        inserts_.push_back(prepare(insert));
    }
}

SqliteFile::~SqliteFile() {
    for (sqlite3_stmt* const insert : inserts_) {
        sqlite3_finalize(insert);
    }
    if (database_ != nullptr) {
        sqlite3_close(database_);
        std::error_code ignored;
        std::filesystem::remove(part_, ignored);
    }
}

void SqliteFile::fail() const {
    throw cli::OutputError(path_ + ": " + (database_ == nullptr ? "not enough memory" : sqlite3_errmsg(database_)));
}

void SqliteFile::execute(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail();
    }
}

sqlite3_stmt* SqliteFile::prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr) != SQLITE_OK) {
        fail();
    }
    return statement;
}

void SqliteFile::add(std::size_t point, const std::vector<std::pair<std::string, std::string>>& settings,
                     const PointResult& point_result) {
    const Json& result = point_result.rest;
    const Json& expectations = list_in(result, "expectations");
    std::uint64_t met = 0;
    for (const Json& each : expectations) {
        met += each.at("met").get<bool>() ? 1 : 0;
    }
    const std::uint64_t completions = result.value("completions", std::uint64_t{0});
    (Insert(*this, kPoints) << point << result.at("exit") << result.at("outcome") << result.at("why") << completions
                            << met << std::uint64_t{expectations.size()} << lost_connections(result))
        .done();
    for (const auto& [path, value] : settings) {
        (Insert(*this, kSettings) << point << path << value).done();
    }
    for (const Figure& metric : point_result.metrics) {
        (Insert(*this, kMetrics) << point << metric.name << metric.value << metric.unit).done();
    }
    std::uint64_t rank = 0;
    for (const Json& limit : list_in(result, "limits")) {
        (Insert(*this, kLimits) << point << ++rank << limit.at("kind") << limit.at("what") << limit.at("share_ppm")
                                << std::uint64_t{limit.at("binds").get<bool>()} << limit.at("parameter")
                                << limit.at("value") << limit.at("source") << limit.at("basis"))
            .done();
    }
    for (const Json& ledger : list_in(result, "ledgers")) {
        for (const auto& [account, time] : ledger.at("mean_accounts_ps").items()) {
            (Insert(*this, kLedgers) << point << ledger.at("host") << ledger.at("operation") << ledger.at("requests")
                                     << account << time)
                .done();
        }
    }
}

void SqliteFile::finish() {
    execute("commit");
    for (sqlite3_stmt* const insert : inserts_) {
        sqlite3_finalize(insert);
    }
    inserts_.clear();
    if (sqlite3_close(database_) != SQLITE_OK) {
        fail();
    }
    database_ = nullptr;
    std::error_code error;
    std::filesystem::rename(part_, path_, error);
    if (error) {
        throw cli::OutputError(path_ + ": " + error.message());
    }
}

}  // namespace ndsim::sweep
