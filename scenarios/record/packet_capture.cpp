// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/packet_capture.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace ndsim {

bool PacketCapture::Later::operator()(const Sighting& a, const Sighting& b) const {
    const auto key = [](const Sighting& s) { return std::tuple(s.at, s.port, s.outbound, s.seen->id); };
    return key(a) > key(b);
}

PacketCapture::PacketCapture(CaptureOptions options, std::vector<CaptureHost> hosts,
                             std::span<const std::string> other_ports, PayloadPool& payloads)
    : options_(std::move(options)), hosts_(std::move(hosts)), payloads_(payloads) {
    try {
        file_ = std::make_unique<PcapngFile>(options_.path, options_.max_size);
        for (const CaptureHost& host : hosts_) {
            file_->add_interface(host.name + ".nic");
        }
        for (const std::string& port : other_ports) {
            file_->add_interface(port);
        }
    } catch (const std::system_error& error) {
        give_up(error);
    }
}

LaneTap& PacketCapture::tap(std::size_t from, std::size_t to) {
    taps_.push_back(std::make_unique<Tap>(*this, from, to));
    return *taps_.back();
}

void PacketCapture::sent(const Tap& tap, const Packet& packet, Picoseconds leaves) {
    if (!file_) {
        return;
    }
    write_before(leaves);  // later reports begin now, or later
    if (leaves >= options_.start && leaves <= options_.stop) {
        sightings_.push({leaves, tap.from, true, seen(packet)});
    }
}

void PacketCapture::arrives(const Tap& tap, const Packet& packet, Picoseconds when) {
    if (file_ && when >= options_.start && when <= options_.stop) {
        sightings_.push({when, tap.to, false, seen(packet)});
    }
}

std::shared_ptr<const PacketCapture::Seen> PacketCapture::seen(const Packet& packet) {
    const CaptureHost& from = hosts_[raw(packet.from)];
    auto whole = std::make_shared<Seen>();
    if (packet.request.number != 0) {
        whole->name = fmt::format("request {}.{}, ", hosts_[raw(packet.request.host)].name, packet.request.number);
    }
    whole->name += fmt::format("packet {} of {}", packet.number, from.name);
    whole->id = (std::uint64_t{raw(packet.from)} << 32U) | packet.number;
    std::span<const std::byte> payload;
    if (packet.payload_bytes > 0) {
        payload = {payloads_.data(packet.payload), packet.payload_bytes};
    }
    whole->frame = wire_frame(packet, from.address, hosts_[raw(packet.to)].address, payload);
    return whole;
}

void PacketCapture::write_before(Picoseconds limit) {
    try {
        while (file_ && !sightings_.empty() && sightings_.top().at < limit) {
            write(sightings_.top());
            sightings_.pop();
        }
    } catch (const std::system_error& error) {
        give_up(error);
    }
}

void PacketCapture::write(const Sighting& sighting) {
    const std::string comment = fmt::format("{}, at {} ps", sighting.seen->name, sighting.at.count());
    const bool fits = file_->add({static_cast<std::uint32_t>(sighting.port), sighting.outbound, sighting.at,
                                  sighting.seen->id, comment, sighting.seen->frame});
    if (!fits) {
        cut_at_ = sighting.at;
        file_->close();
        file_.reset();
    }
}

std::optional<std::string> PacketCapture::close(Picoseconds end) {
    write_before(end + Picoseconds{1});
    try {
        if (file_) {
            file_->close();
        }
    } catch (const std::system_error& error) {
        give_up(error);
    }
    file_.reset();
    return error_;
}

void PacketCapture::give_up(const std::system_error& error) {
    error_ = options_.path + ": " + error.code().message();
    file_.reset();
}

}  // namespace ndsim
