// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"

// Windows that are not, or no longer, bound. B owns the window, whose result is the block kInvalidated.

namespace ndsim::test::nd1_invalidation_faults_test {

// In the field a caller that is not answered repeats itself: here 8 times, 0.5 ms apart.
const std::vector<std::string> kInfinibandAndImpatient{"profile=infiniband", "nic.timeout_code=7"};

void post_receives(Nd1Party& b, std::size_t count, SIZE_T length = 64) {
    for (std::size_t number = 1; number <= count; ++number) {
        expect(b.receive(number, length, 8192) == ND_SUCCESS, "a Receive");
    }
}

// A invalidates the window of B, which has two Receives, and does something with it next.
Nd1Fate fate_after_invalidation(const std::function<HRESULT(Nd1Party& a, const ND_MW_DESCRIPTOR& dead)>& next,
                                const std::vector<std::string>& overrides = {}) {
    ND_MW_DESCRIPTOR open{};
    return fate_of(
        [&](Nd1Party& a) {
            expect(a.send_and_invalidate(10, 8, open) == ND_SUCCESS, "the window goes");
            expect(a.ended() == Nd1Ends{{10, ND_SUCCESS}}, "it is gone");
            return next(a, open);
        },
        [&](Nd1Party& b) {
            post_receives(b, 3);
            open = b.open_window(0, 4096).descriptor;
        },
        overrides);
}

const auto kWrite = [](Nd1Party& a, const ND_MW_DESCRIPTOR& dead) { return a.write(1, 64, dead); };
const auto kRead = [](Nd1Party& a, const ND_MW_DESCRIPTOR& dead) { return a.read(1, 64, dead); };

// Of the three Receives the first one took what invalidated the window.
const Nd1Ends kOneAndFlushed{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}, {2, ND_CANCELED}, {3, ND_CANCELED}};

// A names a window in a SendAndInvalidate that B has invalidated itself.
Nd1Fate fate_of_unbound(const std::vector<std::string>& overrides = {}) {
    ND_MW_DESCRIPTOR closed{};
    return fate_of([&](Nd1Party& a) { return a.send_and_invalidate(1, 8, closed); },
                   [&](Nd1Party& b) {
                       post_receives(b, 2);
                       Nd1Window& window = b.open_window(0, 4096);
                       closed = window.descriptor;
                       expect(b.invalidate(20, window) == ND_SUCCESS, "its owner closes it");
                       expect(b.ended() == Nd1Ends{{20, ND_SUCCESS}}, "it is closed");
                   },
                   overrides);
}

TEST_CASE("nd1: a Write through a window that its sender has invalidated is fatal", "[R36][R104]") {
    const Nd1Fate fate = fate_after_invalidation(kWrite);
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == kOneAndFlushed);
}

TEST_CASE("nd1: a Read through a window that its sender has invalidated is fatal", "[R36]") {
    const Nd1Fate fate = fate_after_invalidation(kRead);
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == kOneAndFlushed);
}

TEST_CASE("nd1: a Write through a window that is invalidated has another status in the field", "[R36]") {
    const Nd1Fate fate = fate_after_invalidation(kWrite, kInfiniband);
    check_fatal(fate, ND_ACCESS_VIOLATION);
    CHECK(fate.at_b == kOneAndFlushed);
}

TEST_CASE("nd1: a window can be invalidated by its peer once only", "[R41]") {
    const Nd1Fate fate = fate_after_invalidation(
        [](Nd1Party& a, const ND_MW_DESCRIPTOR& dead) { return a.send_and_invalidate(1, 8, dead); });
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b ==
          Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}, {2, ND_INVALIDATION_ERROR}, {3, ND_CANCELED}});
}

TEST_CASE("nd1: a SendAndInvalidate of a window that is not bound fails at both ends", "[R40][R104]") {
    const Nd1Fate fate = fate_of_unbound();
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_INVALIDATION_ERROR}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: in the field the caller of such a SendAndInvalidate times out", "[R40]") {
    const Nd1Fate fate = fate_of_unbound(kInfinibandAndImpatient);
    check_fatal(fate, ND_TIMEOUT);
    CHECK(fate.at_b == Nd1Ends{{1, STATUS_DATA_ERROR}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: a SendAndInvalidate without a Receive times out, and the window stays bound", "[R39]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT in_the_end = ND_PENDING;
    const Nd1Fate fate = fate_of([&](Nd1Party& a) { return a.send_and_invalidate(1, 8, open); },
                                 [&](Nd1Party& b) { open = b.open_window(0, 4096).descriptor; }, {},
                                 [&](Nd1Party& b) { in_the_end = b.deregister(b.handle); });
    check_fatal(fate, ND_TIMEOUT);
    CHECK(fate.at_b.empty());
    CHECK(in_the_end == ND_DEVICE_BUSY);
}

TEST_CASE("nd1: a SendAndInvalidate too long for its Receive fails as a Send, and invalidates nothing", "[R42]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT in_the_end = ND_PENDING;
    const Nd1Fate fate = fate_of([&](Nd1Party& a) { return a.send_and_invalidate(1, 64, open); },
                                 [&](Nd1Party& b) {
                                     post_receives(b, 2, 32);
                                     open = b.open_window(0, 4096).descriptor;
                                 },
                                 {}, [&](Nd1Party& b) { in_the_end = b.deregister(b.handle); });
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_BUFFER_OVERFLOW}, {2, ND_CANCELED}});
    CHECK(in_the_end == ND_DEVICE_BUSY);
}

TEST_CASE("nd1: an Invalidate of a window that was never bound fails and ends the connection", "[R53][R104]") {
    const Nd1Fate fate =
        fate_of([](Nd1Party& a) { return a.invalidate(1, a.new_window()); }, [](Nd1Party& b) { post_receives(b, 1); });
    check_fatal(fate, ND_INVALIDATION_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_CANCELED}});
}

TEST_CASE("nd1: an Invalidate of a window that was never bound has another status in the field", "[R53]") {
    const Nd1Fate fate = fate_of([](Nd1Party& a) { return a.invalidate(1, a.new_window()); },
                                 [](Nd1Party& b) { post_receives(b, 1); }, kInfiniband);
    check_fatal(fate, ND_INTERNAL_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_CANCELED}});
}

}  // namespace ndsim::test::nd1_invalidation_faults_test
