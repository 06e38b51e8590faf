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

// A send, receive or shared receive queue; entries are indices of requests.
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
    bool local_write = false;
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
    std::array<std::optional<std::size_t>, kSides> held;  // the first request that waits for a shared receive, and all
                                                          // behind it
    std::array<std::size_t, kSides> matched{};            // receives of the peer that messages before the failure take
    std::array<std::size_t, kSides> first{};              // of these, in a shared queue
    std::array<bool, kSides> asks{};                      // for a receive of a shared queue
    bool hasty = false;                                   // a disconnect with requests under way
    bool calm = false;                                    // a disconnect when nothing is under way any more
    bool overrun = false;
    std::array<bool, kSides> refuses{};  // the completion queue of a side has overrun: soon it takes no posts
    Objects objects;                     // at the end, if nothing breaks

    // Whether a side's request is reached in its turn, if nothing else ends the connection.
    [[nodiscard]] bool reaches(std::size_t from, std::size_t at) const {
        return (!failures[from] || at <= failures[from]->at) && (!held[from] || at < *held[from]);
    }
    [[nodiscard]] bool breaks() const { return hasty || overrun || failures[0] || failures[1]; }
    // Whether something else may end a direction before its own end.
    [[nodiscard]] bool is_uncertain(std::size_t from) const { return hasty || overrun || failures[1 - from]; }
};

// A completion queue of a host.
struct CompletionQueue {
    std::uint32_t depth = kAmple;
    Wish armed = Wish::nothing;
    bool armed_amid = false;                   // in this epoch, when completions may have come already
    bool uncertain = false;                    // whether it is armed, from now on
    std::optional<std::size_t> armed_at_rest;  // in this epoch, by this step
    std::optional<std::size_t> resized_at_rest;
};

// What a completion queue holds when all is at rest.
struct Present {
    std::uint32_t completions = 0;  // of the epoch
    std::uint32_t entries = 0;      // of these, not polled
    bool told = false;              // the host was notified of the first
};

// A shared receive queue, and when it notifies.
struct SharedQueue {
    Queue receives;
    std::uint32_t depth = 0;
    std::uint32_t limit = 0;      // a fall below it notifies; 0: none does
    bool uncertain = false;       // whether it will, from now on
    std::size_t before = 0;       // receives at the beginning of the epoch
    std::size_t taken = 0;        // receives that the messages of this epoch take
    std::size_t late = 0;         // receives of this epoch behind its requests
    bool was_waited_for = false;  // when the epoch began
    bool contested = false;       // by several connections in this epoch
};

}  // namespace ndsim::reference
