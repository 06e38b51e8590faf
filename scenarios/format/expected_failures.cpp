// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/expected_failures.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "scenarios/format/tree.hpp"

namespace ndsim {

namespace {

// The texts around a host's name in metrics that count failures of its connections.
struct FailureCount {
    std::string_view before;
    std::string_view behind;
};
constexpr std::array<FailureCount, 4> kOfHosts{
    {{"", ".ndk.connection_errors"}, {"", ".ndk.cq_errors"}, {"", ".nic.cq.overruns"}, {"programs.", ".cq_failures"}}};

bool is_called(const PostOp* post, const std::string& label) {
    return post != nullptr && (post->label == label || post->label.starts_with(label + "["));
}

// The post with a label, or the first of several; nullptr: none.
const PostOp* post_of(const std::vector<Op>& ops, const std::string& label) {
    const Op* const found =
        find_op(ops, [&label](const Op& op) { return is_called(std::get_if<PostOp>(&op.what), label); });
    return found == nullptr ? nullptr : std::get_if<PostOp>(&found->what);
}

}  // namespace

bool ExpectedFailures::counts(std::string_view metric, const Host& host) {
    return std::ranges::any_of(kOfHosts, [&](const FailureCount& count) {
        return metric == std::string(count.before) + host.name + std::string(count.behind);
    });
}

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
        const Endpoint request = endpoint_of(completion->request);
        const auto host = std::ranges::find(scenario.hosts, request.host, &Host::name);
        if (host != scenario.hosts.end() && host->program) {
            add(*host, post_of(host->program->ops, request.name));
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
        if (counts(expectation.metric, host)) {
            hosts_.insert(host.name);
        }
    }
}

// Messages of all queue pairs that share the queue may take the receive.
void ExpectedFailures::add(const Host& host, const PostOp* post) {
    for (const QueuePair& qp : host.qps) {
        if (post != nullptr && (qp.name == post->qp || (!post->srq.empty() && qp.srq == post->srq))) {
            qps_.insert({host.name, qp.name});
        }
    }
}

}  // namespace ndsim
