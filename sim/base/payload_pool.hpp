// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ndsim {

// A buffer of the pool; 0 is no buffer.
enum class PayloadRef : std::uint32_t { none = 0 };

// Whether the bytes of messages are moved, or only their lengths are known. The choice changes no times.
enum class PayloadMode : std::uint8_t { bytes, timing };
inline constexpr std::array<std::string_view, 2> kPayloadModeNames{"bytes", "timing"};

// PayloadPool: buffers of one MTU for bytes under way, shared by all nodes of a simulation. The buffer last returned is
// handed out first, since it is still in the cache. A buffer may have several holders, none of which writes to it. If
// the bytes of messages are not moved, all messages have the same buffer, full of zeros.
class PayloadPool {
public:
    static constexpr std::size_t kBufferSize = 4096;

    explicit PayloadPool(PayloadMode mode = PayloadMode::bytes);

    // For bytes that the NIC or the driver writes.
    [[nodiscard]] PayloadRef take();
    // For bytes of a message.
    [[nodiscard]] PayloadRef take_for_message() { return zeros_ == PayloadRef::none ? take() : zeros_; }
    // Whether bytes are moved from, or to, this place.
    [[nodiscard]] bool has_bytes(PayloadRef buffer) const { return buffer != zeros_; }
    [[nodiscard]] bool has_bytes(const std::byte* place) const {
        return reinterpret_cast<std::uintptr_t>(place) - zeros_at_ >= kBufferSize;
    }
    // Adds a holder, which gives the buffer back as well.
    [[nodiscard]] PayloadRef share(PayloadRef buffer) {
        if (is_counted(buffer)) {
            ++others_[index(buffer)];
        }
        return buffer;
    }
    // The last of its holders frees the buffer.
    void give(PayloadRef buffer) {
        if (!is_counted(buffer)) {
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
    [[nodiscard]] std::size_t in_use() const {
        return buffers_.size() - free_.size() - (zeros_ == PayloadRef::none ? 0 : 1);
    }

private:
    using Buffer = std::array<std::byte, kBufferSize>;

    [[nodiscard]] bool is_counted(PayloadRef buffer) const { return buffer != PayloadRef::none && buffer != zeros_; }

    [[nodiscard]] static std::size_t index(PayloadRef buffer) { return static_cast<std::uint32_t>(buffer) - 1; }

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<std::uint32_t> others_;  // holders of each, besides the first
    std::vector<PayloadRef> free_;
    PayloadRef zeros_ = PayloadRef::none;
    std::uintptr_t zeros_at_ = 0;
};

}  // namespace ndsim
