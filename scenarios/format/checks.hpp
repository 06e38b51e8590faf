// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::format {

// Shared by the rules across fields: the places of values in the file, and the list of problems.
class Checker {
public:
    // Made when the file has been read: problems found then are not reported again in other words.
    Checker(const JsonNode& root, Problems& problems);

    void wrong(const std::string& path, std::string message, std::string hint = {});
    // A `hint` stands in place of the known names.
    void missing(const std::string& path, std::string_view kind, std::string_view name,
                 const std::vector<std::string>& known, std::string hint = {});
    // Whether nothing at or below the path was wrong when the file was read, or named something missing.
    [[nodiscard]] bool is_sound(std::string_view path) const;
    // Whether the file has a value there.
    [[nodiscard]] bool is_said(std::string_view path) const;

private:
    const JsonNode& root_;
    Problems& problems_;
    std::vector<std::string> unsound_;
};

// The rules. None of them runs anything. check_moderation() checks the
// limits of a moderation at `path`.
void check_moderation(const InterruptModeration& moderation, const std::string& path, Checker& check);
void check_parameters(const Scenario& scenario, Checker& check);
// Whether the contents of buffers fit into this much memory.
void check_buffers(const Scenario& scenario, Bytes memory, Checker& check);
void check_shared_receive_queues(const Scenario& scenario, Checker& check);
void check_links(const Scenario& scenario, Checker& check);
// The peer of each queue pair, from both sides: A.q0 to B.q0 and B.q0 to A.q0.
using Peers = std::map<Endpoint, Endpoint>;
// Afterwards one side of each pair has the other in QueuePair::connect.
[[nodiscard]] Peers connect_queue_pairs(Scenario& scenario, Checker& check);
// Whether the host's program has one of these steps for the queue pair.
[[nodiscard]] bool has_step(const Host& host, const std::string& qp, std::span<const ConnectionVerb> verbs);
void check_programs(const Scenario& scenario, const Peers& peers, Checker& check);
// Uses that a host's interface does not support.
void check_apis(const Scenario& scenario, const Peers& peers, Checker& check);
void check_traffic(const Scenario& scenario, const Peers& peers, Checker& check);
void check_dma(const Scenario& scenario, Checker& check);
// Uses that need the bytes of messages, where messages have none.
void check_payload(const Scenario& scenario, Checker& check);
void check_faults(const Scenario& scenario, Checker& check);
void check_expectations(const Scenario& scenario, Checker& check);

}  // namespace ndsim::format
