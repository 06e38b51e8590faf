// SPDX-License-Identifier: Apache-2.0
#include "models/transport/inbound_reads.hpp"

#include <catch2/catch.hpp>

#include "tests/support/nic_doubles.hpp"

namespace inbound_reads_test {

using namespace ndsim;
using namespace ndsim::test;

constexpr Address kTarget{0x1000};

// The Read of PSN `psn` for `length` bytes, `offset` behind the target.
Packet read(std::uint32_t psn, std::uint32_t length, std::uint32_t offset = 0) {
    Packet packet;
    packet.opcode = Opcode::read_request;
    packet.psn = Psn{psn};
    packet.key = MrKey{1};
    packet.remote = kTarget + offset;
    packet.dma_length = length;
    return packet;
}

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
    CHECK_FALSE(reads.refusal(read(100, 8), 1, protection));
    REQUIRE(reads.refusal(read(100, 8), 2, protection));
    CHECK(reads.refusal(read(100, 8), 2, protection)->nak == Aeth::kNakInvalidRequest);
}

TEST_CASE("inbound reads: a Read takes as many PSNs as its response has packets, at least one", "[limit]") {
    const InboundReads reads = connected();
    CHECK(reads.end(read(100, 0)) == Psn{101});
    CHECK(reads.end(read(100, 1024)) == Psn{101});
    CHECK(reads.end(read(100, 1025)) == Psn{102});
}

TEST_CASE("inbound reads: what came before is answered again, from any of its packets on", "[X11]") {
    const Protection protection;
    InboundReads reads = connected();
    (void)reads.accept(read(100, 3000), 1);  // PSNs 100 to 102
    const auto rest = reads.asked_again(read(101, 1976, 1024), protection);
    REQUIRE(rest);
    CHECK(rest->first == Psn{101});
    CHECK(rest->length == 1976);
    CHECK(rest->remote == kTarget + 1024);
    CHECK(rest->msn == 1);
    CHECK(rest->again);
    CHECK_FALSE(reads.asked_again(read(101, 1977, 1024), protection));  // a byte too far
    CHECK_FALSE(reads.asked_again(read(101, 1000, 1023), protection));  // another address than its PSN has
}

TEST_CASE("inbound reads: a new one drives out the oldest", "[X11][limit]") {
    const Protection protection;
    InboundReads reads = connected();
    for (const std::uint32_t psn : {100U, 101U, 102U}) {
        (void)reads.accept(read(psn, 8), psn);
    }
    CHECK_FALSE(reads.asked_again(read(100, 8), protection));
    CHECK(reads.asked_again(read(101, 8), protection));
    CHECK(reads.asked_again(read(102, 8), protection));
}

}  // namespace inbound_reads_test
