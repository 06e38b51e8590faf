// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/truth.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "scenarios/format/load.hpp"
#include "scenarios/format/status_name.hpp"
#include "scenarios/record/call_log.hpp"
#include "scenarios/result/expectations.hpp"
#include "tests/support/fates.hpp"
#include "tests/support/forked.hpp"

namespace ndsim::test {

namespace {

// What a run has left behind.
struct Remains {
    RunOutcome outcome{};
    std::map<std::string, LabelledRequest> requests;
    std::uint64_t refused = 0;
    std::map<std::string, std::uint64_t> overruns;  // by host
    std::map<std::string, std::uint64_t> errors;    // completions with an error, polled or not
    std::set<std::string> unmet;                    // paths of expectations
};

std::uint64_t metric(const Metrics& metrics, const std::string& name) {
    const Metric* const found = metrics.find(name);
    return found == nullptr ? 0 : found->value;
}

std::string fate_of(const LabelledRequest& request) {
    return request.returned ? "completed with " + status_name(request.status)
                            : "posted with " + status_name(request.status);
}

bool is_among(NTSTATUS status, const std::vector<std::string>& statuses) {
    return std::ranges::find(statuses, status_name(status)) != statuses.end();
}

// If nobody polls its completion, at least one that has failed is there.
bool has_failed(const LabelledRequest& request, const Foreseen& foreseen, const Remains& remains) {
    const std::string host = foreseen.request.substr(0, foreseen.request.find('.'));
    return request.returned ? is_among(request.status, foreseen.statuses)
                            : request.status == STATUS_SUCCESS && remains.errors.at(host) > 0;
}

// Of what has no label, that something like it has come.
std::string contradiction_of_unlabelled(const Foreseen& foreseen, const Remains& remains) {
    const auto any = [](const std::map<std::string, std::uint64_t>& counts) {
        return std::ranges::any_of(counts, [](const auto& each) { return each.second > 0; });
    };
    switch (foreseen.kind) {
        case ForeseenKind::refused:
            return remains.refused > 0 ? "" : "no call was refused";
        case ForeseenKind::fails:
            return any(remains.errors) ? "" : "nothing failed";
        case ForeseenKind::overruns:
            return any(remains.overruns) ? "" : "no overrun";
        case ForeseenKind::never_begins:
            return "";
        case ForeseenKind::never_ends:
            return remains.outcome == RunOutcome::finished ? "the run finished" : "";
        case ForeseenKind::limit:
            return remains.outcome == RunOutcome::time_limit ? "" : "limits.time was not passed";
        case ForeseenKind::unmet:
            return remains.unmet.contains(foreseen.path) ? "" : "it is met";
    }
    return {};
}

// Whether what was foreseen has come true; if not, what has come instead.
std::string contradiction(const Foreseen& foreseen, const Remains& remains) {
    const bool is_of_request = foreseen.kind == ForeseenKind::refused || foreseen.kind == ForeseenKind::fails ||
                               foreseen.kind == ForeseenKind::never_begins;
    if (foreseen.request.empty() || !is_of_request) {
        return contradiction_of_unlabelled(foreseen, remains);
    }
    const auto found = remains.requests.find(foreseen.request);
    if (found == remains.requests.end()) {
        return "never posted";
    }
    const LabelledRequest& request = found->second;
    const bool has_come = foreseen.kind == ForeseenKind::refused ? is_among(request.status, foreseen.statuses)
                          : foreseen.kind == ForeseenKind::fails ? has_failed(request, foreseen, remains)
                                                                 : !request.returned;
    return has_come ? "" : fate_of(request);
}

std::string contradiction(SureEnd end, const RunResult& result) {
    const bool is_unmet = std::ranges::any_of(result.verdicts, [](const Verdict& each) { return !each.met; });
    const bool is_broken = std::ranges::any_of(result.dead_connections, std::logical_not{}, &DeadConnection::expected);
    switch (end) {
        case SureEnd::unknown:
            return {};
        case SureEnd::limit:
            return result.outcome == RunOutcome::time_limit ? "" : "the run ends otherwise than at limits.time\n";
        case SureEnd::waiting:
            return result.outcome != RunOutcome::finished ? "" : "the run finishes, and was not to\n";
        case SureEnd::unmet:
            return result.outcome != RunOutcome::finished || is_unmet ? ""
                                                                      : "the expectations are met, and were not to\n";
        case SureEnd::broken:
            return result.outcome != RunOutcome::finished || is_broken ? "" : "no connection breaks, and one was to\n";
        case SureEnd::unmet_or_broken:
            return result.outcome != RunOutcome::finished || is_unmet || is_broken
                       ? ""
                       : "the run succeeds, and was not to\n";
    }
    return {};
}

// Receives that nothing was meant for are cancelled when their connection ends, and that is no failure.
std::string failure_in(const Remains& remains, const std::vector<std::string>& receives) {
    if (remains.outcome != RunOutcome::finished) {
        return "the run did not finish\n";
    }
    std::string found;
    for (const auto& [name, request] : remains.requests) {
        const bool is_receive = std::ranges::find(receives, name) != receives.end();
        if (request.status != STATUS_SUCCESS && !(is_receive && request.status == STATUS_CANCELLED)) {
            found += name + " was not foreseen: " + fate_of(request) + "\n";
        }
    }
    if (remains.refused > 0) {
        found += std::to_string(remains.refused) + " calls were refused\n";
    }
    for (const auto& [host, overruns] : remains.overruns) {
        found += overruns > 0 ? "a completion queue of " + host + " overran\n" : "";
    }
    return found;
}

std::vector<std::string> receives_of(const Scenario& scenario) {
    std::vector<std::string> receives;
    for (const Host& host : scenario.hosts) {
        for (const Op& op : host.program ? host.program->ops : std::vector<Op>{}) {
            const auto* const post = std::get_if<PostOp>(&op.what);
            if (post != nullptr && (post->kind == PostKind::receive || post->kind == PostKind::srq_receive)) {
                receives.push_back(host.name + "." + post->label);
            }
        }
    }
    return receives;
}

// The child's part.
std::string simulate(const std::string& text, const Forecast& forecast, const std::string& file) {
    try {
        const Scenario scenario = load_scenario(file, text);
        Remains remains;
        CallLog calls(scenario.hosts.size(), std::numeric_limits<std::uint64_t>::max());
        RunOptions options;
        options.calls = &calls;
        options.inspect = [&](const Evidence& evidence) {
            remains.requests = evidence.recorder.labelled();
            for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
                const Host& host = scenario.hosts[i];
                const std::vector<Call>& all = calls.calls(HostId{static_cast<std::uint16_t>(i)});
                remains.refused += static_cast<std::uint64_t>(
                    std::ranges::count_if(all, [](const Call& call) { return call.status != STATUS_SUCCESS; }));
                remains.errors[host.name] = metric(evidence.metrics, host.name + ".nic.cq.errors");
                remains.overruns[host.name] = metric(evidence.metrics, host.name + ".nic.cq.overruns");
            }
        };
        const RunResult result = run_scenario(scenario, options);
        remains.outcome = result.outcome;
        for (const Verdict& verdict : result.verdicts) {
            remains.unmet.insert(verdict.met ? "" : verdict.path);
        }
        std::string found;
        for (const Foreseen& foreseen : forecast.foreseen) {
            const std::string instead =
                foreseen.certainty == Certainty::will ? contradiction(foreseen, remains) : std::string();
            found += instead.empty() ? "" : foreseen.path + ": " + foreseen.what + "; but " + instead + "\n";
        }
        found += contradiction(forecast.end, result);
        found += differing_fates(scenario, result, remains.requests);
        if (forecast.foreseen.empty() && forecast.not_followed.empty()) {
            found += failure_in(remains, receives_of(scenario));
        }
        return found.empty() ? found : found + result.why + "\n";
    } catch (const std::exception& error) {
        return std::string(error.what()) + "\n";
    }
}

}  // namespace

std::string differences(const std::string& text, const Forecast& forecast, const std::string& file) {
    const auto found = in_child([&] { return simulate(text, forecast, file); });
    return found.value_or("the simulator died\n");
}

}  // namespace ndsim::test
