// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test {

// A completion port for the file of a party, from now on.
class Nd2Port {
public:
    explicit Nd2Port(Nd2Party& party) : os_(party.os), handle_(os_.create_port(party.file, nullptr, kKey)) {
        expect(handle_ != nullptr, "a port");
    }
    // The packets that are there.
    std::vector<PortPacket> take() {
        std::vector<PortPacket> all;
        for (PortPacket packet; os_.dequeue(handle_, packet, 0) == ERROR_SUCCESS;) {
            expect(packet.key == kKey, "the key of the file");
            all.push_back(packet);
        }
        return all;
    }

private:
    static constexpr ULONG_PTR kKey = 4711;

    ProgramHost& os_;
    HANDLE handle_;
};

// A packet, as far as its request and how that ended.
struct Packet {
    const OVERLAPPED* overlapped = nullptr;
    HRESULT status = ND_PENDING;

    bool operator==(const Packet&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Packet& packet) {
        return out << "{" << packet.overlapped << ", status " << std::hex << static_cast<ULONG>(packet.status)
                   << std::dec << "}";
    }
};
inline std::vector<Packet> packets(Nd2Port& port) {
    std::vector<Packet> all;
    for (const PortPacket& packet : port.take()) {
        all.push_back({packet.overlapped, packet.status});
    }
    return all;
}

// The status of a request as it stands in memory, for one whose object is gone.
inline HRESULT left_in(const Nd2Call& call) {
    return static_cast<HRESULT>(call.overlapped.Internal);
}

// Fills the memory of a request with something, and tells later whether it still is.
inline void scribble(Nd2Call& call) {
    std::memset(&call.overlapped, 0xA5, sizeof call.overlapped);
}
inline bool is_scribbled(const Nd2Call& call) {
    OVERLAPPED as_left;
    std::memset(&as_left, 0xA5, sizeof as_left);
    return std::memcmp(&as_left, &call.overlapped, sizeof as_left) == 0;
}

}  // namespace ndsim::test
