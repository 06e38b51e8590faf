// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "models/ports/lane.hpp"
#include "models/proto/wire_format.hpp"
#include "sim/files/pcapng_file.hpp"

namespace ndsim {

// Options of packets.pcapng.
struct CaptureOptions {
    std::string path;
    // The window, both ends included.
    Picoseconds start{};
    Picoseconds stop = Picoseconds::max();
    Bytes max_size{UINT64_MAX};
};

// A host with its port, in the order of the hosts.
struct CaptureHost {
    std::string name;
    PortAddress address;
};

// PacketCapture: writes packets.pcapng during the run. A packet is in it twice for each cable: as it starts at the
// sending port, and when its last byte is at the receiving port. Packets are in time order, and in one picosecond in
// the order of the ports. A failed write is reported by close(), and the run goes on.
class PacketCapture {
public:
    // The ports are those of the hosts' NICs, then others, such as "s0.A".
    PacketCapture(CaptureOptions options, std::vector<CaptureHost> hosts, std::span<const std::string> other_ports,
                  PayloadPool& payloads);

    // The watcher of the lane between two ports.
    [[nodiscard]] LaneTap& tap(std::size_t from, std::size_t to);
    // Whether the file is open and takes more packets.
    [[nodiscard]] bool is_open() const { return file_ != nullptr; }
    // Writes the packets up to `end`. Returns why the file is incomplete, if it is.
    [[nodiscard]] std::optional<std::string> close(Picoseconds end);
    // If the file reached its size limit: the time of the first missing packet.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return cut_at_; }

private:
    // Watches a lane.
    struct Tap final : LaneTap {
        Tap(PacketCapture& of, std::size_t a, std::size_t b) : capture(of), from(a), to(b) {}
        void sent(const Packet& packet, Interval lane) override { capture.sent(*this, packet, lane.start); }
        void arrives(const Packet& packet, Interval at) override { capture.arrives(*this, packet, at.end); }
        PacketCapture& capture;
        const std::size_t from;
        const std::size_t to;
    };
    // A packet on its way.
    struct Seen {
        std::string name;  // "request A.12, packet 7 of A"
        std::uint64_t id = 0;
        std::vector<std::byte> frame;
    };
    // A packet at one of its two ports.
    struct Sighting {
        Picoseconds at{};
        std::size_t port = 0;
        bool outbound = false;
        std::shared_ptr<const Seen> seen;
    };
    // Orders sightings by time.
    struct Later {
        bool operator()(const Sighting& a, const Sighting& b) const;
    };

    void sent(const Tap& tap, const Packet& packet, Picoseconds leaves);
    void arrives(const Tap& tap, const Packet& packet, Picoseconds when);
    [[nodiscard]] std::shared_ptr<const Seen> seen(const Packet& packet);
    void write_before(Picoseconds limit);
    void write(const Sighting& sighting);
    void give_up(const std::system_error& error);

    const CaptureOptions options_;
    const std::vector<CaptureHost> hosts_;
    PayloadPool& payloads_;
    std::unique_ptr<PcapngFile> file_;  // none: recording has ended
    std::vector<std::unique_ptr<Tap>> taps_;
    std::priority_queue<Sighting, std::vector<Sighting>, Later> sightings_;
    std::optional<Picoseconds> cut_at_;
    std::optional<std::string> error_;
};

}  // namespace ndsim
