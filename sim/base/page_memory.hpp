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
    // The size of the pages that hold `size` bytes; at least one page.
    [[nodiscard]] static std::uint64_t whole_pages(std::uint64_t size);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint64_t size() const { return data_.get_deleter().size; }

private:
    // Returns the pages to the operating system.
    struct Unmap {
        std::uint64_t size = 0;
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Unmap> data_;
};

}  // namespace ndsim
