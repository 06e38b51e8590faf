// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/problems.hpp"

namespace ndsim {

// Whether something happens in every run that was tried, or in some.
enum class Certainty : std::uint8_t { will, may };
inline constexpr std::array<std::string_view, 2> kCertaintyNames{"will", "may"};

// The kinds of things foreseen.
enum class ForeseenKind : std::uint8_t {
    refused,       // a call returns an error
    fails,         // a request completes with an error, and its connection ends
    never_begins,  // a request waits in its queue for ever
    overruns,      // a completion queue gets more than it holds
    never_ends,    // a program waits for ever, or hardware asks for ever
    limit,         // limits.time ends the run
    unmet          // an expectation about requests is not met
};
inline constexpr std::array<std::string_view, 7> kForeseenKindNames{"refused",    "fails", "never_begins", "overruns",
                                                                    "never_ends", "limit", "unmet"};

// Something that will or may happen in a run.
struct Foreseen {
    Certainty certainty{};
    ForeseenKind kind{};
    Position at{};
    std::string path{};                   // of the operation, generator or expectation
    std::string queue{};                  // "A.q0", the request's queue pair or shared receive queue; may be empty
    std::string what{};                   // a sentence without a full stop
    std::string request{};                // "A.s1", the first request affected; empty: it has no label
    std::vector<std::string> statuses{};  // the request gets one of these; empty: none
    std::string advice{};                 // may be empty
};

// Where the runs were cut off, or left something out.
struct NotFollowed {
    Position at;
    std::string path;
    std::string why;
};

// How a run surely ends: at limits.time; with a program that still waits, at that limit or when nothing goes on any
// more; with an expectation that is not met; or with a connection ended by an error that no expectation asks for,
// unless the run ends in one of the other ways. Of the last two, timing may decide which.
enum class SureEnd : std::uint8_t { unknown, limit, waiting, unmet, broken, unmet_or_broken };

// All that is foreseen of a scenario.
struct Forecast {
    std::vector<Foreseen> foreseen;         // certain things first, each part in the order of the file
    std::vector<NotFollowed> not_followed;  // if empty, nothing else has failed in any run tried
    SureEnd end = SureEnd::unknown;
    std::uint64_t work = 0;  // that the runs took: items, and some more for building each
};

}  // namespace ndsim
