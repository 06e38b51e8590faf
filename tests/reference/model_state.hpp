// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/requests.hpp"

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
    std::array<bool, kSides> refuses{};           // the completion queue of a side has overrun: soon it takes no posts
    Objects objects;                              // at the end, if nothing breaks
    std::map<std::size_t, std::uint32_t> remote;  // where in the peer's memory a write or read goes
    std::map<std::size_t, Span> sinks;            // of reads into a region, in memory

    // Whether a side's request is reached in its turn, if nothing else ends the connection.
    [[nodiscard]] bool reaches(std::size_t from, std::size_t at) const {
        return (!failures[from] || at <= failures[from]->at) && (!held[from] || at < *held[from]);
    }
    [[nodiscard]] bool breaks() const { return hasty || overrun || failures[0] || failures[1]; }
    // Whether something else may end a direction before its own end.
    [[nodiscard]] bool is_uncertain(std::size_t from) const { return hasty || overrun || failures[1 - from]; }
};

// A shared receive queue.
struct SharedQueue {
    Queue receives;
    std::uint32_t depth = 0;
    std::size_t taken = 0;        // receives that the messages of this epoch take
    std::size_t late = 0;         // receives of this epoch behind its requests
    bool was_waited_for = false;  // when the epoch began
    bool contested = false;       // by several connections in this epoch
};

// The queues and connections of both hosts, what was posted to them, and how far that gets in an epoch.
struct Scene {
    explicit Scene(const Program& what) : program(what), requests(what) {
        for (std::size_t side = 0; side < kSides; ++side) {
            srqs[side].depth = program.srq_depths[side];
        }
    }
    [[nodiscard]] const Endpoint& endpoint(std::size_t side, std::size_t connection) const {
        return program.endpoints[side][connection];
    }
    [[nodiscard]] const Queue& receives_of(std::size_t side, std::size_t connection) const {
        return endpoint(side, connection).srq ? srqs[side].receives : connections[connection].receives[side];
    }

    const Program& program;
    Requests requests;
    std::array<Connection, kConnections> connections;
    std::array<SharedQueue, kSides> srqs;
    std::array<Course, kConnections> courses;
};

}  // namespace ndsim::reference
