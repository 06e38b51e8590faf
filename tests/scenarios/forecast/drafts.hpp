// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// Random scenarios of two programs that work together: exchanges in which nothing is left to timing, and slips, each of
// which spoils one line of a program.
namespace ndsim::test {

inline constexpr std::size_t kLines = 2;   // connections: q0 and q1
inline constexpr std::size_t kSlows = 14;  // ways in which a host is slow; the first: it is not

enum class ExchangeKind : std::uint8_t { messages, refill, write, read, window, sleep };

// What one host does with the other's help, over one connection.
struct Exchange {
    ExchangeKind kind = ExchangeKind::messages;
    std::uint8_t side = 0;
    std::uint8_t line = 0;
    std::uint8_t count = 1;
    std::uint32_t size = 64;
    bool silent = false;  // all messages but the last
    bool defer = false;   // likewise
    bool by_event = false;
};

enum class SlipKind : std::uint8_t { none, drop, repeat, swap, resize, poll_more, poll_less, silence, defer, flush };

struct Slip {
    SlipKind kind = SlipKind::none;
    std::uint16_t where = 0;
};

struct Draft {
    bool infiniband = false;
    std::array<std::uint8_t, 2> apis{};       // of kApiNames, but the last
    std::array<std::uint8_t, 2> overflows{};  // of kOverflowNames
    std::uint32_t rnr_retry = 6;
    std::array<std::uint8_t, 2> slow{};  // below kSlows
    std::array<std::uint32_t, 2> sq_depths{16, 16};
    std::array<std::uint32_t, 2> rq_depths{16, 16};
    std::array<std::uint32_t, 2> cq_depths{1024, 1024};
    bool shares_cq = false;                 // one for all completions of a host
    std::array<bool, 2> shares_receives{};  // one queue of receives for all queue pairs of a host
    bool connects = false;                  // A's program makes the connections
    bool disconnects = false;
    bool expects = false;       // that all messages succeed
    std::uint8_t ahead = 2;     // receives that each queue pair has before anything is sent
    std::uint32_t pause = 200;  // microseconds until that
    std::vector<Exchange> exchanges;
    std::vector<Slip> slips;
};

[[nodiscard]] rc::Gen<Draft> random_drafts();
// The scenario file. All requests are labelled.
[[nodiscard]] std::string text_of(const Draft& draft);

}  // namespace ndsim::test
