// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "scenarios/record/trace_units.hpp"

namespace ndsim {

namespace {

bool is_response(const Packet& packet) {
    return info(packet.opcode).operation == Operation::read_response;
}

// Requests of one queue pair leave in the order of their making, and so do its responses.
std::uint64_t stream_of(std::size_t host, QpNum qp, bool response) {
    return (std::uint64_t{host} << 33U) | (std::uint64_t{raw(qp)} << 1U) | (response ? 1U : 0U);
}

// The same number as in packets.pcapng.
std::uint64_t id_of(const Packet& packet) {
    return (std::uint64_t{raw(packet.from)} << 32U) | packet.number;
}

std::string_view said_by(const Aeth& aeth) {
    switch (aeth.syndrome) {
        case Aeth::kNakSequence:
            return "nak_sequence";
        case Aeth::kNakInvalidRequest:
            return "nak_invalid_request";
        case Aeth::kNakRemoteAccess:
            return "nak_remote_access";
        case Aeth::kNakRemoteOperational:
            return "nak_remote_operational";
        default:
            return (aeth.syndrome & Aeth::kNakSequence) == Aeth::kRnrNak ? "rnr_nak" : "ack";
    }
}

}  // namespace

TracePackets::TracePackets(TraceStream& stream, std::vector<Port> ports) : stream_(stream), ports_(std::move(ports)) {
    for (const Port& port : ports_) {
        if (!port.of_switch) {
            hosts_.push_back(port.name);
        }
    }
    stream_.wait_for([this] { return earliest(); });
}

LaneTap& TracePackets::tap(std::size_t from, std::size_t to, std::uint32_t lane, std::uint32_t flight) {
    taps_.push_back(std::make_unique<Tap>(*this, from, to, lane, flight));
    return *taps_.back();
}

void TracePackets::made(std::size_t host, const Made& packet) {
    if (stream_.takes(packet.point.at)) {
        made_[stream_of(host, packet.qp, packet.response)].push(packet);
    }
}

TracePackets::Ways::iterator TracePackets::find(const Packet& packet, Place place) {
    const auto [first, last] = ways_.equal_range({id_of(packet), packet.is_copy});
    const auto found = std::find_if(first, last, [&](const auto& way) { return way.second.place == place; });
    return found == last ? ways_.end() : found;
}

std::optional<TracePackets::Place> TracePackets::switch_of(std::size_t port) const {
    const auto number = ports_[port].of_switch;
    return number ? std::optional(Place{false, *number}) : std::nullopt;
}

void TracePackets::sent(const Tap& tap, const Packet& packet, Interval lane) {
    if (const auto here = switch_of(tap.from)) {
        if (const auto way = find(packet, *here); way != ways_.end()) {
            go_on(tap, way->second, lane);
        }
    } else if (stream_.takes(lane.start)) {
        leave(tap, packet, lane);
    }
}

void TracePackets::leave(const Tap& tap, const Packet& packet, Interval lane) {
    Way& way = ways_.insert({{id_of(packet), false}, {{}, {true, tap.lane}, tap.lane, lane, text_of(packet)}})->second;
    const auto made = take_made(tap.from, packet);
    if (const auto answered = answers_.take(tap.from, packet, made ? made->point.at : lane.start)) {
        way.points.push_back(*answered);
    }
    Picoseconds built = lane.start;
    if (made) {
        way.points.push_back(made->point);
        built = std::min(built, made->built);
    }
    // Events may be written now: the points so far must hold back what is later.
    way.points.push_back(show(ports_[tap.from].tx, {built, lane.end}, way.text + "}"));
}

// The packet leaves a switch's port, where it was in the queue.
void TracePackets::go_on(const Tap& tap, Way& way, Interval lane) {
    show_here(way, "");
    way.points.push_back(show(ports_[tap.from].tx, {std::min(way.here.end, lane.start), lane.end}, way.text + "}"));
    way.place = {true, tap.lane};
    way.track = tap.lane;
    way.here = lane;
    way.more.clear();
}

void TracePackets::arrives(const Tap& tap, const Packet& packet, Interval at) {
    const Port& port = ports_[tap.to];
    auto found = find(packet, {true, tap.lane});
    if (found != ways_.end()) {
        show_here(found->second, "");
        show(tap.flight, {found->second.here.end, at.end}, found->second.text + "}");
    } else if (packet.is_copy && stream_.takes(at.start)) {
        found = ways_.insert({{id_of(packet), true}, {{}, {true, tap.lane}, tap.lane, {}, text_of(packet)}});
    } else {
        return;  // recording has ended
    }
    Way& way = found->second;
    way.track = port.rx;
    way.here = {at.start, at.end + port.rx_pipe};
    way.more = packet.damaged ? R"(,"damaged":true)" : "";
    if (const auto place = switch_of(tap.to)) {
        way.place = *place;
        return;
    }
    show_here(way, "");
    if (info(packet.opcode).request && packet.opcode != Opcode::ud_send_only && stream_.takes(at.start)) {
        answers_.came(tap.to, packet, way.points.back());
    }
    end(found);
}

void TracePackets::end(Ways::iterator way) {
    draw(*way);
    ways_.erase(way);
}

// It is lost at the end of the lane, or in the switch behind it.
void TracePackets::lost(const Tap& tap, const Packet& packet) {
    auto way = find(packet, {true, tap.lane});
    if (const auto place = switch_of(tap.to); way == ways_.end() && place) {
        way = find(packet, *place);
    }
    if (way != ways_.end()) {
        show_here(way->second, R"(,"lost":true)");
        end(way);
    }
}

void TracePackets::close() {
    for (auto& way : ways_) {
        show_here(way.second, "");
        draw(way);
    }
    ways_.clear();
}

void TracePackets::show_here(Way& way, std::string_view more) {
    way.points.push_back(show(way.track, way.here, fmt::format("{}{}{}}}", way.text, way.more, more)));
}

TracePoint TracePackets::show(std::uint32_t track, Interval span, const std::string& text) {
    const std::uint64_t owner = stream_.new_owner();
    stream_.slice(track, span, owner, text);
    return {track, span.start, owner};
}

// The arrow with a packet's number is the original's.
void TracePackets::draw(const Ways::value_type& way) {
    const auto& [id, is_copy] = way.first;
    if (!is_copy) {
        stream_.arrow(way.second.points, fmt::format(R"("name":"packet","cat":"packet","id":{})", id));
    }
}

std::optional<TracePackets::Made> TracePackets::take_made(std::size_t host, const Packet& packet) {
    const auto found = made_.find(stream_of(host, packet.source, is_response(packet)));
    if (found == made_.end()) {
        return std::nullopt;
    }
    std::optional<Made> made;
    while (!made && !found->second.empty()) {
        const Made next = found->second.pop();
        made = next.psn == packet.psn.value() ? std::optional(next) : std::nullopt;
    }
    if (found->second.empty()) {
        made_.erase(found);
    }
    return made;
}

std::string TracePackets::text_of(const Packet& packet) const {
    Work work;
    work.request = packet.request;
    work.qp = packet.source;
    work.psn = packet.psn.value();
    work.bytes = packet.payload_bytes;
    std::string text =
        fmt::format(R"("name":"{}","cat":"packet","args":{{"packet":{}{},"to_qp":"{:#x}")", info(packet.opcode).name,
                    trace_text(fmt::format("{} of {}", packet.number, hosts_[raw(packet.from)])),
                    trace_members(work, hosts_), raw(packet.destination));
    const auto out = std::back_inserter(text);
    fmt::format_to(out, R"(,"wire_bytes":{})", wire_bytes(packet).count);
    if (info(packet.opcode).has(kIeth)) {
        fmt::format_to(out, R"(,"invalidates":"{:#x}")", raw(packet.key));
    }
    if (info(packet.opcode).has(kAeth)) {
        fmt::format_to(out, R"(,"says":"{}","msn":{})", said_by(packet.aeth), packet.aeth.msn);
    }
    return text + (packet.is_copy ? R"(,"copy":true)" : "");
}

Picoseconds TracePackets::earliest() const {
    Picoseconds earliest = Picoseconds::max();
    for (const auto& [key, made] : made_) {
        for (std::size_t i = 0; i < made.size(); ++i) {
            earliest = std::min(earliest, made[i].point.at);
        }
    }
    earliest = std::min(earliest, answers_.earliest());
    for (const auto& [key, way] : ways_) {
        earliest = std::min(earliest, way.here.start);
        for (const TracePoint& point : way.points) {
            earliest = std::min(earliest, point.at);
        }
    }
    return earliest;
}

}  // namespace ndsim
