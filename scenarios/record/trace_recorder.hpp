// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/record/trace_packets.hpp"
#include "scenarios/record/trace_requests.hpp"
#include "scenarios/record/trace_units.hpp"
#include "scenarios/world/world.hpp"
#include "sim/files/trace_stream.hpp"

namespace ndsim {

// TraceRecorder: writes timeline.json while the run goes on: a group of tracks for each host and each link, and a track
// for each unit. It listens to what the hardware shows of itself anyway; nothing in the run depends on it.
class TraceRecorder {
public:
    // Everything that can be watched has been made before. `next_begins`: no request that is still to be posted began
    // earlier, unless that is later than the present time.
    TraceRecorder(TraceOptions options, World& world, std::function<Picoseconds()> next_begins);

    [[nodiscard]] bool is_open() const { return stream_.is_open(); }
    // Writes what was seen up to `end`. Why the file is not whole, if it is not.
    [[nodiscard]] std::optional<std::string> close(Picoseconds end);
    // If the file came to its size limit: the time of the first event that is missing.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return stream_.cut_at(); }

private:
    void add_host(std::size_t host);
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
