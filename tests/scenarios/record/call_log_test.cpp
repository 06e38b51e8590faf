// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/call_log.hpp"

#include <utility>

#include "tests/support/catch.hpp"

namespace ndsim::test::call_log_test {

constexpr HostId kHost{1};

TEST_CASE("call log: it has the calls of each host in order, and the ends of their requests") {
    const Op op{{}, "programs.B[0]", PostOp{}};
    CallLog log(2, 10);
    log.returned(kHost, {&op, Picoseconds{5}, STATUS_SUCCESS, 7});
    log.returned(kHost, {&op, Picoseconds{6}, STATUS_NO_MORE_ENTRIES});
    log.ended(kHost, 7, {STATUS_CANCELLED, Picoseconds{9}});
    log.ended(kHost, 8, {STATUS_CANCELLED, Picoseconds{9}});  // a request of nobody's program
    REQUIRE(log.calls(kHost).size() == 2);
    REQUIRE(log.calls(kHost)[0].end);
    CHECK(log.calls(kHost)[0].end->status == STATUS_CANCELLED);
    CHECK(log.calls(kHost)[0].end->at == Picoseconds{9});
    CHECK(!log.calls(kHost)[1].end);
    CHECK(log.call_of(kHost, 7) == &log.calls(kHost)[0]);
    CHECK(log.call_of(kHost, 8) == nullptr);
    CHECK(log.calls(HostId{0}).empty());
}

TEST_CASE("call log: it counts polled completions by queue") {
    CallLog log(2, 10);
    log.polled(kHost, "q0.send", 2);
    log.polled(kHost, "q0.send", 3);
    CHECK(std::as_const(log).polled(kHost, "q0.send") == 5);
    CHECK(std::as_const(log).polled(kHost, "q0.receive") == 0);
}

TEST_CASE("call log: it admits as many operations as it was made for") {
    CallLog log(1, 2);
    CHECK(log.admits_another());
    CHECK(log.admits_another());
    CHECK(!log.is_full());
    CHECK(!log.admits_another());
    CHECK(log.is_full());
}

}  // namespace ndsim::test::call_log_test
