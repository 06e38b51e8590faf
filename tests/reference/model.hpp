// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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
    std::uint8_t connection = 0;
    bool receive = false;
    bool takes_receive = false;  // a message for a receive of the peer
    bool silent = false;
    std::string label;  // "p3", unique in its host
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
    std::map<std::string, std::uint32_t> counts;  // completions by queue
};

// A step of which nobody can say whether it leaves a completion: a silent one that may fail, or one that is deferred
// when its connection breaks, before or after its post.
struct Doubt {
    std::size_t epoch = 0;
    std::size_t step = 0;
};

struct Prediction {
    std::vector<Request> requests;                   // in the order of epochs and steps, receives of an epoch first
    std::vector<std::array<Polls, kSides>> polls;    // after each epoch
    std::vector<std::vector<bool>> done;             // steps that are carried out: others would have no certain outcome
    std::array<std::vector<Origin>, kSides> memory;  // at the end
    std::array<std::uint32_t, kSides> completions{};
    std::array<bool, kSides> overruns{};
    std::vector<Doubt> doubts;
};

[[nodiscard]] Prediction predict(const Program& program);

// The same program with those steps neither silent nor deferred: a host has to know how many completions it polls for.
[[nodiscard]] Program settle(Program program);

}  // namespace ndsim::reference
