// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/hosts/face.hpp"

namespace ndsim {

// HostConnections: the connections of a scenario's host. Each has a port of its own at the host that listens, in the
// order of the file; the end that names its peer is the active one. Calls run on the host's main core, and block until
// they are done.
class HostConnections {
public:
    HostConnections(HostSide& side, const Scenario& scenario) : side_(side), scenario_(scenario) {}

    // Makes all that no program makes. Throws std::runtime_error if one fails, unless a fault of the network hits it:
    // the first messages of Winsock Direct cross the network.
    void make();

    // Which connection set-up makes now; if it is not the first attempt, with the reason.
    [[nodiscard]] const std::string& doing() const { return doing_; }
    [[nodiscard]] bool tries_again() const { return tries_again_; }

    // Steps of a connection; they return their outcome.
    NTSTATUS connect(const std::string& qp);
    NTSTATUS listen(const std::string& qp);
    NTSTATUS accept(const std::string& qp);
    NTSTATUS reject(const std::string& qp);

private:
    // The other end of a connection, and the port of the passive end.
    struct Peer {
        std::string host;
        std::uint16_t port = 0;
    };

    void find_peers();
    void begin(std::string doing);
    void again(std::string doing);
    // Whether it was `nic.connect_timeout` of either end that ended the attempt to connect a queue pair, and no
    // failure.
    [[nodiscard]] bool is_given_up(const std::string& qp, NTSTATUS status) const;
    void connect_at_last(const std::string& qp);
    void accept_only_one(const std::string& qp);

    HostSide& side_;
    const Scenario& scenario_;
    std::map<std::string, Peer> peers_;  // of queue pairs
    std::string doing_;                  // a member: a run may be stopped while a call waits
    bool tries_again_ = false;
};

}  // namespace ndsim
