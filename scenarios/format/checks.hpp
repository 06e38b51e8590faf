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

// What the rules across fields share: where things stand in the file, and where to say what is wrong.
class Checker {
public:
    // Made when the file has been read: what was wrong then is not said a second time in other words.
    Checker(const JsonNode& root, Problems& problems);

    void wrong(const std::string& path, std::string message, std::string hint = {});
    void missing(const std::string& path, std::string_view kind, std::string_view name,
                 const std::vector<std::string>& known);
    // Nothing at or below the path was wrong when the file was read.
    [[nodiscard]] bool is_sound(std::string_view path) const;
    // The file says something there.
    [[nodiscard]] bool is_said(std::string_view path) const;

private:
    const JsonNode& root_;
    Problems& problems_;
    std::vector<std::string> unsound_;
};

// The rules, in the order in which they must be called. All of them are known without running anything.
// The limits of a moderation that stands at `path`.
void check_moderation(const InterruptModeration& moderation, const std::string& path, Checker& check);
void check_parameters(const Scenario& scenario, Checker& check);
// Whether what buffers are filled with fits into so much memory.
void check_buffers(const Scenario& scenario, Bytes memory, Checker& check);
void check_shared_receive_queues(const Scenario& scenario, Checker& check);
void check_links(const Scenario& scenario, Checker& check);
// What each queue pair is connected to, from both sides: A.q0 to B.q0 and B.q0 to A.q0.
using Peers = std::map<Endpoint, Endpoint>;
// Afterwards one side of each pair has the other in QueuePair::connect.
[[nodiscard]] Peers connect_queue_pairs(Scenario& scenario, Checker& check);
// Whether the host's program has one of these steps for the queue pair.
[[nodiscard]] bool has_step(const Host& host, const std::string& qp, std::span<const ConnectionVerb> verbs);
void check_programs(const Scenario& scenario, const Peers& peers, Checker& check);
// What hosts' interfaces do not have.
void check_apis(const Scenario& scenario, const Peers& peers, Checker& check);
void check_traffic(const Scenario& scenario, const Peers& peers, Checker& check);
void check_dma(const Scenario& scenario, Checker& check);
// What needs the bytes of messages, where they have none.
void check_payload(const Scenario& scenario, Checker& check);
// Also says on which link a host's packets go wrong, if it has only one.
void check_faults(Scenario& scenario, Checker& check);
// Also replaces the label of a counted post by those of all its requests.
void check_expectations(Scenario& scenario, Checker& check);

}  // namespace ndsim::format
