// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/statuses_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/status_name.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

// Microseconds to the nanosecond, as the order matters more than four digits.
std::string microseconds(Picoseconds time) {
    constexpr std::int64_t kNanosecond = 1000;
    return decimal(static_cast<std::uint64_t>((time.count() + kNanosecond / 2) / kNanosecond), 3);
}

// "A.q0"; a queue pair that a C++ program has made has a number only.
std::string queue_of(const GivenStatus& given, const RunResult& result, const Scenario& scenario) {
    if (!given.queue.empty()) {
        return given.queue;
    }
    const std::string host = scenario.hosts[raw(given.host)].name + ".";
    const auto named = std::ranges::find_if(result.queue_pairs, [&](const NumberedQueuePair& qp) {
        return qp.number == given.qp && qp.name.starts_with(host);
    });
    return named == result.queue_pairs.end() ? fmt::format("{}{:#x}", host, raw(given.qp)) : named->name;
}

}  // namespace

std::string statuses_text(const RunResult& result, const Scenario& scenario, const Paint& paint) {
    const std::vector<GivenStatus> kept = result.statuses.kept();
    if (kept.empty()) {
        return "";
    }
    Table table({Align::right, Align::right, Align::left, Align::left, Align::left, Align::left, Align::right});
    table.heading({"at us", "took us", "request", "queue", "operation", "status", "bytes"});
    for (const GivenStatus& given : kept) {
        table.row({microseconds(given.when.end), microseconds(given.when.end - given.when.start), given.request,
                   queue_of(given, result, scenario), given.operation, status_name(given.status),
                   given.bytes ? std::to_string(*given.bytes) : ""});
    }
    const std::string title = result.statuses.is_whole()
                                  ? paint.strong("Statuses")
                                  : fmt::format("{}: {} of {} statuses", paint.strong("Failures"),
                                                result.statuses.failed(), result.statuses.all());
    std::string text = fmt::format("\n{}, in the order in which software got them\n", title) + table.text(paint);
    const std::uint64_t all = result.statuses.is_whole() ? result.statuses.all() : result.statuses.failed();
    if (all > kept.size()) {
        text += fmt::format("  and {} more\n", all - kept.size());
    }
    return text;
}

}  // namespace ndsim::cli
