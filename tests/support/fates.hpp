// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "ndapi/windows/abi/ntstatus.h"
#include "scenarios/format/scenario.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/run/run.hpp"

namespace ndsim::test {

inline constexpr std::array kReturned{Fate::succeeded, Fate::failed, Fate::flushed, Fate::silent};

// The fate of a request by what its program was told; in_flight stands for all that it was not told of.
inline Fate told_fate(const LabelledRequest& request) {
    return !request.returned                    ? Fate::in_flight
           : request.silent                     ? Fate::silent
           : request.status == STATUS_SUCCESS   ? Fate::succeeded
           : request.status == STATUS_CANCELLED ? Fate::flushed
                                                : Fate::failed;
}

// The labels of what a host's program posts; none if it is not known which request a label means: some have none, or a
// loop uses one for many.
inline std::optional<std::set<std::string>> posts_of(const Host& host) {
    std::set<std::string> labels;
    for (const Op& op : host.program ? host.program->ops : std::vector<Op>{}) {
        const auto* const post = std::get_if<PostOp>(&op.what);
        if (std::holds_alternative<RepeatOp>(op.what) || (post != nullptr && post->label.empty())) {
            return std::nullopt;
        }
        if (post != nullptr) {
            labels.insert(host.name + "." + post->label);
        }
    }
    return labels;
}

// How the fates of a result differ from what programs, all of whose requests have labels, were told; empty if in
// nothing: a program was told of those that ended, and of no others, and what else it posted has a fate, too.
inline std::string differing_fates(const Scenario& scenario, const RunResult& result,
                                   const std::map<std::string, LabelledRequest>& labelled) {
    std::string found;
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        const Host& host = scenario.hosts[i];
        const auto posts = posts_of(host);
        if (!posts || !scenario.traffic.empty() || host.api == Api::wsd) {
            continue;  // generators and the switch of Winsock Direct post requests of their own
        }
        Fates told{host.name, {}};
        for (const auto& [name, request] : labelled) {
            const bool was_taken = request.returned || request.status == STATUS_SUCCESS;
            if (was_taken && posts->contains(name)) {
                ++told[told_fate(request)];
            }
        }
        const Fates& fates = result.fates.at(i);
        const std::uint64_t others =
            fates[Fate::untold] + fates[Fate::unpolled] + fates[Fate::unused] + fates[Fate::in_flight];
        for (const Fate fate : kReturned) {
            if (fates[fate] != told[fate]) {
                found += host.name + ": " + std::to_string(told[fate]) + " requests were told of as " +
                         std::string(kFateNames.at(static_cast<std::size_t>(fate))) + ", the result has " +
                         std::to_string(fates[fate]) + "\n";
            }
        }
        if (others != told[Fate::in_flight]) {
            found += host.name + ": " + std::to_string(told[Fate::in_flight]) +
                     " requests were posted and not told of, the result has " + std::to_string(others) + "\n";
        }
    }
    return found;
}

}  // namespace ndsim::test
