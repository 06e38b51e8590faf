// SPDX-License-Identifier: Apache-2.0
#include "models/transport/outstanding_requests.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::outstanding_requests_test {

constexpr Picoseconds kNow{};

// A Send with this many SGEs: 16 bytes of header and 16 of each SGE, in units of 64 bytes.
WqeHeader send(std::uint32_t index, std::uint16_t sges = 1) {
    return {WqeOpcode::send, 0, sges, index, index, 0};
}

// Three requests: WQE 7 in unit 0 (3 SGEs: 64 bytes), PSNs 100 to 102; WQE 8 in units 1 and 2 (4 SGEs: 80 bytes), PSN
// 103; WQE 9 in unit 3, PSNs 104 and 105.
OutstandingRequests three() {
    OutstandingRequests requests;
    requests.begin(send(7, 3), Psn{100}, Psn{103}, kNow);
    requests.begin(send(8, 4), Psn{103}, Psn{104}, kNow);
    requests.begin(send(9), Psn{104}, Psn{106}, kNow);
    return requests;
}

TEST_CASE(
    "outstanding requests: sending again starts with the WQE of the first request that does not end before a packet") {
    OutstandingRequests requests = three();
    CHECK(requests.rewind(std::nullopt) == 0);  // the oldest
    CHECK(requests.rewind(Psn{100}) == 0);
    CHECK(requests.rewind(Psn{102}) == 0);
    CHECK(requests.rewind(Psn{103}) == 1);
    CHECK(requests.rewind(Psn{104}) == 3);
    CHECK(requests.rewind(Psn{105}) == 3);
    CHECK(requests.rewind(Psn{106}) == 4);  // the WQE that has not begun
}

TEST_CASE("outstanding requests: those that do not end before a packet are to be begun again") {
    OutstandingRequests requests = three();
    const auto rewound = [&] {
        return std::vector<bool>{requests[0].rewound, requests[1].rewound, requests[2].rewound};
    };
    CHECK(rewound() == std::vector<bool>{false, false, false});
    (void)requests.rewind(std::nullopt);
    CHECK(rewound() == std::vector<bool>{true, true, true});
    (void)requests.rewind(Psn{104});
    CHECK(rewound() == std::vector<bool>{false, false, true});
}

TEST_CASE("outstanding requests: places go on counting when requests have ended") {
    OutstandingRequests requests = three();
    CHECK(requests.take_oldest(kNow).wqe.index == 7);
    CHECK(requests.rewind(std::nullopt) == 1);
    CHECK(requests.rewind(Psn{104}) == 3);
    (void)requests.take_oldest(kNow);
    (void)requests.take_oldest(kNow);
    CHECK(requests.empty());
    CHECK(requests.rewind(std::nullopt) == 4);
    requests.begin(send(10), Psn{106}, Psn{107}, kNow);
    CHECK(requests.rewind(std::nullopt) == 4);
    CHECK(requests.rewind(Psn{107}) == 5);
}

TEST_CASE("outstanding requests: one is found by its WQE, unless it has ended or has not begun") {
    OutstandingRequests requests = three();
    REQUIRE(requests.find(send(8)) != nullptr);
    CHECK(requests.find(send(8))->first == Psn{103});
    CHECK(requests.find(send(10)) == nullptr);
    (void)requests.take_oldest(kNow);
    CHECK(requests.find(send(7)) == nullptr);
    CHECK(requests.find(send(9)) != nullptr);
}

TEST_CASE("outstanding requests: the oldest open one is the oldest, if it has not failed") {
    OutstandingRequests requests = three();
    CHECK(requests.oldest_open() == &requests.oldest());
    requests.oldest().failed = WcStatus::loc_prot;
    CHECK(requests.oldest_open() == nullptr);
    CHECK(OutstandingRequests().oldest_open() == nullptr);
}

TEST_CASE(
    "outstanding requests: a Send has succeeded when all its packets are acknowledged, a Read when its data has come") {
    OutstandingRequests requests = three();
    CHECK_FALSE(requests.oldest().has_succeeded(Psn{102}));  // PSN 102 is missing
    CHECK(requests.oldest().has_succeeded(Psn{103}));
    WqeHeader read = send(10);
    read.opcode = WqeOpcode::read;
    OutstandingRequest& begun = requests.begin(read, Psn{106}, Psn{108}, kNow);
    CHECK_FALSE(begun.has_succeeded(Psn{108}));
    begun.done = true;
    CHECK(begun.has_succeeded(Psn{108}));
    begun.failed = WcStatus::invalidate_error;
    CHECK_FALSE(begun.has_succeeded(Psn{108}));
}

TEST_CASE("outstanding requests: Reads end in their order, each by itself") {
    OutstandingRequests requests = three();
    CHECK(requests.oldest_read() == nullptr);
    WqeHeader read = send(10);
    read.opcode = WqeOpcode::read;
    requests.begin(read, Psn{106}, Psn{108}, kNow);
    requests.begin_read(5, kNow);
    read.index = 11;
    requests.begin(read, Psn{108}, Psn{109}, kNow);
    requests.begin_read(6, kNow);
    CHECK(requests.oldest_read()->read == 5);
    (void)requests.take_oldest(kNow);  // a Send before it
    CHECK(requests.oldest_read()->read == 5);
    requests.end_oldest_read(kNow);
    CHECK(requests.oldest_read()->read == 6);
}

}  // namespace ndsim::test::outstanding_requests_test
