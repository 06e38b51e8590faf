// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/record/trace_packets.hpp"
#include "scenarios/record/trace_requests.hpp"
#include "scenarios/record/trace_units.hpp"
#include "scenarios/world/world.hpp"
#include "sim/files/trace_stream.hpp"

namespace ndsim {

// TraceRecorder: writes timeline.json during the run: a group of tracks for each host and each link, and a track for
// each unit. It listens to what the hardware shows anyway; nothing in the run depends on it.
class TraceRecorder {
public:
    // All watchable units must already exist. `next_begins`: every request still to be posted began then or later,
    // unless that time lies ahead of the present.
    TraceRecorder(TraceOptions options, World& world, std::function<Picoseconds()> next_begins);

    [[nodiscard]] bool is_open() const { return stream_.is_open(); }
    // Writes the events up to `end`. Returns why the file is incomplete, if it is.
    [[nodiscard]] std::optional<std::string> close(Picoseconds end, bool is_cut_off);
    // If the file reached its size limit: the time of the first missing event.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return stream_.cut_at(); }

private:
    void add_host(std::size_t host, std::span<const Unit* const> units);
    void add_queues(const Unit& watch, std::uint32_t process);
    void add_probe(std::size_t host, const Unit& unit, std::string_view name, std::uint32_t track);
    void add_switches();
    void add_links();
    [[nodiscard]] std::uint32_t add_track(std::uint32_t process, std::string name);

    World& world_;
    TraceStream stream_;
    TraceRequests requests_;
    TraceUnits units_;
    std::optional<TracePackets> packets_;
    std::map<std::string, Unit*> by_name_;
    std::vector<TracePackets::Port> ports_;
    std::uint32_t last_place_ = 0;  // of a track
};

}  // namespace ndsim
