// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/compare.hpp"

#include <algorithm>

#include "scenarios/format/load.hpp"
#include "scenarios/format/status_name.hpp"
#include "scenarios/result/expectations.hpp"
#include "tests/reference/scenario_text.hpp"
#include "tests/support/fates.hpp"
#include "tests/support/forked.hpp"

namespace ndsim::reference {

namespace {

// What a fate says in words, for the message.
std::string in_words(const Request& request) {
    std::string words;
    const auto add = [&](Fate fate, const std::string& word) {
        if ((request.fates & fate) != 0) {
            words += (words.empty() ? "" : " or ") + word;
        }
    };
    add(kSucceeds, "success");
    add(kCancelled, "cancelled");
    add(kFails, request.failure);
    add(kRefused, "refused with " + request.failure);
    add(kLost, "lost");
    add(kPending, "pending");
    return words;
}

class Comparison {
public:
    Comparison(const Prediction& prediction, const Evidence& evidence) : prediction_(prediction), evidence_(evidence) {
        for (const Request& request : prediction.requests) {
            observed_.push_back(evidence.recorder.labelled().at(name(request)));
        }
    }

    std::string run() {
        for (std::size_t i = 0; i < observed_.size(); ++i) {
            check_fate(prediction_.requests[i], observed_[i]);
        }
        for (std::size_t side = 0; side < kSides; ++side) {
            for (std::size_t connection = 0; connection < kConnections; ++connection) {
                check_queue(side, connection, false);
                check_queue(side, connection, true);
                check_direction(side, connection);
            }
            check_memory(side);
            check_completions(side);
            if (!prediction_.overruns[side]) {
                check_metric("programs." + name_of(side) + ".refused", prediction_.refused[side]);
            }
            const Notified& notified = prediction_.notified[side];
            check_metric(name_of(side) + ".nic.cq.interrupts", notified.by_cqs);
            check_metric(name_of(side) + ".nic.rq.srq_limits", notified.by_srq);
        }
        for (const Contest& contest : prediction_.contests) {
            check_contest(contest);
        }
        return found_;
    }

private:
    [[nodiscard]] static std::string name(const Request& request) {
        return name_of(request.side) + "." + request.label;
    }
    void differs(const std::string& what) { found_ += what + "\n"; }

    // Whether a completion was polled.
    [[nodiscard]] static bool completed(const LabelledRequest& seen) { return seen.returned && !seen.silent; }

    void check_fate(const Request& request, const LabelledRequest& seen) {
        const std::string status = status_name(seen.status);
        const std::string shown = completed(seen)                 ? status
                                  : seen.returned                 ? "silent success"
                                  : seen.status != STATUS_SUCCESS ? "refused with " + status
                                                                  : "no completion";
        if (!fits(request, seen, status)) {
            differs(name(request) + ": expected " + in_words(request) + (request.silent ? ", silent" : "") + "; got " +
                    shown);
        } else if (request.receive && completed(seen) && status == "success" && !request.by_chance &&
                   seen.bytes != request.bytes) {
            differs(name(request) + ": expected " + std::to_string(request.bytes) + " bytes, got " +
                    std::to_string(seen.bytes));
        }
    }

    [[nodiscard]] static bool fits(const Request& request, const LabelledRequest& seen, const std::string& status) {
        const auto may = [&](int fates) { return (request.fates & fates) != 0; };
        if (completed(seen)) {
            return status == "success"     ? may(kSucceeds) && !request.silent
                   : status == "cancelled" ? may(kCancelled)
                                           : may(kFails) && status == request.failure;
        }
        if (seen.returned) {
            return may(kSucceeds) && request.silent;
        }
        if (request.may_be_refused && status == "connection_invalid") {
            return true;
        }
        if (seen.status != STATUS_SUCCESS) {
            return may(kRefused) && status == request.failure;
        }
        return may(kLost | kPending) || (may(kSucceeds) && request.silent);
    }

    // Completions of a queue come in the order of posts; a failure ends the successes, and a loss the completions.
    void check_queue(std::size_t side, std::size_t connection, bool receive) {
        std::uint64_t last = 0;
        bool failed = false;
        bool lost = false;
        for (std::size_t i = 0; i < observed_.size(); ++i) {
            const Request& request = prediction_.requests[i];
            const LabelledRequest& seen = observed_[i];
            if (request.side != side || request.connection != connection || request.receive != receive ||
                request.by_chance) {
                continue;
            }
            lost = lost || ((request.fates & kLost) != 0 && !seen.returned);
            if (!completed(seen)) {
                continue;
            }
            const std::string status = status_name(seen.status);
            if (seen.order <= last) {
                differs(name(request) + " completes before an earlier request of its queue");
            }
            if (failed && status != "cancelled") {
                differs(name(request) + " completes with " + status + " behind a failed request");
            }
            if (lost) {
                differs(name(request) + " completes behind one that was lost");
            }
            last = seen.order;
            failed = failed || status != "success";
        }
    }

