// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// Whether something comes true whatever the timing, or is a matter of it.
enum class Certainty : std::uint8_t { will, may };
inline constexpr std::array<std::string_view, 2> kCertaintyNames{"will", "may"};

enum class ForeseenKind : std::uint8_t {
    refused,       // a call returns an error
    fails,         // a request completes with an error, and its connection ends
    never_begins,  // a request waits in its queue for ever
    overruns,      // a completion queue gets more than it holds
    never_ends,    // a program waits for ever, or hardware asks for ever
    limit          // limits.time ends the run
};
inline constexpr std::array<std::string_view, 6> kForeseenKindNames{"refused",  "fails",      "never_begins",
                                                                    "overruns", "never_ends", "limit"};

// What comes of a scenario, as far as that is known without running it.
struct Foreseen {
    Certainty certainty{};
    ForeseenKind kind{};
    Position at{};
    std::string path{};                   // of the operation, or of the generator
    std::string queue{};                  // "A.q0", the queue pair or shared receive queue of the request; may be empty
    std::string what{};                   // a sentence without a full stop
    std::string request{};                // "A.s1", the first one that it happens to; empty: it has no label
    std::vector<std::string> statuses{};  // one of which the request gets; empty: none
    std::string advice{};                 // may be empty
};

// Where following the programs comes to an end, or leaves something out.
struct NotFollowed {
    Position at;
    std::string path;
    std::string why;
};

struct Forecast {
    std::vector<Foreseen> foreseen;         // what is certain first, each part in the order of the file
    std::vector<NotFollowed> not_followed;  // if there is none, nothing else can fail
};

// A pure function of the scenario: no simulation, no SystemC.
[[nodiscard]] Forecast foresee(const Scenario& scenario);

// How a run surely ends: at limits.time; with somebody who still waits, at that limit or when nothing goes on any more;
// with an expectation that is not met, or with a connection that an error ended and no expectation asks for, unless it
// ends in one of these ways.
enum class SureEnd : std::uint8_t { unknown, limit, waiting, unmet, broken };
[[nodiscard]] SureEnd sure_end(const Scenario& scenario, const Forecast& forecast);

}  // namespace ndsim
