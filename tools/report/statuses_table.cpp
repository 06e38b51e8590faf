// SPDX-License-Identifier: Apache-2.0
#include "tools/report/statuses_table.hpp"

#include <fmt/format.h>

#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

std::string statuses_table(const inspect::RecordedRun& run) {
    const nlohmann::json& statuses = run.whole.at("statuses");
    const nlohmann::json& shown = statuses.at("shown");
    TableOf table{{">at us", ">took us", "request", "queue", "operation", "status", ">bytes"}, {}};
    for (const nlohmann::json& given : shown) {
        const auto microseconds = [&given](const char* key) {
            return cli::microseconds(Picoseconds{given.at(key).get<std::int64_t>()});
        };
        const auto bytes = given.find("bytes");
        table.rows.push_back({microseconds("at_ps"), microseconds("took_ps"), given.at("request"), given.at("queue"),
                              given.at("operation"), given.at("status"), bytes == given.end() ? "" : bytes->dump()});
    }
    if (table.rows.empty()) {
        return "";
    }
    const auto all = statuses.at("all").get<std::uint64_t>();
    const auto failed = statuses.at("failed").get<std::uint64_t>();
    const bool is_whole = shown.size() == all;
    const std::string title = is_whole ? "Statuses" : fmt::format("Failures: {} of {} statuses", failed, all);
    const std::string more =
        !is_whole && failed > shown.size() ? note(fmt::format("and {} more", failed - shown.size())) : "";
    return fmt::format("<h3>{}, in the order in which software got them</h3>\n", title) + html_of(table) + more;
}

}  // namespace ndsim::report
