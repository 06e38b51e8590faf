// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/parts/pcie_params.hpp"
#include "models/proto/tlp_cuts.hpp"

namespace ndsim {

// One request of a read: its length, and the bytes of the read's completions up to the request's last, headers
// included.
struct ReadRequest {
    std::uint32_t length = 0;
    std::uint64_t completed = 0;
};

// ReadShapes: how PCIe cuts reads into requests and completions. Recent shapes are remembered, since most reads look
// alike.
class ReadShapes {
public:
    explicit ReadShapes(const PcieParams& params)
        : mrrs_(static_cast<std::uint32_t>(params.mrrs.count)),
          mps_(static_cast<std::uint32_t>(params.mps.count)),
          rcb_(static_cast<std::uint32_t>(params.rcb.count)),
          header_(params.completion_header.count) {}

    // The requests of a read of [from, from + length), which is not empty. Valid until the next call.
    [[nodiscard]] std::span<const ReadRequest> of(Address from, std::uint32_t length) {
        const std::uint64_t offset = raw(from) % kPciePage;
        Shape& shape = recent_[(offset / 64 + length) % recent_.size()];
        if (shape.offset != offset || shape.length != length) {
            cut(shape, offset, length);
        }
        return shape.requests;
    }

private:
    // The requests of a read, by its offset in the page and its length.
    struct Shape {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
        std::vector<ReadRequest> requests;
    };

    void cut(Shape& shape, std::uint64_t offset, std::uint32_t length) const {
        shape.offset = offset;
        shape.length = length;
        shape.requests.clear();
        std::uint64_t completed = 0;
        for (Address from{offset}; length > 0;) {
            const std::uint32_t request = first_cut(from, length, mrrs_);
            completed += request + completion_count(from, request, mps_, rcb_) * header_;
            shape.requests.push_back({request, completed});
            from = from + request;
            length -= request;
        }
    }

    std::uint32_t mrrs_;
    std::uint32_t mps_;
    std::uint32_t rcb_;
    std::uint64_t header_;
    std::array<Shape, kPciePage / 64> recent_;  // reads of one length at all cache lines of a page
};

}  // namespace ndsim
