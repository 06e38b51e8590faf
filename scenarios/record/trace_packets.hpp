// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/ports/lane.hpp"
#include "scenarios/record/trace_answers.hpp"
#include "sim/base/ring.hpp"
#include "sim/files/trace_stream.hpp"

namespace ndsim {

// TracePackets: packets in timeline.json: in the transmitter, on the lane, in flight, and in the receive pipeline; and
// the arrows along their ways, from the place of their making to the host of their arrival. The way of an
// acknowledgement, or of a Read's data, begins at the packet that it answers. A copy that a bad link makes is shown
// from its first arrival on, without an arrow.
class TracePackets {
public:
    // A host's port, or a switch's.
    struct Port {
        std::string name;       // of the host
        Picoseconds rx_pipe{};  // or the switch's latency
        std::uint32_t tx = 0;   // tracks
        std::uint32_t rx = 0;
        std::optional<std::uint32_t> of_switch = std::nullopt;  // its number
    };

    // The hosts' ports come first.
    TracePackets(TraceStream& stream, std::vector<Port> ports);

    // The watcher of the lane between two ports, which is shown in these tracks.
    [[nodiscard]] LaneTap& tap(std::size_t from, std::size_t to, std::uint32_t lane, std::uint32_t flight);
    // A packet that has been made and goes to the transmitter.
    struct Made {
        QpNum qp{};
        std::uint32_t psn = 0;
        TracePoint point;       // the slice of its making
        Picoseconds built{};    // its first grain
        bool response = false;  // to a Read
    };
    void made(std::size_t host, const Made& packet);
    // The run has ended; packets under way have not arrived.
    void close();

private:
    // Watches a lane.
    struct Tap final : LaneTap {
        Tap(TracePackets& of, std::size_t a, std::size_t b, std::uint32_t on_lane, std::uint32_t in_flight)
            : packets(of), from(a), to(b), lane(on_lane), flight(in_flight) {}
        void sent(const Packet& packet, Interval span) override { packets.sent(*this, packet, span); }
        void arrives(const Packet& packet, Interval at) override { packets.arrives(*this, packet, at); }
        void lost(const Packet& packet) override { packets.lost(*this, packet); }
        TracePackets& packets;
        const std::size_t from;
        const std::size_t to;
        const std::uint32_t lane;
        const std::uint32_t flight;
    };
    // A lane, by its track, or a switch, by its number.
    struct Place {
        bool is_lane = true;
        std::uint32_t number = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    // The way of a packet so far.
    struct Way {
        std::vector<TracePoint> points;
        Place place;
        std::uint32_t track = 0;  // of its next slice, which shows it on a lane or in a switch
        Interval here;            // the time of that slice
        std::string text;         // of its slices, without the last brackets
        std::string more{};       // of its next slice
    };
    // The number of a packet, and whether it is a copy. Copies of one packet differ only in where they are.
    using Ways = std::multimap<std::pair<std::uint64_t, bool>, Way>;

    void sent(const Tap& tap, const Packet& packet, Interval lane);
    void arrives(const Tap& tap, const Packet& packet, Interval at);
    void lost(const Tap& tap, const Packet& packet);
    [[nodiscard]] std::optional<Made> take_made(std::size_t host, const Packet& packet);
    [[nodiscard]] Ways::iterator find(const Packet& packet, Place place);
    [[nodiscard]] std::optional<Place> switch_of(std::size_t port) const;
    void leave(const Tap& tap, const Packet& packet, Interval lane);
    void end(Ways::iterator way);
    void go_on(const Tap& tap, Way& way, Interval lane);
    [[nodiscard]] std::string text_of(const Packet& packet) const;
    void draw(const Ways::value_type& way);
    void show_here(Way& way, std::string_view more);
    TracePoint show(std::uint32_t track, Interval span, const std::string& text);
    [[nodiscard]] Picoseconds earliest() const;

    TraceStream& stream_;
    const std::vector<Port> ports_;
    std::vector<std::string> hosts_;
    std::vector<std::unique_ptr<Tap>> taps_;
    std::unordered_map<std::uint64_t, Ring<Made>> made_;  // by host, kind and queue pair; in the order of leaving
    TraceAnswers answers_;
    Ways ways_;  // of packets that have left a host and not reached one
};

}  // namespace ndsim
