// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/wqe_entry.hpp"

#include <cstring>

namespace ndsim::core {

void WqeEntry::put_options(const RequestOptions& options) {
    header.flags =
        static_cast<std::uint8_t>((options.silent ? 0 : kWqeSignaled) | (options.read_fence ? kWqeReadFence : 0) |
                                  (options.solicit ? kWqeSolicited : 0) | (options.inlined ? kWqeInline : 0));
}

void WqeEntry::put_inline(std::span<const LocalPiece> pieces) {
    std::byte* to = body();
    for (const LocalPiece& piece : pieces) {
        std::memcpy(to, piece.data, piece.length);
        to += piece.length;
    }
}

void WqeEntry::put_sges(const Driver& driver, std::span<const LocalPiece> pieces) {
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        write_wqe_sge(body(), i, sge_of(driver, pieces[i]));
    }
}

void WqeEntry::put_operation(const KeyOperation& operation) {
    header.count = static_cast<std::uint16_t>(operation.pages.size());
    header.token = raw(operation.key);
    write_wqe_key_operation(bytes_.data(), operation);
}

void WqeEntry::store(HostMemory& memory, const HostMemory::Region& ring, std::uint32_t ring_units, std::uint32_t at) {
    write_wqe_header(bytes_.data(), header);
    for (std::uint32_t unit = 0; unit < header.units(); ++unit) {
        const std::size_t place = std::size_t{(at + unit) % ring_units} * kWqeUnit;
        std::memcpy(ring.data + place, bytes_.data() + std::size_t{unit} * kWqeUnit, kWqeUnit);
        memory.software_wrote(ring.base + place, kWqeUnit);
    }
}

}  // namespace ndsim::core
