// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "models/host/host_memory.hpp"

namespace ndsim::core {

// LogicalMapping: a program's buffer in the addresses of the NIC's bus, page by page, as long as the object lives.
class LogicalMapping {
public:
    LogicalMapping(HostMemory& memory, std::byte* data, std::uint64_t length)
        : memory_(memory),
          first_byte_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data) % HostMemory::kPage)),
          pages_(memory.attach_pages(data, length)) {}
    LogicalMapping(const LogicalMapping&) = delete;
    LogicalMapping& operator=(const LogicalMapping&) = delete;
    ~LogicalMapping() {
        std::uint32_t in_page = first_byte_;
        for (const Address page : pages_) {
            memory_.remove(page + in_page);
            in_page = 0;
        }
    }

    [[nodiscard]] const std::vector<Address>& pages() const { return pages_; }
    // Offset of the buffer in its first page.
    [[nodiscard]] std::uint32_t first_byte() const { return first_byte_; }

private:
    HostMemory& memory_;
    const std::uint32_t first_byte_;
    const std::vector<Address> pages_;
};

}  // namespace ndsim::core
