// SPDX-License-Identifier: Apache-2.0
#include "models/wire/cable.hpp"

#include <algorithm>
#include <array>

#include "models/parts/forward_grain.hpp"
#include "models/proto/lane_state.hpp"

namespace ndsim {

namespace {

constexpr std::array kCableStates{EngineState{EngineState::kIdle, ""},
                                  EngineState{EngineState::kBusy, "time in which a packet was on the lane"}};

}  // namespace

Cable::Cable(const sc_core::sc_module_name& name, Timeline& timeline, const LinkParams& params, Bytes forward_grain)
    : Unit(name, timeline),
      flight_(params.flight()),
      framing_(params.framing),
      forward_grain_(forward_grain),
      lane_(ExactRate::per_byte(params.rate)),
      times_(*this, {}, kCableStates) {
    in.bind(*this);
}

Interval Cable::put(const Packet& packet) {
    const Bytes total = wire_bytes(packet);
    const Interval lane = lane_.reserve(now(), total.count);
    times_.busy(lane);
    ++packets_;
    bytes_ += total.count;
    payload_bytes_ += packet.payload_bytes;
    packet_.set(lane_state(packet), lane.start);
    number_.set(static_cast<std::uint32_t>(packets_), lane.start);
    psn_.set(packet.psn.value(), lane.start);
    request_.set(packet.request, lane.start);
    packet_.set(0, lane.end);
    for (int i = 0; i < taps.size(); ++i) {
        taps[i]->sent(packet, lane);
    }

    // The receiver can start with the headers and the forward grain of payload.
    const Bytes behind_grain{packet.payload_bytes > forward_grain_.count ? packet.payload_bytes - forward_grain_.count
                                                                         : 0};
    const Picoseconds first = std::min(lane.end, lane.start + lane_.rate().time(total - behind_grain));
    const Interval arrives{first + flight_, lane.end + flight_};
    if (const std::uint32_t rest = grain_rest(forward_grain_, packet); rest > 0) {
        // The rest comes in packets like this one, without a gap.
        Packet arriving = packet;
        arriving.grain_rest =
            lane_.rate().time(rest + ceil_div(rest, packet.payload_bytes) * bytes_of(framing_).overhead);
        out->arrive(arriving, arrives);
    } else {
        out->arrive(packet, arrives);
    }
    return lane;
}

void Cable::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "packets carried");
    sink.add("bytes", bytes_, StatUnit::bytes, "bytes on the lane, including preamble and gap");
    sink.add("payload_bytes", payload_bytes_, StatUnit::bytes, "payload carried");
}

}  // namespace ndsim
