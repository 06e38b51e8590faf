// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// ExpectedFailures: the queue pairs whose failure a scenario expects, so that the end of their connections is no error.
// An expectation expects it with a request's status other than success, or with at least one in a metric that counts
// failures: of a generator, or of all connections of a host.
class ExpectedFailures {
public:
    explicit ExpectedFailures(const Scenario& scenario);

    // Whether a metric counts failures of a host's connections.
    [[nodiscard]] static bool counts(std::string_view metric, const Host& host);

    [[nodiscard]] bool of(const Endpoint& qp) const { return qps_.contains(qp) || hosts_.contains(qp.host); }

private:
    void add(const Host& host, const PostOp* post);
    void add(const MetricExpectation& expectation, const Scenario& scenario);

    std::set<Endpoint> qps_;
    std::set<std::string> hosts_;
};

}  // namespace ndsim
