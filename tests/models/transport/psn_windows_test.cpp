// SPDX-License-Identifier: Apache-2.0
#include "models/transport/psn_windows.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::psn_windows_test {

constexpr QpNum kPair{kFirstQp};
constexpr Picoseconds kNow{};

// A window of 4 packets; the first PSN is 100.
PsnWindows connected(std::uint32_t most = 4, Psn first = Psn{100}) {
    PsnWindows windows(most);
    windows.create(kPair, nullptr);
    windows.connect(kPair, first);
    return windows;
}

TEST_CASE("psn windows: a window is full when as many packets are under way as it has room for", "[limit]") {
    PsnWindows windows = connected();
    CHECK(windows.is_empty(kPair));
    windows.sent(kPair, Psn{103}, kNow);  // 100 to 102: three
    CHECK_FALSE(windows.is_full(kPair));
    windows.sent(kPair, Psn{104}, kNow);  // four
    CHECK(windows.is_full(kPair));
    CHECK_FALSE(windows.is_empty(kPair));
    CHECK_FALSE(windows.acknowledge(kPair, Psn{101}));  // 101 to 103: three
    CHECK_FALSE(windows.is_full(kPair));
}

TEST_CASE("psn windows: a Read with more responses than the window takes still fits, and then nothing does") {
    PsnWindows windows = connected();
    windows.sent(kPair, Psn{110}, kNow);  // ten responses
    CHECK(windows.is_full(kPair));
    CHECK_FALSE(windows.acknowledge(kPair, Psn{106}));  // 106 to 109: four
    CHECK(windows.is_full(kPair));
    CHECK_FALSE(windows.acknowledge(kPair, Psn{107}));  // three
    CHECK_FALSE(windows.is_full(kPair));
}

TEST_CASE("psn windows: they count across the end of the PSNs") {
    PsnWindows windows = connected(4, Psn{0xFF'FFFE});
    windows.sent(kPair, Psn{1}, kNow);  // FFFFFE, FFFFFF, 0
    CHECK_FALSE(windows.is_full(kPair));
    windows.sent(kPair, Psn{2}, kNow);
    CHECK(windows.is_full(kPair));
    CHECK_FALSE(windows.acknowledge(kPair, Psn{0}));  // 0 and 1 are left
    CHECK(windows.unacknowledged(kPair) == Psn{0});
    CHECK_FALSE(windows.is_full(kPair));
}

TEST_CASE("psn windows: who goes back sends from the oldest packet on") {
    PsnWindows windows = connected();
    windows.sent(kPair, Psn{104}, kNow);
    CHECK_FALSE(windows.acknowledge(kPair, Psn{101}));
    windows.go_back(kPair, kNow);
    CHECK(windows.next(kPair) == Psn{101});
    CHECK(windows.is_empty(kPair));
    windows.sent(kPair, Psn{102}, kNow);
    CHECK(windows.next(kPair) == Psn{102});
}

TEST_CASE("psn windows: an answer to what was sent before the window went back passes what has been sent since") {
    PsnWindows windows = connected();
    windows.sent(kPair, Psn{104}, kNow);
    windows.go_back(kPair, kNow);
    windows.sent(kPair, Psn{102}, kNow);                // 100 and 101 once more
    CHECK_FALSE(windows.acknowledge(kPair, Psn{102}));  // just these
    CHECK(windows.acknowledge(kPair, Psn{104}));        // 102 and 103 have arrived the first time
    CHECK(windows.next(kPair) == Psn{104});             // and are not sent again
    CHECK(windows.is_empty(kPair));
}

TEST_CASE("psn windows: queue pairs have windows of their own, and a new one begins anew") {
    PsnWindows windows = connected();
    constexpr QpNum kOther{kFirstQp + 1};
    windows.create(kOther, nullptr);
    windows.connect(kOther, Psn{500});
    windows.sent(kPair, Psn{104}, kNow);
    CHECK(windows.is_empty(kOther));
    CHECK(windows.next(kOther) == Psn{500});
    windows.create(kPair, nullptr);
    windows.connect(kPair, Psn{7});
    CHECK(windows.is_empty(kPair));
    CHECK(windows.next(kPair) == Psn{7});
}

}  // namespace ndsim::test::psn_windows_test
