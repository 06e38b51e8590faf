// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_window_race_test {

const std::vector<std::string> kInfiniband{"profile=infiniband"};

// A writes all of B's buffer, 1 MiB, through a window, which takes 84 us at 100 Gbps. When the first byte is there, B
// invalidates the window.
void invalidate_under_way(HRESULT status, const std::vector<std::string>& overrides = {}) {
    Nd2Place place;
    Endings at_a;
    bool complete = true;
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place&) {
                 std::memset(a.buffer.data(), 0x5A, a.buffer.size());
                 expect(a.write(static_cast<ULONG>(a.buffer.size()), place, 0, context(1)) == ND_SUCCESS,
                        "a Write of everything");
                 at_a = next(a);
             }},
        {.program =
             [&](Nd2Party& b, const Nd2Place&) {
                 Ref<IND2MemoryWindow> window;
                 make_window(b, window);
                 expect(bind(b, *b.qp.get(), *window.get(), 0, b.buffer.size(), ND_OP_FLAG_ALLOW_WRITE) == ND_SUCCESS,
                        "a Bind");
                 next(b);
                 place = place_of(b, *window.get(), 0);
                 while (b.buffer.front() != std::byte{0x5A}) {
                     b.os.interlocked();
                 }
                 expect(b.qp->Invalidate(nullptr, window.get(), 0) == ND_SUCCESS, "an Invalidate");
                 until_ms(b.os, 10);
                 complete = b.buffer.back() == std::byte{0x5A};
             }},
        overrides);
    CHECK(at_a == Endings{{kWrite, status, 1}});
    CHECK_FALSE(complete);
}

TEST_CASE("nd2: a window that closes under a Write makes the Write fail", "[R55]") {
    invalidate_under_way(ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a window that closes under a Write makes it fail, by InfiniBand's codes", "[R55]") {
    invalidate_under_way(ND_ACCESS_VIOLATION, kInfiniband);
}

}  // namespace ndsim::test::nd2_window_race_test
