// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/request_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim::inspect {

namespace {

// The names in completions.csv.
struct Names {
    // The first and the last number.
    struct Range {
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t last = 0;

        [[nodiscard]] bool has(const std::string& number) const {
            std::uint64_t value = 0;
            const char* const end = number.data() + number.size();
            return std::from_chars(number.data(), end, value).ptr == end && first <= value && value <= last;
        }
    };
    std::map<std::string, Range> numbers;  // by host
    std::vector<std::string> labels;       // in the order of the file
    std::set<std::string> scopes;          // "A.send.", or "" for all of send queues
};

Names names_in(CompletionsFile& file) {
    Names names;
    Completion row;
    while (file.next(row)) {
        Names::Range& range = names.numbers[row.host()];
        range.first = std::min(range.first, row.number());
        range.last = std::max(range.last, row.number());
        names.scopes.insert(row.host() + "." + row.operation + ".");
        if (row.operation != "receive") {
            names.scopes.insert("");
        }
        if (!row.label.empty()) {
            names.labels.push_back(row.label);
        }
    }
    return names;
}

// The labels in a list of operations, for requests or for steps of connections.
void collect(const nlohmann::json& ops, bool of_posts, std::set<std::string>& labels) {
    for (const nlohmann::json& op : ops) {
        if (op.contains("do")) {
            collect(op["do"], of_posts, labels);
        }
        if (op.contains("as") && op.contains("post") == of_posts) {
            labels.insert(op["as"].get<std::string>());
        }
    }
}

bool is_label(const RecordedRun& run, const std::string& asked, bool of_posts) {
    const nlohmann::json& written = run.whole["scenario"]["written"];
    const std::size_t dot = asked.find('.');
    if (dot == std::string::npos || !written.contains("programs")) {
        return false;
    }
    const auto program = written["programs"].find(asked.substr(0, dot));
    std::set<std::string> labels;
    if (program != written["programs"].end()) {
        collect(*program, of_posts, labels);
    }
    return labels.contains(asked.substr(dot + 1, asked.find('[') - dot - 1));
}

std::string what_there_is(const Names& names) {
    std::vector<std::string> parts;
    for (const auto& [host, range] : names.numbers) {
        parts.push_back(range.first == range.last ? fmt::format("{}.{}", host, range.first)
                                                  : fmt::format("{0}.{1} to {0}.{2}", host, range.first, range.last));
    }
    if (parts.empty()) {
        return "in which none has completed";
    }
    return fmt::format("which has {}{}", join(parts, ", "),
                       names.labels.empty() ? "" : fmt::format("; {} of them have labels", names.labels.size()));
}

// The label of a counted post: "A.s1" if there are A.s1[0], A.s1[1] ...
std::vector<std::string> counted(const Names& names, const std::string& asked) {
    std::vector<std::string> labels;
    std::ranges::copy_if(names.labels, std::back_inserter(labels),
                         [&](const std::string& label) { return label.starts_with(asked + "["); });
    return labels;
}

// A bare number, or a label without its host, means that of the first host that has it.
std::optional<std::string> with_host(const Names& names, const std::string& asked) {
    for (const std::string& label : names.labels) {
        if (label.substr(label.find('.') + 1) == asked) {
            return label;
        }
    }
    for (const auto& [host, range] : names.numbers) {
        if (range.has(asked)) {
            return host + "." + asked;
        }
    }
    return std::nullopt;
}

std::optional<std::string> nearest_name(const RecordedRun& run, const Names& names, const std::string& asked) {
    if (auto known = with_host(names, asked)) {
        return known;
    }
    std::vector<std::string> candidates = names.labels;
    const std::string scope = asked.substr(0, asked.rfind('.') + 1);
    const bool is_of_generator = scope.starts_with("traffic.") && run.setting(scope + "from");
    if (names.scopes.contains(scope) || is_of_generator) {
        for (const char* const which : {"slowest", "fastest", "first", "last"}) {
            candidates.push_back(scope + which);
        }
    }
    return nearest(asked, candidates);
}

}  // namespace

std::string no_such_request(const RecordedRun& run, CompletionsFile& file, const std::string& asked) {
    const Names names = names_in(file);
    if (const auto several = counted(names, asked); !several.empty()) {
        return fmt::format("{} is {} requests: {} to {}; name one", asked, several.size(), several.front(),
                           several.back());
    }
    if (is_label(run, asked, false)) {
        return asked + " is a step of a connection, and only requests of queues have ledgers";
    }
    if (is_label(run, asked, true)) {
        return asked + " was refused, or did not complete before the run ended, so it has no ledger";
    }
    const auto meant = nearest_name(run, names, asked);
    return fmt::format("there is no request {} in {}, {}{}", in_quotes(asked), run.folder, what_there_is(names),
                       meant ? "; did you mean " + *meant + "?" : "");
}

}  // namespace ndsim::inspect
