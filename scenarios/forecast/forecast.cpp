// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/forecast.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/forecast/follower.hpp"
#include "scenarios/forecast/generators.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/expected_failures.hpp"

namespace ndsim {

namespace {

using namespace forecast;

// Each course knows the failures found by earlier ones.
Forecast foresee_programs(const Scenario& scenario) {
    const Times times(scenario);
    Failures failures;
    for (bool is_new = true; is_new;) {
        Follower follower(scenario, times, failures);
        follower.run();
        if (follower.found().empty()) {
            return follower.findings().forecast();
        }
        is_new = false;
        for (const Failure& failure : follower.found()) {
            is_new = failures.emplace(std::pair(failure.qp, failure.index), failure).second || is_new;
        }
    }
    return {{}, {{{}, "programs", "which of several requests fails first"}}};
}

bool is_certain(const Forecast& forecast, ForeseenKind kind) {
    return std::ranges::any_of(
        forecast.foreseen, [&](const Foreseen& one) { return one.certainty == Certainty::will && one.kind == kind; });
}

// Whether the expectation contradicts what a request will surely do.
bool is_unmet(const Expectation& expectation, const Forecast& forecast) {
    const auto* const wanted = std::get_if<CompletionExpectation>(&expectation.what);
    return wanted != nullptr && !wanted->status.empty() &&
           std::ranges::any_of(forecast.foreseen, [&](const Foreseen& one) {
               return one.certainty == Certainty::will && one.request == wanted->request && !one.statuses.empty() &&
                      std::ranges::count(one.statuses, wanted->status) == 0;
           });
}

// A request cancelled by a flush does not end the connection.
bool ends_connection(const Foreseen& one) {
    return one.kind == ForeseenKind::fails &&
           std::ranges::any_of(one.statuses, [](const std::string& status) { return status != "cancelled"; });
}

bool breaks_unexpectedly(const Scenario& scenario, const Forecast& forecast) {
    const ExpectedFailures expected(scenario);
    return std::ranges::any_of(forecast.foreseen, [&](const Foreseen& one) {
        const Endpoint end = endpoint_of(one.queue);
        if (one.certainty != Certainty::will || !ends_connection(one) || !is_queue_pair(scenario, end)) {
            return false;  // a shared receive queue does not tell whose connection it is
        }
        return !expected.of(end) && !expected.of(peer_of(scenario, end));
    });
}

}  // namespace

Forecast foresee(const Scenario& scenario) {
    const bool has_programs =
        std::ranges::any_of(scenario.hosts, [](const Host& host) { return host.program.has_value(); });
    Forecast forecast = has_programs ? foresee_programs(scenario) : Forecast{};
    for (auto part : {foresee_generators(scenario), foresee_time_limit(scenario)}) {
        std::move(part.begin(), part.end(), std::back_inserter(forecast.foreseen));
    }
    const auto place = [](const Foreseen& a) { return std::tuple(a.certainty, a.at, std::string_view(a.path)); };
    std::ranges::stable_sort(forecast.foreseen, {}, place);
    return forecast;
}

SureEnd sure_end(const Scenario& scenario, const Forecast& forecast) {
    const auto is_unmet = [&](const Expectation& each) { return ndsim::is_unmet(each, forecast); };
    return is_certain(forecast, ForeseenKind::limit)        ? SureEnd::limit
           : is_certain(forecast, ForeseenKind::never_ends) ? SureEnd::waiting
           : std::ranges::any_of(scenario.expect, is_unmet) ? SureEnd::unmet
           : breaks_unexpectedly(scenario, forecast)        ? SureEnd::broken
                                                            : SureEnd::unknown;
}

}  // namespace ndsim
