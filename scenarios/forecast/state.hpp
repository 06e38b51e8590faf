// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ndapi/win/ntstatus.h"
#include "scenarios/forecast/known.hpp"
#include "scenarios/forecast/times.hpp"
#include "scenarios/format/scenario.hpp"

// What following a scenario's programs keeps of hosts, queues and memory. Things are called by their index.
namespace ndsim::forecast {

// A point of a host's program.
struct Moment {
    Index host = 0;
    Index step = 0;  // operations of the program before it
    const Op* op = nullptr;
    When when;
    Known known;
};

// A request that a queue has taken, and its post.
struct Request {
    Moment at;
    const PostOp* post = nullptr;
    Index qp = 0;      // not of a shared receive
    Index index = 0;   // in its queue
    Index fenced = 0;  // requests of its queue that have ended before it begins
    std::uint64_t length = 0;
    std::optional<Picoseconds> carried_out;  // at the latest, if it changes a key

    [[nodiscard]] bool is_send() const {
        return post->kind == PostKind::send || post->kind == PostKind::send_and_invalidate;
    }
    [[nodiscard]] bool changes_key() const {
        return post->kind == PostKind::bind || post->kind == PostKind::fast_register ||
               post->kind == PostKind::invalidate;
    }
    [[nodiscard]] bool is_silent() const { return (post->flags & kPostSilentSuccess) != 0; }
};

// One completion in a completion queue, of one stream: those of one queue come in order, those of several do not.
struct Entry {
    Index request = 0;
    std::optional<Index> message;  // of a receive, the request that it took
    Known known;                   // by whoever polls it
    std::optional<Picoseconds> latest{};
    bool tells = true;  // else nothing can be learnt from it
    bool solicited = false;
    bool failed = false;
};
struct Stream {
    Index qp = 0;
    bool receives = false;
    Index cq = 0;
    std::uint64_t possible = 0;  // completions that its requests so far may have
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
    std::uint64_t if_broken = 0;          // possible in all, if connections may end at any time
};

struct Cq {
    Index host = 0;
    std::string name;
    std::uint32_t depth = 0;
    std::vector<Index> streams;
    std::uint64_t placed = 0;
    std::uint64_t taken = 0;
    std::uint64_t loose = 0;  // more that may come
    std::vector<Crowd> crowds;
    std::uint64_t arms = 0;
    std::uint64_t waits = 0;  // that have ended
    ArmFor wish = ArmFor::any;
    std::uint64_t taken_at_arm = 0;
    std::uint64_t arms_at_wait = 0;
    Index step_of_wait = 0;
};

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

// Whether a queue pair is connected: a program is still to do that; it is; its own program has disconnected it.
enum class Link : std::uint8_t { none, up, over };

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
    bool drained = false;  // likewise, because its peer has disconnected
    // The finding of the request that has broken the connection, and which completion of the queue it has.
    std::optional<std::size_t> failure{};
    std::size_t failed_entry = 0;
    std::vector<Index> sends;
    Index announced = 0;  // of these
    Index delivered = 0;
    Index fence = 0;
    std::optional<Picoseconds> arrived = Picoseconds{};  // all that is delivered, at the latest
    std::vector<Index> receives;
    Index matched = 0;
    std::optional<Moment> listens;
    std::optional<Moment> left;      // a disconnect has begun
    bool asks = false;               // a connect waits for the peer's answer
    std::optional<NTSTATUS> answer;  // it is there
    std::uint64_t bytes_sent = 0;    // of a socket
    std::uint64_t bytes_taken = 0;
    bool is_named = false;  // in a finding that stands for all like it
};

// A window or a fast-register region. Uses are those since the last change, which it must come behind.
struct Memory {
    Index host = 0;
    const MemoryObject* declared = nullptr;
    bool is_open = false;
    std::optional<Index> bound_by{};   // a Bind, as far as the driver knows: it hears from polls what comes of it
    std::uint64_t polled_at_bind = 0;  // completions of the host
    bool binds_in_vain = false;        // it is surely cancelled
    bool closed_by_peer = false;
    std::uint32_t rights = 0;
    Piece piece{};
    Index qp = 0;
    struct Touch {
        Index request = 0;
        bool is_slow = false;  // a Read, which goes on when others have begun
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

struct Frame {
    const std::vector<Op>* ops = nullptr;
    std::size_t next = 0;
    std::uint64_t rounds = 1;  // with this one
};

// Lost: nobody can tell any more how far it gets.
enum class Progress : std::uint8_t { runs, blocked, ended, lost };

struct Software {
    const Host* host = nullptr;
    std::vector<Frame> frames;
    Progress progress = Progress::runs;
    Moment now;
    bool has_begun = false;          // the operation that it is at
    std::uint64_t left = 0;          // completions of a poll that are still to come
    std::uint64_t polled = 0;        // completions so far
    std::vector<Picoseconds> steps;  // when each operation began, at the earliest
    std::map<std::string, Index, std::less<>> qps, cqs, srqs, memories;
    std::vector<Spot> spots;
    std::uint64_t key_changes = 0;  // posted so far
    bool has_sent = false;          // anything but these
};

}  // namespace ndsim::forecast
