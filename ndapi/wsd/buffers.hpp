// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "ndapi/core/pieces.hpp"
#include "ndapi/wsd/registrations.hpp"

namespace ndsim::wsd {

// Whether these bytes can be a program's memory: some bytes, all in its half of the address space.
[[nodiscard]] inline bool is_user_memory(const VOID* from, std::uint64_t bytes) {
    constexpr std::uint64_t kUserEnd = std::uint64_t{1} << 47U;
    const auto address = reinterpret_cast<std::uint64_t>(from);
    return address != 0 && address < kUserEnd && bytes <= kUserEnd - address;
}

// A buffer of a transfer; the handle is set only if the call names one.
struct Buffer {
    MemoryRange range;
    HANDLE handle = nullptr;
};

// Buffers: a call's array of WSABUF or WSABUFEX. It is copied within the call, since the array may be on the caller's
// stack (C1).
class Buffers {
public:
    static constexpr DWORD kMost = kMostSges;

    // False if the array or a buffer is not the program's memory. Of too many buffers only the first are read.
    template <class Entry>
    [[nodiscard]] bool read(const Entry* array, DWORD count) {
        count_ = count;
        const DWORD known = std::min(count, kMost);
        if (count > 0 && !is_user_memory(array, std::uint64_t{count} * sizeof(Entry))) {
            return false;
        }
        for (DWORD i = 0; i < known; ++i) {
            const Entry& entry = array[i];
            if (entry.len > 0 && !is_user_memory(entry.buf, entry.len)) {
                return false;
            }
            buffers_[i].range = {reinterpret_cast<std::byte*>(entry.buf), entry.len};
            if constexpr (requires { entry.handle; }) {
                buffers_[i].handle = entry.handle;
            }
            total_ += entry.len;
        }
        return true;
    }
    // Length of the array, even above kMost.
    [[nodiscard]] DWORD count() const { return count_; }
    [[nodiscard]] std::span<const Buffer> get() const { return std::span(buffers_).first(std::min(count_, kMost)); }
    [[nodiscard]] std::uint64_t total() const { return total_; }

private:
    std::array<Buffer, kMost> buffers_{};
    DWORD count_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace ndsim::wsd
