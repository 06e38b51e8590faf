// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ndsim {

// A buffer of the pool; 0 is no buffer.
enum class PayloadRef : std::uint32_t { none = 0 };

// PayloadPool: buffers of one MTU for bytes under way, shared by all nodes of a simulation. The one last given back
// is handed out first, since it is still in the cache.
class PayloadPool {
public:
    static constexpr std::size_t kBufferSize = 4096;

    [[nodiscard]] PayloadRef take();
    void give(PayloadRef buffer) {
        if (buffer != PayloadRef::none) {
            free_.push_back(buffer);
        }
    }
    [[nodiscard]] std::byte* data(PayloadRef buffer) {
        return buffers_[static_cast<std::uint32_t>(buffer) - 1]->data();
    }
    // Buffers handed out and not yet given back.
    [[nodiscard]] std::size_t in_use() const { return buffers_.size() - free_.size(); }

private:
    using Buffer = std::array<std::byte, kBufferSize>;

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<PayloadRef> free_;
};

}  // namespace ndsim
