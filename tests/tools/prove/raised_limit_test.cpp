// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/raised_limit.hpp"

#include "tests/support/catch.hpp"

namespace raised_limit_test {

using ndsim::prove::raised_limit;

TEST_CASE("more of a limit: half as much again, a count rounded up") {
    CHECK(raised_limit("hosts.A.pcie.tags", "64") == "96");
    CHECK(raised_limit("traffic.t.window", "1") == "2");
    CHECK(raised_limit("traffic.t.receives", "21") == "32");
    CHECK(raised_limit("hosts.A.nic.tx_fifo", "64 KiB") == "96 KiB");
    CHECK(raised_limit("links.l0.rate", "100 Gbps") == "150 Gbps");
    CHECK(raised_limit("links.l0.rate", "25 Gbps") == "37.5 Gbps");
    CHECK(raised_limit("hosts.A.nic.per_qp_rate", "6 M/s") == "9 M/s");
}

TEST_CASE("more of a limit: of a time, and of requests for one completion, a third less") {
    CHECK(raised_limit("hosts.B.cpu.mmio_uc", "75 ns") == "50 ns");
    CHECK(raised_limit("hosts.B.cpu.mmio_uc", "80 ns") == "53.334 ns");  // 53,333.3 ps
    CHECK(raised_limit("traffic.t.signal_every", "16") == "10");
    CHECK(raised_limit("traffic.t.signal_every", "1") == "1");
    CHECK(raised_limit("hosts.A.nic.timeout_code", "14") == "13");  // each code is twice as long as the one before
    CHECK(raised_limit("hosts.A.nic.timeout_code", "1") == "1");    // 0 is for ever
}

TEST_CASE("more of a limit: the next PCIe generation or width, and nothing of a word") {
    CHECK(raised_limit("hosts.A.pcie.generation", "3") == "4");
    CHECK(raised_limit("hosts.A.pcie.width", "4") == "8");  // a link has 1, 2, 4, 8 or 16 lanes
    CHECK(raised_limit("traffic.t.receives", "auto").empty());
}

}  // namespace raised_limit_test
