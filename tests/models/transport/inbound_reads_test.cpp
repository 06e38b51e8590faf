// SPDX-License-Identifier: Apache-2.0
#include "models/transport/inbound_reads.hpp"

#include "tests/models/transport/read_request.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::inbound_reads_test {

// MTU 1024, two Reads may be outstanding.
InboundReads connected() {
    InboundReads reads;
    reads.create(kQp, kPd);
    QpConnection connection;
    connection.mtu = 1024;
    connection.inbound_reads = 2;
    reads.connect(connection);
    return reads;
}

TEST_CASE("inbound reads: one more than may be outstanding is refused", "[X29][limit]") {
    const Protection protection;
    const InboundReads reads = connected();
    CHECK_FALSE(reads.refusal(read_request(100, 8), 1, protection));
    REQUIRE(reads.refusal(read_request(100, 8), 2, protection));
    CHECK(reads.refusal(read_request(100, 8), 2, protection)->nak == Aeth::kNakInvalidRequest);
}

TEST_CASE("inbound reads: a Read takes as many PSNs as its response has packets, at least one", "[limit]") {
    const InboundReads reads = connected();
    CHECK(reads.end(read_request(100, 0)) == Psn{101});
    CHECK(reads.end(read_request(100, 1024)) == Psn{101});
    CHECK(reads.end(read_request(100, 1025)) == Psn{102});
}

}  // namespace ndsim::test::inbound_reads_test