    // A message that its sender knows to have arrived, has arrived.
    void check_direction(std::size_t from, std::size_t connection) {
        std::size_t sent = 0;
        std::size_t received = 0;
        for (std::size_t i = 0; i < observed_.size(); ++i) {
            const Request& request = prediction_.requests[i];
            const bool succeeded = observed_[i].returned && observed_[i].status == STATUS_SUCCESS;
            if (request.connection != connection || request.receive != (request.side != from)) {
                continue;
            }
            if ((request.fates & kLost) != 0 || request.by_chance) {
                return;
            }
            if (request.receive) {
                received += succeeded ? 1 : 0;
            } else if (request.takes_receive) {
                sent += succeeded ? 1 : 0;
            }
        }
        if (sent > received) {
            differs(std::to_string(sent) + " messages of " + name_of(from) + ".q" + std::to_string(connection) +
                    " succeed, of which " + std::to_string(received) + " arrive");
        }
    }

    // The buffer holds a running counter of 32 bits at the start.
    [[nodiscard]] static std::byte counter_at(std::uint32_t at) {
        return static_cast<std::byte>((at / 4) >> (at % 4 * 8U));
    }

    void check_memory(std::size_t side) {
        const std::span<const std::byte> memory = evidence_.memory(name_of(side) + ".mem");
        for (std::uint32_t at = 0; at < memory.size(); ++at) {
            const Origin from = at < memory_at(side) ? at : prediction_.memory[side][at - memory_at(side)];
            if (from != kUndefined && memory[at] != counter_at(from)) {
                differs(name_of(side) + ".mem: byte " + std::to_string(at) + " is not what was at " +
                        std::to_string(from));
                return;
            }
        }
    }

    void check_metric(const std::string& name, std::optional<std::uint32_t> expected) {
        const Metric* const metric = evidence_.metrics.find(name);
        if (expected && (metric == nullptr || metric->value != *expected)) {
            differs(name + ": expected " + std::to_string(*expected) + ", got " +
                    (metric == nullptr ? "none" : std::to_string(metric->value)));
        }
    }

    // Receives in their order hold the messages of each connection in theirs. A place is how many messages of each have
    // come by then; there may be several that fit.
    void check_contest(const Contest& contest) {
        std::set<std::vector<std::size_t>> places{std::vector<std::size_t>(contest.lengths.size())};
        for (const std::size_t receive : contest.receives) {
            std::set<std::vector<std::size_t>> next;
            for (const std::vector<std::size_t>& place : places) {
                for (std::size_t i = 0; i < place.size(); ++i) {
                    if (place[i] < contest.lengths[i].size() &&
                        contest.lengths[i][place[i]] == observed_[receive].bytes) {
                        std::vector<std::size_t> behind = place;
                        ++behind[i];
                        next.insert(std::move(behind));
                    }
                }
            }
            places = std::move(next);
        }
        if (places.empty()) {
            differs(name(prediction_.requests[contest.receives.front()]) +
                    " and those behind it do not hold each connection's messages in order");
        }
    }

    void check_completions(std::size_t side) {
        const Metric* const cqes = evidence_.metrics.find(name_of(side) + ".nic.cq.cqes");
        if (!prediction_.overruns[side] && (cqes == nullptr || cqes->value != prediction_.completions[side])) {
            differs(name_of(side) + ": expected " + std::to_string(prediction_.completions[side]) +
                    " completions, got " + (cqes == nullptr ? "no count" : std::to_string(cqes->value)));
        }
    }

    const Prediction& prediction_;
    const Evidence& evidence_;
    std::vector<LabelledRequest> observed_;
    std::string found_;
};

// The child's part.
std::string simulate(const Program& program, const Prediction& prediction) {
    std::string found = "the run did not end\n";
    try {
        RunOptions options;
        std::map<std::string, LabelledRequest> labelled;
        options.inspect = [&](const Evidence& evidence) {
            found = Comparison(prediction, evidence).run();
            labelled = evidence.recorder.labelled();
        };
        const Scenario scenario = load_scenario("program.json", scenario_text(program, prediction, "a program"));
        const RunResult result = run_scenario(scenario, options);
        found += test::differing_fates(scenario, result, labelled);
        return result.outcome == RunOutcome::finished ? found : "the run did not finish: " + result.why + "\n";
    } catch (const std::exception& error) {
        return std::string(error.what()) + "\n";
    }
}

}  // namespace

std::string differences(const Program& program, const Prediction& prediction) {
    const auto found = test::in_child([&] { return simulate(program, prediction); });
    return found.value_or("the simulator died\n");
}

}  // namespace ndsim::reference
