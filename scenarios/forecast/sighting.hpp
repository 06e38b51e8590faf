// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/forecast/foreseen.hpp"
#include "sim/base/units.hpp"

namespace ndsim::forecast {

// Something that one run of a scenario has shown.
struct Sighting {
    Foreseen said;           // without a certainty and `what`
    std::string subject;     // "A.s[2]"
    std::string verb;        // "fail with io_timeout"
    std::string why;         // a sentence; may be empty
    std::string thing;       // the same in each run that shows it
    std::size_t island = 0;  // of hosts that connections join: nothing follows from what another island shows
    Picoseconds at{};
};

// What one run of a scenario has shown.
struct Story {
    std::vector<Sighting> sightings;
    SureEnd end = SureEnd::unknown;
    std::string cut;                             // why the run was not followed to its end; empty: it was
    std::uint64_t items = 0;                     // of work
    Picoseconds ended{};                         // when the run ended, if it was not cut
    std::map<std::string, std::uint64_t> peaks;  // most completions that waited in a queue, "B.few", at a time
};

// For the way from a child process.
[[nodiscard]] std::string text_of(const Story& story);
[[nodiscard]] Story story_in(const std::string& text);

}  // namespace ndsim::forecast
