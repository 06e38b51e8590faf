// SPDX-License-Identifier: Apache-2.0
#include "models/parts/read_shapes.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::read_shapes_test {

// MRRS 512 B, MPS 256 B, RCB 64 B, 20 bytes of header on each completion.
PcieParams params() {
    PcieParams params;
    params.mrrs = Bytes{512};
    params.mps = Bytes{256};
    params.rcb = Bytes{64};
    params.completion_header = Bytes{20};
    return params;
}

TEST_CASE("read shapes: requests are cut at MRRS and 4 KiB, completions at MPS and RCB") {
    ReadShapes shapes(params());
    // 1000 bytes from 4096 - 100: 100 up to the boundary, then 512 and 388.
    const auto requests = shapes.of(Address{3996}, 1000);
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].length == 100);
    CHECK(requests[1].length == 512);
    CHECK(requests[2].length == 388);
    CHECK(requests[0].completed == 100 + 20);            // one completion
    CHECK(requests[1].completed == 120 + 512 + 2 * 20);  // 256 + 256
    CHECK(requests[2].completed == 672 + 388 + 2 * 20);  // 256 + 132
}

TEST_CASE("read shapes: a shape is not mistaken for another one") {
    ReadShapes shapes(params());
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t length = 1; length < 3000; length += 16) {
            std::uint64_t sum = 0;
            for (const ReadRequest& request : shapes.of(Address{64}, length)) {
                sum += request.length;
            }
            REQUIRE(sum == length);
            REQUIRE(shapes.of(Address{0}, 64).size() == 1);
        }
    }
}

}  // namespace ndsim::test::read_shapes_test
