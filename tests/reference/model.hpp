// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "tests/reference/program.hpp"

// What the rules of NDKPI and of the wire say about a program, without time and without hardware. What is left to
// chance, such as how many messages arrive before a connection breaks for another reason, is told as what is allowed.
namespace ndsim::reference {

// What may become of a request; one or more of these.
enum Fate : std::uint8_t {
    kSucceeds = 1,
    kCancelled = 2,
    kFails = 4,    // with the status in `failure`
    kRefused = 8,  // by the call itself, with the status in `failure`
    kLost = 16,    // its completion queue has overrun: no completion
    kPending = 32  // deferred, and never announced
};

struct Request {
    std::size_t epoch = 0;
    std::size_t step = 0;
    std::uint8_t side = 0;
    std::uint8_t connection = 0;  // of a shared receive: that of the message which has taken it
    bool receive = false;
    bool shared = false;         // a receive of a shared queue
    bool by_chance = false;      // messages of several connections were for receives like it
    bool takes_receive = false;  // a message for a receive of the peer
    bool silent = false;
    bool may_be_refused = false;  // with connection_invalid, or it ends as it may [K163]
    std::string label;            // "p3", unique in its host
    std::uint8_t fates = kPending;
    std::string failure;      // "buffer_overflow" ...
    std::uint32_t bytes = 0;  // of a receive that succeeds
};

// Where a byte of memory comes from: an address in one of the two memories as they were at the start.
using Origin = std::uint32_t;
inline constexpr Origin kUndefined = ~Origin{0};
[[nodiscard]] constexpr Origin origin(std::size_t side, std::uint32_t offset) {
    return static_cast<Origin>(side) * kMemory + offset;
}

// What a host does after its posts of an epoch, in addition to what the program says.
struct Polls {
    std::vector<std::string> waits;               // queues of which a notification must have come
    std::map<std::string, std::uint32_t> counts;  // completions by queue
};

// A step that makes it a matter of chance which completions come, and how the program is made certain.
struct Doubt {
    enum class Remedy : std::uint8_t {
        announce,  // a silent one that may fail, or one that is deferred when its connection breaks, is neither
        fence,     // one that changes what an earlier Read fills waits for that
        omit       // a message for a shared queue of which it is not certain whether it takes a receive, or which, or
                   // a request that is not meant to fail
    };
    std::size_t epoch = 0;
    std::size_t step = 0;
    Remedy remedy = Remedy::announce;
};

// Messages of several connections that took the receives of one shared queue in an epoch: those of a connection in
// their order, and receives in theirs, but how connections took turns is a matter of chance.
struct Contest {
    std::vector<std::size_t> receives;                // requests
    std::vector<std::vector<std::uint32_t>> lengths;  // of the messages, by connection
};

// How often a host is notified; nothing if that is a matter of chance.
struct Notified {
    std::optional<std::uint32_t> by_cqs = 0;
    std::optional<std::uint32_t> by_srq = 0;
};

struct Prediction {
    std::vector<Request> requests;                   // in the order of epochs and steps, receives of an epoch first
    std::vector<std::array<Polls, kSides>> polls;    // after each epoch
    std::vector<std::vector<bool>> done;             // steps that are carried out: others would have no certain outcome
    std::array<std::vector<Origin>, kSides> memory;  // at the end
    std::array<std::uint32_t, kSides> completions{};
    std::array<bool, kSides> overruns{};
    std::array<std::uint32_t, kSides> refused{};  // posts and changes
    std::array<Notified, kSides> notified;
    std::vector<Contest> contests;
    std::vector<Doubt> doubts;
    std::vector<std::uint8_t> held;  // connections of which messages wait for a shared receive at the end
};

[[nodiscard]] Prediction predict(const Program& program);

// The same program without doubts: a host has to know how many completions it polls for. Nothing waits at its end, or
// the hardware would never come to rest.
[[nodiscard]] Program settle(Program program);

}  // namespace ndsim::reference
