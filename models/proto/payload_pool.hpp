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
// is handed out first, since it is still in the cache. A buffer may have several holders, none of whom writes to it.
class PayloadPool {
public:
    static constexpr std::size_t kBufferSize = 4096;

    [[nodiscard]] PayloadRef take();
    // One holder more, who gives it back as well.
    [[nodiscard]] PayloadRef share(PayloadRef buffer) {
        if (buffer != PayloadRef::none) {
            ++others_[index(buffer)];
        }
        return buffer;
    }
    // The last of its holders frees the buffer.
    void give(PayloadRef buffer) {
        if (buffer == PayloadRef::none) {
            return;
        }
        if (std::uint32_t& others = others_[index(buffer)]; others > 0) {
            --others;
        } else {
            free_.push_back(buffer);
        }
    }
    [[nodiscard]] std::byte* data(PayloadRef buffer) { return buffers_[index(buffer)]->data(); }
    // Buffers handed out and not yet given back.
    [[nodiscard]] std::size_t in_use() const { return buffers_.size() - free_.size(); }

private:
    using Buffer = std::array<std::byte, kBufferSize>;

    [[nodiscard]] static std::size_t index(PayloadRef buffer) { return static_cast<std::uint32_t>(buffer) - 1; }

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<std::uint32_t> others_;  // holders of each, besides one
    std::vector<PayloadRef> free_;
};

}  // namespace ndsim
