// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/statuses_text.hpp"

#include <fmt/format.h>

#include "scenarios/format/status_name.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

std::string statuses_text(const StatusLog& statuses, const Paint& paint) {
    const std::vector<GivenStatus> kept = statuses.kept();
    if (kept.empty()) {
        return "";
    }
    Table table({Align::right, Align::right, Align::left, Align::left, Align::left, Align::left, Align::right});
    table.heading({"at us", "took us", "request", "queue", "operation", "status", "bytes"});
    for (const GivenStatus& given : kept) {
        table.row({microseconds(given.when.end), microseconds(given.when.end - given.when.start), given.request,
                   given.queue, given.operation, status_name(given.status),
                   given.bytes ? std::to_string(*given.bytes) : ""});
    }
    const std::string title = statuses.is_whole() ? paint.strong("Statuses")
                                                  : fmt::format("{}: {} of {} statuses", paint.strong("Failures"),
                                                                statuses.failed(), statuses.all());
    std::string text = fmt::format("\n{}, in the order in which software got them\n", title) + table.text(paint);
    if (!statuses.is_whole() && statuses.failed() > kept.size()) {
        text += fmt::format("  and {} more\n", statuses.failed() - kept.size());
    }
    return text;
}

}  // namespace ndsim::cli
