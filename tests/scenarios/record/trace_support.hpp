// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "tests/support/catch.hpp"

// What the tests of timeline.json share: its events, read again.
namespace ndsim::test {

// An event with the name of its track instead of numbers. Rows of a track, "A.nic.rx 2", count as the track.
struct ReadEvent {
    std::string phase;
    std::string track;
    std::uint64_t thread = 0;  // its row
    std::string name;
    Picoseconds start{};
    Picoseconds end{};
    std::uint64_t id = 0;
    nlohmann::json args;
};

// Microseconds with six decimals fit into a double to the picosecond for more than an hour.
inline Picoseconds time_of(const nlohmann::json& microseconds) {
    return Picoseconds{std::llround(microseconds.get<double>() * 1e6)};
}

// The events of a file but for its metadata, in its order.
inline std::vector<ReadEvent> read_trace(const std::string& text) {
    const nlohmann::json file = nlohmann::json::parse(text);
    CHECK(file.at("displayTimeUnit") == "ns");
    std::map<std::uint64_t, std::string> tracks;
    std::vector<ReadEvent> events;
    for (const nlohmann::json& event : file.at("traceEvents")) {
        const std::string phase = event.at("ph");
        if (phase == "M") {
            if (event.at("name") == "thread_name") {
                const std::string name = event.at("args").at("name");
                tracks[event.at("tid")] = name.substr(0, name.find(' '));
            }
            continue;
        }
        ReadEvent& read = events.emplace_back();
        read.phase = phase;
        read.thread = event.value("tid", std::uint64_t{0});
        read.track = read.thread == 0 ? "" : tracks.at(read.thread);
        read.name = event.value("name", "");
        read.start = time_of(event.at("ts"));
        read.end = read.start + (event.contains("dur") ? time_of(event.at("dur")) : Picoseconds{});
        read.id = event.value("id", std::uint64_t{0});
        read.args = event.value("args", nlohmann::json::object());
    }
    return events;
}

// The slices of a track.
inline std::vector<ReadEvent> slices_in(const std::vector<ReadEvent>& events, const std::string& track) {
    std::vector<ReadEvent> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found),
                 [&](const ReadEvent& event) { return event.phase == "X" && event.track == track; });
    return found;
}

// The tracks through which an arrow leads.
inline std::vector<std::string> way_of(const std::vector<ReadEvent>& events, std::uint64_t id) {
    std::vector<std::string> tracks;
    for (const ReadEvent& event : events) {
        if (event.id == id && (event.phase == "s" || event.phase == "t" || event.phase == "f")) {
            tracks.push_back(event.track);
        }
    }
    return tracks;
}

}  // namespace ndsim::test
