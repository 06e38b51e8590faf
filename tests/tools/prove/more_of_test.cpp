// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/more_of.hpp"

#include <catch2/catch.hpp>

namespace more_of_test {

using ndsim::prove::more_of;

TEST_CASE("more of a limit: half as much again, a count rounded up") {
    CHECK(more_of("hosts.A.pcie.tags", "64") == "96");
    CHECK(more_of("traffic.t.window", "1") == "2");
    CHECK(more_of("traffic.t.receives", "21") == "32");
    CHECK(more_of("hosts.A.nic.tx_fifo", "64 KiB") == "96 KiB");
    CHECK(more_of("links.l0.rate", "100 Gbps") == "150 Gbps");
    CHECK(more_of("links.l0.rate", "25 Gbps") == "37.5 Gbps");
    CHECK(more_of("hosts.A.nic.per_qp_rate", "6 M/s") == "9 M/s");
}

TEST_CASE("more of a limit: of a time, and of requests for one completion, a third less") {
    CHECK(more_of("hosts.B.cpu.mmio_uc", "75 ns") == "50 ns");
    CHECK(more_of("hosts.B.cpu.mmio_uc", "80 ns") == "53.334 ns");  // 53,333.3 ps
    CHECK(more_of("traffic.t.signal_every", "16") == "10");
    CHECK(more_of("traffic.t.signal_every", "1") == "1");
}

TEST_CASE("more of a limit: the next PCIe generation, and nothing of a word") {
    CHECK(more_of("hosts.A.pcie.generation", "3") == "4");
    CHECK(more_of("hosts.A.pcie.width", "4") == "6");
    CHECK(more_of("traffic.t.receives", "auto").empty());
}

}  // namespace more_of_test
