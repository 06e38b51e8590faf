// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// A program for two hosts, A and B, of which the rules say what must come of it. It is a list of epochs. In each, both
// hosts post their receives, wait until those are there, post their requests, wait until everything is at rest, and
// poll whatever has completed. So the rules say most outcomes exactly, while within an epoch all queues run at once.
namespace ndsim::reference {

inline constexpr std::size_t kSides = 2;
inline constexpr std::size_t kConnections = 3;  // queue pair n of A is connected with queue pair n of B
inline constexpr std::size_t kSharedCqs = 2;    // of each host, besides a queue of its own for each direction
inline constexpr std::uint32_t kMemory = 32 * 1024;
inline constexpr const char* kSrqName = "s0";  // of each host
inline constexpr std::uint32_t kInlineMax = 128;
inline constexpr std::uint32_t kAmple = 512;  // as a queue's depth, more than a program can fill

enum class What : std::uint8_t {
    send,
    write,
    read,
    send_and_invalidate,
    open,  // a window by a Bind, a fast-register region by a FastRegister
    invalidate,
    receive,  // from the host's shared queue, if its queue pair has that
    poll,
    disconnect,
    arm,  // this and those behind it are settings
    moderate,
    resize,
    modify_srq
};

// When a host carries out a setting: before the epoch's receives, among its requests, or when all is at rest but
// nothing is polled yet.
enum class Phase : std::uint8_t { start, amid, rest };

// What a completion queue is armed for, the weakest first.
enum class Wish : std::uint8_t { nothing, errors, solicited, any };

// What a key stands for. Each end of a connection has one window and one fast-register region, for its peer's requests.
enum class Target : std::uint8_t { memory, window, region };
inline constexpr std::size_t kObjects = 2;

// Bytes of the host's memory.
struct Span {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
};

// One thing that a host does.
struct Step {
    std::uint8_t side = 0;
    std::uint8_t connection = 0;
    What what = What::send;
    std::vector<Span> pieces;
    Target target = Target::memory;  // of the peer, or what of its own an open or invalidate changes
    std::uint32_t to = 0;            // of a write or read: where in the target, or beyond it
    bool remote_read = false;        // rights that an open gives
    bool remote_write = false;
    bool local_write = false;
    bool into_region = false;  // of a read: its piece lies in the fast-register region of its own side
    bool kills_sink = false;   // and it invalidates that when it is done
    bool silent = false;
    bool fence = false;
    bool solicit = false;
    bool inlined = false;
    bool defer = false;
    bool late = false;   // of a receive: not until messages wait for it, where they do
    bool hasty = false;  // of a disconnect: with requests under way
    Phase phase = Phase::start;
    bool of_receives = false;  // of a setting: of the queue of the connection's receives, not its requests
    Wish wish = Wish::any;
    std::uint32_t depth = 0;      // of a resize; of a modify_srq, 0: as before
    std::uint32_t threshold = 0;  // of a modify_srq, likewise
    std::uint32_t interval = 0;   // of a moderate, in microseconds; 0: none at all
    std::uint32_t count = 0;      // of a moderate, 0: not bound by number
    bool may_fail = true;         // else settle() omits it if it would be the first failure of its connection
    bool omitted = false;         // by settle(): with it, nobody could say what a host has to poll for

    [[nodiscard]] bool is_send() const { return what == What::send || what == What::send_and_invalidate; }
    [[nodiscard]] bool is_setting() const { return what >= What::arm; }
    [[nodiscard]] bool is_local() const { return what == What::open || what == What::invalidate; }
    [[nodiscard]] std::uint64_t length() const {
        std::uint64_t sum = 0;
        for (const Span& piece : pieces) {
            sum += piece.size;
        }
        return sum;
    }
};

// One end of a connection. A completion queue of 0 is its own, others are the host's shared ones.
struct Endpoint {
    std::uint8_t send_cq = 0;
    std::uint8_t receive_cq = 0;
    std::uint32_t sq_depth = 16;
    std::uint32_t rq_depth = 16;
    bool srq = false;  // its receives come from the host's shared receive queue
};

using Epoch = std::vector<Step>;

struct Program {
    bool infiniband = false;
    std::array<std::array<Endpoint, kConnections>, kSides> endpoints{};
    // Below 8, so that the hardware knows exactly how full it is, or far more than can be needed.
    std::array<std::array<std::uint32_t, kSharedCqs>, kSides> shared_depths{{{1024, 1024}, {1024, 1024}}};
    std::array<std::uint32_t, kSides> srq_depths{64, 64};
    std::vector<std::pair<std::string, std::string>> hardware;  // parameters that must not change anything, as JSON
    std::vector<Epoch> epochs;
};

// "A" and "B".
[[nodiscard]] inline std::string name_of(std::size_t side) {
    return side == 0 ? "A" : "B";
}

// The order in which a host carries out an epoch's steps: receives come before requests.
[[nodiscard]] std::vector<std::size_t> order_of(const Program& program, const Epoch& epoch);
// Whether a receive is posted behind the requests: their senders must be held off by a queue that is empty.
[[nodiscard]] bool is_late(const Program& program, const Step& step);
[[nodiscard]] bool has_srq(const Program& program, const Step& step);

// The name of the queue in which a queue pair's requests or receives complete: "q0.send", "q0.receive", "shared1".
[[nodiscard]] std::string cq_name(const Program& program, std::size_t side, std::size_t connection, bool receive);

}  // namespace ndsim::reference
