// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/nic/node.hpp"
#include "ndapi/core/driver.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/world/network.hpp"
#include "scenarios/world/pcie_stalls.hpp"

namespace ndsim {

// Names of a host's cores.
inline constexpr std::string_view kMainCore = "cpu";             // set-up, then the program
inline constexpr std::string_view kCallbackCore = "cpu_dpc";     // callbacks of the interfaces
[[nodiscard]] std::string traffic_core(const Traffic& traffic);  // a generator's side on a host
inline constexpr std::size_t kThreads = 16;                      // that a C++ program may have at a time
[[nodiscard]] std::string thread_core(std::size_t thread);

// World: the hardware of a scenario, elaborated and with its drivers loaded.
class World {
public:
    // Hosts of `with_threads` get cores for the threads of a program.
    World(const Scenario& scenario, RunControl& control, const std::set<std::string>& with_threads);
    ~World();

    [[nodiscard]] Node& node(std::string_view host) { return *nodes_.at(index_of(host)); }
    // The unit of a DmaLoad.
    [[nodiscard]] DmaGenerator& dma_generator(std::string_view host, const std::string& name);
    [[nodiscard]] core::Driver& driver(std::string_view host) { return *drivers_.at(index_of(host)); }
    [[nodiscard]] std::vector<std::unique_ptr<Node>>& nodes() { return nodes_; }
    [[nodiscard]] Ledgers& ledgers() { return ledgers_; }
    [[nodiscard]] Network& network() { return *network_; }
    [[nodiscard]] PayloadPool& payloads() { return payloads_; }
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] std::uint32_t ip_address(std::string_view host) const;
    // The buffers that hosts make known to each other.
    void publish(const Endpoint& buffer, const RemoteRange& remote) { buffers_[buffer] = remote; }
    [[nodiscard]] RemoteRange published(const Endpoint& buffer) const { return buffers_.at(buffer); }
    [[nodiscard]] Timeline& timeline() { return timeline_; }
    // The time of the simulation.
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }

private:
    [[nodiscard]] std::size_t index_of(std::string_view host) const;

    void add_outages();
    void add_neighbours();

    const Scenario& scenario_;
    std::map<std::string_view, std::size_t> indices_;  // of hosts, by name
    PayloadPool payloads_;
    Ledgers ledgers_;
    Timeline timeline_;
    PcieStalls stalls_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::unique_ptr<core::Driver>> drivers_;
    std::unique_ptr<Network> network_;
    std::map<Endpoint, RemoteRange> buffers_;
};

// Every unit of the design, in the order of creation.
[[nodiscard]] std::vector<Unit*> all_units();

}  // namespace ndsim
