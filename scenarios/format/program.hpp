// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/format/endpoint.hpp"
#include "sim/base/units.hpp"
#include "sim/config/field.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// The actions of one host's software, in order: the operations of a scenario's "programs", checked and with all names
// resolved. A post with a count has become that many posts.

// One scatter/gather entry of a program's request.
struct Piece {
    std::string buffer;
    Bytes offset;
    Bytes size;

    template <class Field>
    void fields(Field&& field) {
        field("offset", offset, between(0_B, Bytes{1ULL << 32U}), "offset in the buffer", Mark::documented);
        field("size", size, between(0_B, Bytes{1ULL << 30U}), "bytes; if left out, the rest of the buffer",
              Mark::documented);
    }
};

// The kind of a post.
enum class PostKind : std::uint8_t {
    send,
    receive,
    write,
    read,
    send_and_invalidate,
    bind,
    fast_register,
    invalidate,
    srq_receive,
};
inline constexpr std::array<std::string_view, 9> kPostKindNames{
    "send", "receive", "write", "read", "send_and_invalidate", "bind", "fast_register", "invalidate", "srq_receive"};

// Values of NDK_OP_FLAG_...
enum PostFlag : std::uint32_t {
    kPostSilentSuccess = 0x001,
    kPostReadFence = 0x002,
    kPostSolicit = 0x004,
    kPostAllowRemoteRead = 0x008,
    kPostAllowLocalWrite = 0x010,
    kPostAllowRemoteWrite = 0x030,
    kPostInline = 0x040,
    kPostLocalInvalidate = 0x100,
    kPostDefer = 0x200,
};

struct Op;
// Posts one request.
struct PostOp {
    PostKind kind{};
    std::string qp;
    std::string srq;  // of an srq_receive, which has no queue pair
    std::vector<Piece> pieces;
    Endpoint peer;  // memory of the peer: target of a write, source of a read, or owner of the key to invalidate
    Bytes peer_offset;
    std::string memory;       // of a bind, fast_register or invalidate: one of the host's memory
    std::uint32_t flags = 0;  // NDK_OP_FLAG_ values
    std::string label;        // names its completion in expectations; empty: none
};

// Polls until `count` completions have been taken out of the queue. A queue is known by its name, or as "q0.send" or
// "q0.receive" if it is the queue pair's own.
struct PollOp {
    std::string cq;
    std::uint32_t count = 1;

    template <class Field>
    void fields(Field&& field) {
        field("count", count, between(1U, 1'000'000'000U), "completions to take out of the queue", Mark::documented);
    }
};

enum class ArmFor : std::uint8_t { errors, any, solicited };
inline constexpr std::array<std::string_view, 3> kArmForNames{"errors", "any", "solicited"};
// Arms a completion queue.
struct ArmOp {
    std::string cq;
    ArmFor wish = ArmFor::any;

    template <class Field>
    void fields(Field&& field) {
        field("for", wish, kArmForNames, "which completion notifies", Mark::documented);
    }
};

// The limits of a completion queue's wait before an interrupt.
struct InterruptModeration {
    Picoseconds interval{};   // 0: no limit of time
    std::uint32_t count = 0;  // 0: no limit of number

    [[nodiscard]] bool is_on() const { return interval != Picoseconds{} || count != 0; }

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("interval", interval, between(Picoseconds{0}, hours{1}),
              "the longest that an interrupt waits, in whole microseconds; 0: no limit", Mark::documented);
        field("count", count, between(0U, 4'194'303U),
              "the number of completions that ends the wait of an interrupt; 0: no limit", Mark::documented);
    }
};

// Changes the moderation of a queue's interrupts; without limits it ends.
struct ModerateOp {
    std::string cq;
    InterruptModeration moderation;

    template <class Field>
    void fields(Field&& field) {
        moderation.fields(field);
    }
};

// Changes a queue's depth, and waits until that is done.
struct ResizeOp {
    std::string cq;
    std::uint32_t depth = 1024;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 4'194'303U), "the new depth: completions that the queue holds",
              Mark::documented);
    }
};

