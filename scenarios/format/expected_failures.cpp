// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/expected_failures.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "scenarios/format/tree.hpp"

namespace ndsim {

namespace {

// Of a host, what comes before and behind its name in metrics that count failures of its connections.
struct FailureCount {
    std::string_view before;
    std::string_view behind;
};
constexpr std::array<FailureCount, 4> kOfHosts{
    {{"", ".ndk.connection_errors"}, {"", ".ndk.cq_errors"}, {"", ".nic.cq.overruns"}, {"programs.", ".cq_failures"}}};

bool is_called(const PostOp* post, const std::string& label) {
    return post != nullptr && (post->label == label || post->label.starts_with(label + "["));
}

// The queue pair of the request that a program posts under a label, or of the first if there are several; empty: there
// is none.
std::string queue_pair_of(const std::vector<Op>& ops, const std::string& label) {
    for (const Op& op : ops) {
        std::string found;
        if (const auto* const post = std::get_if<PostOp>(&op.what); is_called(post, label)) {
            found = post->qp;
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            found = queue_pair_of(repeat->body, label);
        }
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

}  // namespace

ExpectedFailures::ExpectedFailures(const Scenario& scenario) {
    for (const Expectation& expectation : scenario.expect) {
        if (const auto* const metric = std::get_if<MetricExpectation>(&expectation.what)) {
            add(*metric, scenario);
            continue;
        }
        const auto* const completion = std::get_if<CompletionExpectation>(&expectation.what);
        if (completion == nullptr || completion->status.empty() || completion->status == "success") {
            continue;
        }
        const format::Reference request = format::split_reference(completion->request);
        const auto host = std::ranges::find(scenario.hosts, request.host, &Host::name);
        if (host != scenario.hosts.end() && host->program) {
            qps_.insert(request.host + "." + queue_pair_of(host->program->ops, request.name));
        }
    }
}

void ExpectedFailures::add(const MetricExpectation& expectation, const Scenario& scenario) {
    if (expectation.at_least.value_or(0) == 0) {
        return;
    }
    for (const Traffic& traffic : scenario.traffic) {
        for (std::uint32_t n = 0;
             expectation.metric == "traffic." + traffic.name + ".failed" && n < traffic.queue_pairs; ++n) {
            qps_.insert(Traffic::queue_pair(traffic.from, n));
        }
    }
    for (const Host& host : scenario.hosts) {
        const auto counts = [&](const FailureCount& count) {
            return expectation.metric == std::string(count.before) + host.name + std::string(count.behind);
        };
        if (std::ranges::any_of(kOfHosts, counts)) {
            hosts_.insert(host.name);
        }
    }
}

bool ExpectedFailures::of(const std::string& qp) const {
    return qps_.contains(qp) || hosts_.contains(qp.substr(0, qp.find('.')));
}

}  // namespace ndsim
