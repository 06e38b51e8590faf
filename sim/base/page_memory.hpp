// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ndsim {

// PageMemory: zeroed, page-aligned memory, so that addresses are the same in every run. Untouched pages cost address
// space only.
class PageMemory {
public:
    explicit PageMemory(std::uint64_t size);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    // Returns the pages to the operating system.
    struct Unmap {
        std::uint64_t mapped = 0;
        void operator()(std::byte* data) const;
    };
    std::uint64_t size_;
    std::unique_ptr<std::byte, Unmap> data_;
};

}  // namespace ndsim