// Blocks until the queue's notification, or until the peer of a queue pair disconnects ("q0.disconnect"); earlier
// events count.
struct WaitOp {
    std::string cq;
    std::string qp;   // of the second kind
    std::string srq;  // instead of a completion queue
};

// Spins until the NIC has written to the last byte of a piece of a buffer; writes that no spin has used yet count.
struct SpinOp {
    Piece piece;

    template <class Field>
    void fields(Field&& field) {
        piece.fields(field);
    }
};

// A program's actions on a queue pair's connection. All but flush block until they are done; connect tries once, with
// any outcome.
enum class ConnectionVerb : std::uint8_t { connect, listen, accept, reject, disconnect, flush };
inline constexpr std::array<std::string_view, 6> kConnectionVerbNames{"connect", "listen",     "accept",
                                                                      "reject",  "disconnect", "flush"};
// Acts on a queue pair's connection.
struct ConnectionOp {
    ConnectionVerb verb{};
    std::string qp;
    std::string label;  // names its outcome in expectations; empty: none

    // Whether it is a step of connecting: no connection yet.
    [[nodiscard]] bool makes() const { return verb <= ConnectionVerb::reject; }
};

// Changes a shared receive queue, and waits until that is done.
struct ModifySrqOp {
    std::string srq;
    std::uint32_t depth = 0;
    std::uint32_t threshold = 0;

    template <class Field>
    void fields(Field&& field) {
        const auto range = between(0U, 1U << 20U);
        field("depth", depth, range, "the new depth: receives that the queue holds; 0: unchanged", Mark::documented);
        field("threshold", threshold, range,
              "notifies once when fewer receives than this are left, at once if that is already so; 0: unchanged",
              Mark::documented);
    }
};

// Sleeps for a time.
struct SleepOp {
    Picoseconds span{};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("sleep", span, between(Picoseconds{0}, hours{24}), "how long the program does nothing", Mark::documented);
    }
};

// Executes a list of operations `count` times; each round's duration goes to the timer of that name, if there is one.
struct RepeatOp {
    std::uint64_t count = 1;
    std::string timer;
    std::vector<Op> body;

    template <class Field>
    void fields(Field&& field) {
        field("repeat", count, between(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}), "rounds",
              Mark::documented);
    }
};

// An operation, and its place in the file.
struct Op {
    Position at;
    std::string path;
    std::variant<PostOp, PollOp, ArmOp, WaitOp, SpinOp, ModifySrqOp, ConnectionOp, ModerateOp, ResizeOp, SleepOp,
                 RepeatOp>
        what;
};

// Visits all operations in their order, those of a RepeatOp behind it, until `visit` returns true; returns the
// operation with which it ended, or nullptr.
template <class Visit>
const Op* find_op(const std::vector<Op>& ops, const Visit& visit) {
    for (const Op& op : ops) {
        if (visit(op)) {
            return &op;
        }
        const auto* const repeat = std::get_if<RepeatOp>(&op.what);
        if (const Op* const inside = repeat == nullptr ? nullptr : find_op(repeat->body, visit)) {
            return inside;
        }
    }
    return nullptr;
}

template <class Visit>
void for_each_op(const std::vector<Op>& ops, const Visit& visit) {
    find_op(ops, [&visit](const Op& op) {
        visit(op);
        return false;
    });
}

// Visits all operations of one kind.
template <class Kind, class Visit>
void for_each_op_of(const std::vector<Op>& ops, const Visit& visit) {
    for_each_op(ops, [&visit](const Op& op) {
        if (const auto* const of_kind = std::get_if<Kind>(&op.what)) {
            visit(*of_kind);
        }
    });
}

// The operations of one host.
struct Program {
    std::vector<Op> ops;
};

}  // namespace ndsim
