// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"
#include "tests/ndapi/ndspi/nd1_link.hpp"

// Windows: whom they let do what. B owns them, A is the peer.

namespace ndsim::test::nd1_window_test {

constexpr SIZE_T kLength = 4096;

using Use = std::function<HRESULT(Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open)>;
const Use kRead = [](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
    return a.read(number, 64, open);
};
const Use kWrite = [](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
    return a.write(number, 64, open);
};

// B's memory, which begins with a window of these rights, when all is over.
struct Used {
    Nd1Fate fate;
    bool unchanged = false;     // in the window
    bool clean_behind = false;  // behind it
};
Used use_window(DWORD rights, const Use& request, const std::vector<std::string>& overrides = {}) {
    ND_MW_DESCRIPTOR open{};
    Used used;
    used.fate = fate_of(
        [&](Nd1Party& a) {
            a.fill(0, 1024, 0x99);
            return request(a, 1, open);
        },
        [&](Nd1Party& b) {
            expect(b.receive(1, 64, 65536) == ND_SUCCESS, "a Receive");
            open = b.open_window(0, kLength, rights).descriptor;
        },
        overrides,
        [&](Nd1Party& b) {
            used.unchanged = b.holds(0, kLength, 0);
            used.clean_behind = b.holds(kLength, kLength, 0);
        });
    return used;
}

void check_refused(const Used& used, HRESULT status) {
    check_fatal(used.fate, status);
    CHECK(used.fate.at_b == Nd1Ends{{1, ND_CANCELED}});
    CHECK(used.clean_behind);
}

// First what is allowed, then what is not.
Use after(const Use& allowed, const Use& forbidden) {
    return [=](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
        expect(allowed(a, 10, open) == ND_SUCCESS, "what is allowed");
        expect(a.ended() == Nd1Ends{{10, ND_SUCCESS}}, "it succeeds");
        return forbidden(a, number, open);
    };
}

// Half of it is behind the end.
const Use kWriteBeyond = [](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
    return a.write(number, 64, open, 0, kLength - 32);
};
const Use kReadBeyond = [](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
    return a.read(number, 64, open, 0, kLength - 32);
};

Nd1Fate fate_of_bind_outside(const std::vector<std::string>& overrides = {}) {
    return fate_of([](Nd1Party& a) { return a.bind(1, a.new_window(), a.buffer.size() - 32, 64, kReadWrite); },
                   [](Nd1Party& b) { expect(b.receive(1, 64) == ND_SUCCESS, "a Receive"); }, overrides);
}

TEST_CASE("nd1: a window for reading cannot be written to", "[R108]") {
    const Used used = use_window(ND_OP_FLAG_ALLOW_READ, after(kRead, kWrite));
    check_refused(used, ND_REMOTE_ERROR);
    CHECK(used.unchanged);
}

TEST_CASE("nd1: a window for reading cannot be written to, by the field's code", "[R108]") {
    const Used used = use_window(ND_OP_FLAG_ALLOW_READ, kWrite, kInfiniband);
    check_refused(used, ND_ACCESS_VIOLATION);
    CHECK(used.unchanged);
}

TEST_CASE("nd1: a window for writing cannot be read", "[R109]") {
    check_refused(use_window(ND_OP_FLAG_ALLOW_WRITE, after(kWrite, kRead)), ND_REMOTE_ERROR);
}

TEST_CASE("nd1: a window that is bound without rights lets nothing pass", "[B10]") {
    const Used used = use_window(0, kWrite);
    check_refused(used, ND_REMOTE_ERROR);
    CHECK(used.unchanged);
}

TEST_CASE("nd1: a Write up to a window's end succeeds, one beyond it is fatal and changes nothing there", "[R110]") {
    const Use up_to_end = [](Nd1Party& a, std::size_t number, const ND_MW_DESCRIPTOR& open) {
        return a.write(number, 64, open, 0, kLength - 64);
    };
    check_refused(use_window(kReadWrite, after(up_to_end, kWriteBeyond)), ND_REMOTE_ERROR);
}

TEST_CASE("nd1: a Read beyond a window's end is fatal", "[R110]") {
    check_refused(use_window(kReadWrite, kReadBeyond), ND_REMOTE_ERROR);
}

TEST_CASE("nd1: a Bind outside of its registration fails", "[R111][R104]") {
    const Nd1Fate fate = fate_of_bind_outside();
    check_fatal(fate, ND_INVALID_REQUEST);
    CHECK(fate.at_b == Nd1Ends{{1, ND_CANCELED}});
}

TEST_CASE("nd1: a Bind outside of its registration fails, by the field's code", "[R111]") {
    check_fatal(fate_of_bind_outside(kInfiniband), ND_ACCESS_VIOLATION);
}

// B does not wait for the Bind before it sends the descriptor, as 20 bytes in network byte order.
TEST_CASE("nd1: a descriptor is there when Bind returns, and may be sent at once", "[R113]") {
    ND_MW_DESCRIPTOR told{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    bool written = false;
    run_nd1_pair({.before = [](Nd1Party& a) { expect(a.receive(1, 64, 8192) == ND_SUCCESS, "for the descriptor"); },
                  .program =
                      [&](Nd1Party& a) {
                          expect(a.received() == Nd1Ends{{1, ND_SUCCESS}}, "it comes");
                          std::memcpy(&told, a.buffer.data() + 8192, sizeof told);
                          a.fill(0, 64, 0x55);
                          expect(a.write(2, 64, told, 0, 100) == ND_SUCCESS, "a Write");
                          at_a = a.ended();
                      }},
                 {.program = [&](Nd1Party& b) {
                     Nd1Window& window = b.new_window();
                     expect(b.bind(1, window, 4096, 0x1234, ND_OP_FLAG_ALLOW_WRITE) == ND_SUCCESS, "a Bind");
                     std::memcpy(b.buffer.data(), &window.descriptor, sizeof window.descriptor);
                     expect(b.send(2, sizeof window.descriptor) == ND_SUCCESS, "a Send");
                     at_b = b.ended(2);
                     until_ms(b.os, 10);
                     written = b.holds(4096, 100, 0) && b.holds(4196, 64, 0x55) && b.holds(4260, 100, 0);
                 }});
    CHECK(sizeof told == 20);
    std::array<unsigned char, 8> length{};
    std::memcpy(length.data(), &told.Length, sizeof told.Length);
    CHECK(length == std::array<unsigned char, 8>{0, 0, 0, 0, 0, 0, 0x12, 0x34});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(at_a == Nd1Ends{{2, ND_SUCCESS}});
    CHECK(written);
}

TEST_CASE("nd1: a window is bound once at a time, and holds its registration", "[R114][R116]") {
    Codes codes;
    run_nd1_pair({}, {.program = [&](Nd1Party& b) {
                     Nd1Window& window = b.open_window(0, 64);
                     codes = {b.bind(1, window, 64, 64, kReadWrite), b.deregister(b.handle), b.invalidate(2, window)};
                     expect(b.ended() == Nd1Ends{{2, ND_SUCCESS}}, "it is closed");
                     codes.push_back(b.bind(3, window, 64, 64, kReadWrite));
                     codes.push_back(b.invalidate(4, window));
                     expect(b.ended(2) == Nd1Ends{{3, ND_SUCCESS}, {4, ND_SUCCESS}}, "open and closed");
                     codes.push_back(b.deregister(b.handle));
                 }});
    CHECK(codes == Codes{ND_INVALID_DEVICE_STATE, ND_DEVICE_BUSY, ND_SUCCESS, ND_SUCCESS, ND_SUCCESS, ND_SUCCESS});
}

TEST_CASE("nd1: a window is good for the endpoint that it was bound on alone", "[R105][R115]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    bool unchanged = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Link link(a);
                          link.be_active("B");
                          a.fill(0, 64, 0x99);
                          expect(link.write(1, 64, open) == ND_SUCCESS, "on the other endpoint");
                          at_a = a.ended();
                          expect(a.send(2, 8) == ND_SUCCESS, "on its own");
                          at_a.push_back(a.ended().front());
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 8192) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, 64).descriptor;
                     Nd1Link link(b);
                     link.be_passive();
                     until_ms(b.os, 10);
                     unchanged = b.holds(0, 64, 0);
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_REMOTE_ERROR}, {2, ND_SUCCESS}});
    CHECK(unchanged);
}

TEST_CASE("nd1: windows that overlap each have their own rights", "[R117]") {
    ND_MW_DESCRIPTOR readable{};
    ND_MW_DESCRIPTOR writable{};
    Nd1Ends at_a;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, 64, 0x31);
                          expect(a.write(1, 64, writable) == ND_SUCCESS, "a Write through the one");
                          at_a = a.ended();
                          a.fill(0, 64, 0);
                          expect(a.read(2, 32, readable) == ND_SUCCESS, "a Read through the other");
                          at_a.push_back(a.ended().front());
                          same = a.holds(0, 32, 0x31) && a.holds(32, 32, 0);
                          expect(a.write(3, 8, readable) == ND_SUCCESS, "a Write there");
                          at_a.push_back(a.ended().front());
                      }},
                 {.program = [&](Nd1Party& b) {
                     writable = b.open_window(0, 64, ND_OP_FLAG_ALLOW_WRITE).descriptor;
                     readable = b.open_window(32, 64, ND_OP_FLAG_ALLOW_READ).descriptor;
                     until_ms(b.os, 10);
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_REMOTE_ERROR}});
    CHECK(same);
}

}  // namespace ndsim::test::nd1_window_test
