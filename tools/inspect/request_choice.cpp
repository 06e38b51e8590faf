// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/request_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <set>
#include <vector>

#include "ndapi/core/status.hpp"
#include "scenarios/format/traffic.hpp"
#include "sim/base/histogram.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"
#include "tools/inspect/request_names.hpp"

namespace ndsim::inspect {

namespace {

// The requests to choose from.
struct Scope {
    std::string host;           // empty: of all
    std::string operation;      // empty: all but receives
    std::set<std::string> qps;  // by number; empty: all
    std::string of;             // " of A"

    [[nodiscard]] bool has(const Completion& row) const {
        const bool of_operation = operation.empty() ? row.operation != "receive" : row.operation == operation;
        return of_operation && (host.empty() || row.host() == host) && (qps.empty() || qps.contains(row.qp));
    }
};

// The rank of the request, by its time of posting or by its duration.
struct Which {
    std::string name;
    bool by_time_taken;
    std::uint32_t ppm;  // rank
    std::string words;
};
constexpr std::uint32_t kAll = 1'000'000;

std::optional<Which> which_of(const std::string& name) {
    const std::array kWhich{
        Which{"slowest", true, kAll, "the slowest"},
        Which{"fastest", true, 0, "the fastest"},
        Which{"first", false, 0, "the first posted"},
        Which{"last", false, kAll, "the last posted"},
    };
    const auto found = std::ranges::find(kWhich, name, &Which::name);
    if (found != kWhich.end()) {
        return *found;
    }
    const auto share = parse<Fraction>(name.substr(1) + " %");
    return share.value && share.value->ppm <= kAll ? std::optional(Which{name, true, share.value->ppm, name})
                                                   : std::nullopt;
}

std::vector<std::string> names_below(const RecordedRun& run, const std::string& section) {
    std::set<std::string> names;
    for (auto at = run.settings.lower_bound(section + "."); at != run.settings.end(); ++at) {
        if (!at->first.starts_with(section + ".")) {
            break;
        }
        const std::string rest = at->first.substr(section.size() + 1);
        names.insert(rest.substr(0, rest.find('.')));
    }
    return {names.begin(), names.end()};
}

void require_known(const std::string& asked, std::string_view what, const std::string& name,
                   const std::vector<std::string>& known) {
    if (std::ranges::find(known, name) != known.end()) {
        return;
    }
    throw cli::UsageError(fmt::format("{}: there is no {} {}; {}", asked, what, in_quotes(name),
                                      known.empty() ? "the run has none" : "there is " + join(known, ", ")));
}

// The requests that a generator has posted: those of its operation on its queue pairs.
Scope scope_of_traffic(const RecordedRun& run, const std::string& asked, const std::string& name) {
    require_known(asked, "generator", name, names_below(run, "traffic"));
    const std::string prefix = "traffic." + name + ".";
    const Endpoint from = endpoint_of(run.setting(prefix + "from").value_or(""));
    Scope scope{from.host, run.setting(prefix + "operation").value_or(""), {}, " of generator " + name};
    const std::string count = run.setting(prefix + "queue_pairs").value_or("1");
    std::uint32_t queue_pairs = 1;
    std::from_chars(count.data(), count.data() + count.size(), queue_pairs);
    for (std::uint32_t n = 0; n < queue_pairs; ++n) {
        for (const auto& [number, qp] : run.queue_pairs) {
            if (qp == Traffic::queue_pair(from, n).text()) {
                scope.qps.insert(number.substr(number.find(' ') + 1));
            }
        }
    }
    return scope;
}

Scope scope_of(const RecordedRun& run, const std::string& asked, const std::string& text) {
    if (text.empty()) {
        return {};
    }
    const std::string first = text.substr(0, text.find('.'));
    const std::string second = text.substr(text.find('.') + 1);
    if (first == "traffic") {
        return scope_of_traffic(run, asked, second);
    }
    require_known(asked, "host", first, names_below(run, "hosts"));
    require_known(asked, "kind of request", second, {kOperationKindNames.begin(), kOperationKindNames.end()});
    return {first, second, {}, " of " + first};
}

CompletionsFile open(const RecordedRun& run) {
    if (!run.has_completions()) {
        throw cli::UsageError(run.folder +
                              ": has no completions.csv; run the scenario with --set outputs.completions=true");
    }
    return {run.completions(), run.completion_count()};
}

// A request's place in the file, and its sort key.
struct Ranked {
    std::int64_t key;
    std::uint64_t place;
};

// Among equal ones, the first in the file.
std::uint64_t place_of(std::vector<Ranked>& requests, std::uint32_t ppm) {
    const auto rank = static_cast<std::size_t>((WideSum{requests.size()} * ppm + kAll - 1) / kAll);
    const auto at = requests.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::ranges::nth_element(requests, at, {}, &Ranked::key);
    const std::int64_t key = at->key;
    std::uint64_t place = at->place;
    for (const Ranked& request : requests) {
        place = request.key == key ? std::min(place, request.place) : place;
    }
    return place;
}

Choice choose(const RecordedRun& run, const std::string& asked, const Scope& scope, const Which& which) {
    std::vector<Ranked> requests;
    Completion row;
    CompletionsFile file = open(run);
    for (std::uint64_t place = 0; file.next(row); ++place) {
        if (scope.has(row)) {
            requests.push_back({(which.by_time_taken ? row.total() : row.begun).count(), place});
        }
    }
    if (requests.empty()) {
        throw cli::UsageError(
            fmt::format("{}: no {} has completed in {}{}", asked,
                        (scope.operation.empty() ? "request of a send queue" : scope.operation) + scope.of, run.folder,
                        scope.operation.empty() ? "; HOST.receive." + which.name + " asks for receives" : ""));
    }
    const std::uint64_t place = place_of(requests, which.ppm);
    CompletionsFile again = open(run);
    for (std::uint64_t skipped = 0; skipped < place; ++skipped) {
        static_cast<void>(again.next_line());
    }
    static_cast<void>(again.next(row));
    return {row, fmt::format("{} of {} {}{}{}", which.words, requests.size(),
                             scope.operation.empty() ? "request" : scope.operation, requests.size() == 1 ? "" : "s",
                             scope.of)};
}

}  // namespace

std::optional<Completion> find_request(const RecordedRun& run, const std::string& name) {
    CompletionsFile file = open(run);
    Completion row;
    while (file.next(row)) {
        if (row.request == name || row.label == name) {
            return row;
        }
    }
    return std::nullopt;
}

Choice choose_request(const RecordedRun& run, const std::string& asked) {
    static const std::regex kDescribed(R"(((\w+\.\w+)\.)?(slowest|fastest|first|last|p[0-9]+(\.[0-9]+)?))");
    std::smatch parts;
    if (std::regex_match(asked, parts, kDescribed)) {
        const auto which = which_of(parts[3]);
        if (!which) {
            throw cli::UsageError(asked + ": a percentile is p0 to p100, such as p99.9");
        }
        return choose(run, asked, scope_of(run, asked, parts[2]), *which);
    }
    if (auto row = find_request(run, asked)) {
        return {std::move(*row), ""};
    }
    CompletionsFile file = open(run);
    throw cli::UsageError(no_such_request(run, file, asked));
}

}  // namespace ndsim::inspect
