// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/statuses_text.hpp"

#include <cstdio>

#include "tests/support/catch.hpp"

namespace ndsim::cli::statuses_text_test {

std::string text(const StatusLog& statuses) {
    return statuses_text(statuses, Paint(std::fopen("/dev/null", "r")));
}

void give(StatusLog& statuses, const GivenStatus& given) {
    if (statuses.count(given.status)) {
        statuses.add(given);
    }
}

TEST_CASE("statuses: completions and calls are in one table, to the nanosecond") {
    StatusLog result;
    // 12.3454 us and 12.3455 us are rounded to the nearest nanosecond.
    give(result,
         {"B.told", "receive", HostId{1}, "B.q0", {}, {Picoseconds{0}, Picoseconds{12'345'400}}, STATUS_SUCCESS, 64});
    give(result, {"programs.A[1]",
                  "connect",
                  HostId{0},
                  "A.q1",
                  {},
                  {Picoseconds{12'000'000}, Picoseconds{12'345'500}},
                  STATUS_CONNECTION_REFUSED});
    give(result,
         {"A.2", "send", HostId{0}, "A.0x12", {}, {Picoseconds{0}, Picoseconds{1'000'000'000}}, STATUS_SUCCESS});
    CHECK(text(result) ==
          "\nStatuses, in the order in which software got them\n"
          "     at us   took us  request        queue   operation  status              bytes\n"
          "    12.345    12.345  B.told         B.q0    receive    success                64\n"
          "    12.346     0.346  programs.A[1]  A.q1    connect    connection_refused\n"
          "  1000.000  1000.000  A.2            A.0x12  send       success\n");
}

TEST_CASE("statuses: of many only failures are told, and how many there are") {
    StatusLog result;
    CHECK(text(result).empty());
    const GivenStatus success{"A.1", "send", HostId{0}, "A.q0", {}, {}, STATUS_SUCCESS};
    const GivenStatus failure{"A.1", "send", HostId{0}, "A.q0", {}, {}, STATUS_CANCELLED};
    for (std::size_t i = 0; i <= StatusLog::kMost; ++i) {
        give(result, success);
    }
    CHECK(text(result).empty());
    give(result, failure);
    // kMost + 1 = 33 successes, and one failure
    CHECK(text(result).starts_with("\nFailures: 1 of 34 statuses, in the order in which software got them\n"));
    CHECK(text(result).ends_with("cancelled\n"));
    for (std::size_t i = 0; i <= StatusLog::kMost; ++i) {
        give(result, failure);
    }
    // 34 failures, 32 of which fit
    CHECK(text(result).starts_with("\nFailures: 34 of 67 statuses, "));
    CHECK(text(result).ends_with("\n  and 2 more\n"));
}

}  // namespace ndsim::cli::statuses_text_test
