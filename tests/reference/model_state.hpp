// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/reference/program.hpp"

// What the model keeps of queues, keys and connections.
namespace ndsim::reference {

// A send or a receive queue; entries are indices of requests.
struct Queue {
    std::vector<std::size_t> open;   // accepted, and nothing has become of them yet
    std::vector<std::size_t> slots;  // accepted, and their slot is not given back
    std::size_t announced = 0;       // of the open ones; of receives, all
    bool dead = false;               // its completion queue has overrun
};

enum class State : std::uint8_t { alive, lost, ended };

// A window or a fast-register region.
struct Object {
    bool valid = false;
    Span span;
    bool remote_read = false;
    bool remote_write = false;
};
using Objects = std::array<std::array<Object, kObjects>, kSides>;

struct Connection {
    State state = State::alive;
    Objects objects;
    std::array<Queue, kSides> sends;
    std::array<Queue, kSides> receives;
};

// The first request of a direction that cannot succeed.
struct Failure {
    std::size_t at = 0;                  // among the open sends of its side
    std::string status;                  // at the sender
    std::optional<std::size_t> receive;  // of the peer that fails with it
    std::string receive_status;
    bool unacknowledged = false;  // the peer does not say which request it was: the oldest that it did not answer fails
};

// What a connection's two directions come to in an epoch.
struct Course {
    std::array<std::optional<Failure>, kSides> failures;
    std::array<std::size_t, kSides> matched{};  // receives of the peer that messages before the failure take
    bool hasty = false;                         // a disconnect with requests under way
    bool calm = false;                          // a disconnect when nothing is under way any more
    bool overrun = false;
    Objects objects;  // at the end, if nothing breaks

    [[nodiscard]] bool breaks() const { return hasty || overrun || failures[0] || failures[1]; }
    // Whether something else may end a direction before its own end.
    [[nodiscard]] bool is_uncertain(std::size_t from) const { return hasty || overrun || failures[1 - from]; }
};

}  // namespace ndsim::reference
