// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/expectations.hpp"

#include "scenarios/format/status_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ndsim {

namespace {

// The judgement of an expectation.
struct Outcome {
    bool met = false;
    std::string what;
    std::string found;
};

Outcome judge_one(const MetricExpectation& wanted, const Evidence& evidence) {
    std::string what = wanted.metric;
    what += wanted.at_least ? fmt::format(" at least {}", wanted.at_least_text) : "";
    what += wanted.at_least && wanted.at_most ? " and" : "";
    what += wanted.at_most ? fmt::format(" at most {}", wanted.at_most_text) : "";
    const Metric* const metric = evidence.metrics.find(wanted.metric);
    if (metric == nullptr) {
        return {false, what, "the run has none, such as for want of samples"};
    }
    const bool fits = (!wanted.at_least || metric->value >= *wanted.at_least) &&
                      (!wanted.at_most || metric->value <= *wanted.at_most);
    if (wanted.unit != metric->quantity) {
        return {false, what, fmt::format("{}, which is of another unit", metric->text())};
    }
    return {fits, what, metric->text()};
}

Outcome judge_one(const CompletionExpectation& wanted, const Evidence& evidence) {
    const auto& labelled = evidence.recorder.labelled();
    const auto found = labelled.find(wanted.request);
    std::string what = fmt::format("{} ", wanted.request);
    if (wanted.completes == false) {
        what += "does not complete";
        // A later completion reveals the end of a silent success, which has none itself.
        const bool none = found == labelled.end() || !found->second.returned || found->second.silent;
        return {none, what, none ? "no completion" : "a completion with " + status_name(found->second.status)};
    }
    what += "completes";
    what += wanted.status.empty() ? "" : " with " + wanted.status;
    what += wanted.bytes ? fmt::format(", {} bytes", *wanted.bytes) : "";
    what += wanted.within ? fmt::format(", within {}", to_text(*wanted.within)) : "";
    if (found == labelled.end()) {
        return {false, what, "it was never posted"};
    }
    const LabelledRequest& request = found->second;
    if (!request.returned) {
        // A refused post has no completion, but its own status.
        return {request.status != STATUS_SUCCESS && status_name(request.status) == wanted.status, what,
                request.status == STATUS_SUCCESS ? "no completion was polled"
                                                 : "the post returned " + status_name(request.status)};
    }
    const Picoseconds took = *request.returned - request.posted;
    const bool met = (wanted.status.empty() || wanted.status == status_name(request.status)) &&
                     (!wanted.bytes || *wanted.bytes == request.bytes) && (!wanted.within || took <= *wanted.within);
    return {met, what,
            fmt::format("{}, {} bytes, after {}", status_name(request.status), request.bytes, to_text(took))};
}

Outcome judge_one(const OrderExpectation& wanted, const Evidence& evidence) {
    const auto& labelled = evidence.recorder.labelled();
    Outcome outcome{true, fmt::format("completions in the order {}", fmt::join(wanted.requests, ", ")), "that order"};
    std::uint64_t last = 0;
    for (const std::string& name : wanted.requests) {
        const auto found = labelled.find(name);
        if (found == labelled.end() || !found->second.returned) {
            return {false, outcome.what, name + " has no completion"};
        }
        if (found->second.order <= last) {
            return {false, outcome.what, name + " came earlier"};
        }
        last = found->second.order;
    }
    return outcome;
}

Outcome judge_one(const MemoryExpectation& wanted, const Evidence& evidence) {
    const std::span<const std::byte> a = evidence.memory(wanted.buffer);
    const std::span<const std::byte> b = evidence.memory(wanted.equals);
    const std::size_t from = std::min<std::size_t>({wanted.offset.count, a.size(), b.size()});
    const std::size_t rest = std::min(a.size(), b.size()) - from;
    const std::size_t size = wanted.size.count == 0 ? rest : std::min<std::size_t>(rest, wanted.size.count);
    const auto differs = std::mismatch(a.begin() + static_cast<std::ptrdiff_t>(from),
                                       a.begin() + static_cast<std::ptrdiff_t>(from + size),
                                       b.begin() + static_cast<std::ptrdiff_t>(from));
    const auto same = static_cast<std::size_t>(differs.first - a.begin()) - from;
    const std::string place = from == 0 ? "" : fmt::format(", from byte {} on", from);
    Outcome outcome{same == size, fmt::format("{} bytes of {} equal {}{}", size, wanted.buffer, wanted.equals, place),
                    "equal"};
    if (!outcome.met) {
        outcome.found = fmt::format("byte {} differs", from + same);
    }
    return outcome;
}

}  // namespace

std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Evidence& evidence) {
    std::vector<Verdict> verdicts;
    for (const Expectation& expectation : expectations) {
        Outcome outcome = std::visit([&](const auto& what) { return judge_one(what, evidence); }, expectation.what);
        verdicts.push_back(
            {outcome.met, std::move(outcome.what), std::move(outcome.found), expectation.at, expectation.path});
    }
    return verdicts;
}

}  // namespace ndsim
