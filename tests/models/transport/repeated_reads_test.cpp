// SPDX-License-Identifier: Apache-2.0
#include "models/transport/repeated_reads.hpp"

#include "tests/models/transport/read_request.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::repeated_reads_test {

// The peer's Read of PSN `psn` for `length` bytes of the target, message `msn`; MTU 1024.
ReadJob job(std::uint32_t psn, std::uint32_t length, std::uint32_t msn) {
    ReadJob common;
    common.qp = kQp;
    common.pd = kPd;
    common.mtu = 1024;
    common.msn = msn;
    return common.asked_by(read_request(psn, length));
}

TEST_CASE("repeated reads: what came before is answered again, from any of its packets on", "[X11]") {
    const Protection protection;
    RepeatedReads reads;
    reads.connect(2);
    reads.add(job(100, 3000, 1));  // PSNs 100 to 102
    const auto rest = reads.find(read_request(101, 1976, 1024), protection);
    REQUIRE(rest);
    CHECK(rest->first == Psn{101});
    CHECK(rest->length == 1976);
    CHECK(rest->remote == kTarget + 1024);
    CHECK(rest->msn == 1);
    CHECK(rest->again);
    CHECK_FALSE(reads.find(read_request(101, 1977, 1024), protection));  // a byte too far
    CHECK_FALSE(reads.find(read_request(101, 1000, 1023), protection));  // another address than its PSN has
}

// 2048 bytes are PSNs 100 and 101. The PSN 102 is that of the next Read, of no bytes, whose address is the end of the
// first.
TEST_CASE("repeated reads: an empty one at the end of another one is not a part of it", "[X11][X17]") {
    const Protection protection;
    RepeatedReads reads;
    reads.connect(2);
    reads.add(job(100, 2048, 1));
    CHECK_FALSE(reads.find(read_request(102, 0, 2048), protection));
    ReadJob empty = job(102, 0, 2);
    empty.remote = kTarget + 2048;
    reads.add(empty);
    const auto again = reads.find(read_request(102, 0, 2048), protection);
    REQUIRE(again);
    CHECK(again->msn == 2);
}

TEST_CASE("repeated reads: a new one drives out the oldest", "[X11][limit]") {
    const Protection protection;
    RepeatedReads reads;
    reads.connect(2);
    for (const std::uint32_t psn : {100U, 101U, 102U}) {
        reads.add(job(psn, 8, psn));
    }
    CHECK_FALSE(reads.find(read_request(100, 8), protection));
    CHECK(reads.find(read_request(101, 8), protection));
    CHECK(reads.find(read_request(102, 8), protection));
}

}  // namespace ndsim::test::repeated_reads_test
