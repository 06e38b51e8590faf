// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ndsim {

// PageMemory: zeros, page-aligned, so that addresses are the same on every run. What is never touched costs address
// space only.
class PageMemory {
public:
    explicit PageMemory(std::uint64_t size);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    struct Unmap {
        std::uint64_t mapped = 0;
        void operator()(std::byte* data) const;
    };
    std::uint64_t size_;
    std::unique_ptr<std::byte, Unmap> data_;
};

}  // namespace ndsim
