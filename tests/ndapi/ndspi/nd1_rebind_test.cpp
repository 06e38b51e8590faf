// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// A window that its peer has invalidated is bound again without an Invalidate of its owner's.

namespace ndsim::test::nd1_rebind_test {

enum class Access : std::uint8_t { read, write };

HRESULT access(Nd1Party& a, Access kind, std::size_t number, const ND_MW_DESCRIPTOR& window) {
    return kind == Access::read ? a.read(number, 64, window) : a.write(number, 64, window);
}

// B's window of 4096 bytes has the first rights until A invalidates it. B then binds it with the second ones, to so
// many bytes. `attempts` is what A does next, and `fate` the results of all that it does.
void open_twice(DWORD first, DWORD second, const std::vector<Access>& attempts, const Nd1Ends& fate,
                SIZE_T length = 4096) {
    ND_MW_DESCRIPTOR before{};
    ND_MW_DESCRIPTOR after{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send_and_invalidate(1, 8, before) == ND_SUCCESS, "the window goes");
                          at_a = a.ended();
                          until_ms(a.os, 6);
                          std::size_t number = 2;
                          for (const Access kind : attempts) {
                              expect(access(a, kind, number++, after) == ND_SUCCESS, "it is posted");
                              at_a.push_back(a.ended().front());
                          }
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 65536) == ND_SUCCESS, "a Receive");
                     Nd1Window& window = b.open_window(0, 4096, first);
                     before = window.descriptor;
                     at_b = b.received(2);
                     expect(b.bind(10, window, 0, length, second) == ND_SUCCESS, "another Bind");
                     expect(b.ended() == Nd1Ends{{10, ND_SUCCESS}}, "it succeeds");
                     after = window.descriptor;
                     until_ms(b.os, 12);
                 }});
    CHECK(at_a == fate);
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}});
}

TEST_CASE("nd1: a window to write that comes back to be read can be read, but not written", "[R37][R108]") {
    open_twice(ND_OP_FLAG_ALLOW_WRITE, ND_OP_FLAG_ALLOW_READ, {Access::read, Access::write},
               {{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_REMOTE_ERROR}});
}

TEST_CASE("nd1: a window to read that comes back to be written can be written, but not read", "[R37][R109]") {
    open_twice(ND_OP_FLAG_ALLOW_READ, ND_OP_FLAG_ALLOW_WRITE, {Access::write, Access::read},
               {{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_REMOTE_ERROR}});
}

// 4096 bytes, then 32: A's 64 are too many.
TEST_CASE("nd1: a window that comes back shorter ends where it is said to end", "[R37][R110]") {
    open_twice(kReadWrite, kReadWrite, {Access::write}, {{1, ND_SUCCESS}, {2, ND_REMOTE_ERROR}}, 32);
}

}  // namespace ndsim::test::nd1_rebind_test
