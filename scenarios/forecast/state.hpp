// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ndapi/windows/abi/ntstatus.h"
#include "scenarios/forecast/known.hpp"
#include "scenarios/forecast/times.hpp"
#include "scenarios/format/scenario.hpp"

// The state of hosts, queues and memory while a scenario's programs are followed. Things are known by their index.
namespace ndsim::forecast {

// A point of a host's program.
struct Moment {
    Index host = 0;
    Index step = 0;  // number of the program's operations before it
    const Op* op = nullptr;
    When when;
    Known known;
};

// A request that a queue has taken, and its post.
struct Request {
    Moment at;
    const PostOp* post = nullptr;
    Index qp = 0;      // not set for a shared receive
    Index index = 0;   // in its queue
    Index fenced = 0;  // requests of its queue that have ended before it begins
    std::uint64_t length = 0;
    std::optional<Picoseconds> carried_out;  // latest time, if it changes a key

    [[nodiscard]] bool is_send() const {
        return post->kind == PostKind::send || post->kind == PostKind::send_and_invalidate;
    }
    [[nodiscard]] bool changes_key() const {
        return post->kind == PostKind::bind || post->kind == PostKind::fast_register ||
               post->kind == PostKind::invalidate;
    }
    [[nodiscard]] bool is_silent() const { return (post->flags & kPostSilentSuccess) != 0; }
};

// A completion of a stream. Those of one stream enter a completion queue in order, those of several do not.
struct Entry {
    Index request = 0;
    std::optional<Index> message;  // of a receive: the request that it took
    Known known;                   // to a program that polls it
    std::optional<Picoseconds> latest{};
    bool tells = true;  // if not, nothing can be learnt from it
    bool solicited = false;
    bool failed = false;
};
// The completions of one queue.
struct Stream {
    Index qp = 0;
    bool receives = false;
    Index cq = 0;
    std::uint64_t possible = 0;  // most completions of its requests so far
    std::vector<Entry> entries{};
    std::size_t taken_surely = 0;
};

// How full a completion queue may be when a program comes to a poll.
struct Crowd {
    const Op* op = nullptr;
    Index step = 0;
    std::uint64_t taken = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint64_t> possible;  // by stream
    std::uint64_t if_broken = 0;          // the same in all, if connections may end at any time
};

// A completion queue.
struct Cq {
    Index host = 0;
    std::string name;
    std::uint32_t depth = 0;
    std::vector<Index> streams;
    std::uint64_t placed = 0;
    std::uint64_t taken = 0;
    std::uint64_t loose = 0;  // further ones that may come
    std::vector<Crowd> crowds;
    std::uint64_t arms = 0;
    std::uint64_t waits = 0;  // those that have ended
    ArmFor wish = ArmFor::any;
    std::uint64_t taken_at_arm = 0;
    std::uint64_t arms_at_wait = 0;
    Index step_of_wait = 0;
};

// A shared receive queue.
struct Srq {
    Index host = 0;
    const SharedReceiveQueue* declared = nullptr;
    std::vector<Index> users{};     // queue pairs
    std::vector<Index> requests{};  // receives
    Index matched = 0;
    std::uint32_t depth = 0;
    std::uint32_t threshold = 0;
    std::uint64_t arms = 0;
    std::uint64_t waits = 0;
};

// A queue pair's connection: not yet made by a program; made; ended by its own program.
enum class Link : std::uint8_t { none, up, over };

// A queue pair.
struct Qp {
    Index host = 0;
    const QueuePair* declared = nullptr;
    std::optional<Index> peer;
    std::optional<Index> srq;
    Index send_stream = 0;
    Index receive_stream = 0;
    Link link = Link::up;
    bool broken = false;   // the connection
    bool flushed = false;  // by its own program
    bool drained = false;  // by its own program, because its peer has disconnected
    // The finding of the request that broke the connection, and the number of its completion in the queue.
    std::optional<std::size_t> failure{};
    std::size_t failed_entry = 0;
    std::vector<Index> sends;
    Index announced = 0;  // of these
    Index delivered = 0;
    Index fence = 0;
    std::optional<Picoseconds> arrived = Picoseconds{};  // latest arrival of all delivered ones
    std::vector<Index> receives;
    Index matched = 0;
    std::optional<Moment> listens;
    std::optional<Moment> left;      // when a disconnect has begun
    bool asks = false;               // a connect waits for the peer's answer
    std::optional<NTSTATUS> answer;  // that answer
    std::uint64_t bytes_sent = 0;    // of a socket
    std::uint64_t bytes_taken = 0;
    bool is_named = false;  // one finding stands for all like it
};

// A window or a fast-register region. Uses are those since the last change; the next change must come behind them.
struct Memory {
    Index host = 0;
    const MemoryObject* declared = nullptr;
    bool is_open = false;
    std::optional<Index> bound_by{};   // a Bind, as far as the driver knows: polls tell it the outcome
    std::uint64_t polled_at_bind = 0;  // completions of the host
    bool binds_in_vain = false;        // that Bind is surely cancelled
    bool closed_by_peer = false;
    std::uint32_t rights = 0;
    Piece piece{};
    Index qp = 0;
    // A use or a change of the memory.
    struct Touch {
        Index request = 0;
        bool is_slow = false;  // a Read, which is under way while later requests begin
    };
    std::optional<Touch> changed{};
    std::vector<Touch> uses{};
};

// A byte on which a program spins.
struct Spot {
    std::string buffer;
    std::uint64_t byte = 0;
    std::uint64_t writes = 0;
    std::uint64_t spins = 0;
};

// A list of operations that a program is in.
struct Frame {
    const std::vector<Op>* ops = nullptr;
    std::size_t next = 0;
    std::uint64_t rounds = 1;  // including this one
};

// Lost: it is unknown how far it gets.
enum class Progress : std::uint8_t { runs, blocked, ended, lost };

// A host and its program.
struct Software {
    const Host* host = nullptr;
    std::vector<Frame> frames;
    Progress progress = Progress::runs;
    Moment now;
    bool has_begun = false;          // the current operation
    std::uint64_t left = 0;          // completions that the current poll still needs
    std::uint64_t polled = 0;        // completions so far
    std::vector<Picoseconds> steps;  // earliest start of each operation
    std::map<std::string, Index, std::less<>> qps, cqs, srqs, memories;
    std::vector<Spot> spots;
    std::uint64_t key_changes = 0;  // posted so far
    bool has_sent = false;          // anything but those
};

}  // namespace ndsim::forecast
