// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_reads_test {

// The link is cut at 6 ms.
constexpr const char* kCut = R"({"hosts": {"A": {}, "B": {}}, "faults": [{"down": "l0", "from": "6 ms"}]})";

// B's buffer has no remote rights, which matters for bytes only.
TEST_CASE("nd2: a Read and a Write of no bytes succeed and touch nothing", "[R119][R120]") {
    Endings at_a;
    Endings at_b{{}};
    bool untouched = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          std::memset(a.buffer.data(), 0x5A, 4096);
                          expect(a.qp->Read(context(1), nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "a Read");
                          expect(a.qp->Write(context(2), nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "a Write");
                          at_a = next(a, 2);
                          untouched = holds(a, 0, 4096, 0x5A);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     std::memset(b.buffer.data(), 0x77, 4096);
                     expect(b.receive(64) == ND_SUCCESS, "a Receive");
                     until_ms(b.os, 10);
                     at_b = poll(b);
                     untouched = untouched && holds(b, 0, 4096, 0x77);
                 }});
    CHECK(at_a == Endings{{kRead, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}});
    CHECK(at_b.empty());
    CHECK(untouched);
}

// It is sent again seven times, each time after 0.52 ms (timeout code 7).
TEST_CASE("nd2: a Read of no bytes finds out that the peer is gone", "[R119]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.qp->Read(context(1), nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "a Read");
                          at_a = next(a);
                          until_ms(a.os, 7);
                          expect(a.qp->Read(context(2), nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "another");
                          at_a.push_back(next(a).front());
                      }},
                 {}, {"nic.timeout_code=7"}, kCut);
    CHECK(at_a == Endings{{kRead, ND_SUCCESS, 1}, {kRead, ND_IO_TIMEOUT, 2}});
}

TEST_CASE("nd2: requests of all kinds time out when the peer is gone", "[R104]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          until_ms(a.os, 7);
                          expect(a.write(64, b, 0, context(1)) == ND_SUCCESS && a.send(64, 0, context(2)) == ND_SUCCESS,
                                 "a Write and a Send");
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights}, {"nic.timeout_code=7"}, kCut);
    CHECK(at_a == Endings{{kWrite, ND_IO_TIMEOUT, 1}, {kSend, ND_CANCELED, 2}});
}

// What posting and polling take is less than half of a single Read, so one by one eight take more than four times as
// long as that; two at a time they would not.
TEST_CASE("nd2: Reads above the outbound limit wait for their turn", "[R121][R58]") {
    Endings at_a;
    bool as_read = true;
    std::uint64_t one = 0;
    std::uint64_t eight = 0;
    Nd2Place at_b;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            expect(a.connect("B", 5000, 4, 1) == ND_SUCCESS && a.complete() == ND_SUCCESS, "with limit 1");
            until_ms(a.os, 3);
            for (int i = 0; i < 2; ++i) {  // the first one finds the NIC's caches empty
                const std::uint64_t begun = a.os.nanoseconds();
                expect(a.read(64, at_b) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a single Read");
                one = a.os.nanoseconds() - begun;
            }
            const std::uint64_t begun = a.os.nanoseconds();
            for (ULONG i = 1; i <= 8; ++i) {
                const ND2_SGE sge = a.piece(64, 64 * i);
                expect(a.qp->Read(context(i), &sge, 1, at_b.address + 64 * i, at_b.token, 0) == ND_SUCCESS, "a Read");
            }
            at_a = next(a, 8);
            eight = a.os.nanoseconds() - begun;
            for (std::size_t i = 1; i <= 8; ++i) {
                as_read = as_read && holds(a, 64 * i, 64, static_cast<unsigned char>(i));
            }
        },
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party b(host, os, kRemoteRights);
            for (std::size_t i = 1; i <= 8; ++i) {
                std::memset(b.buffer.data() + 64 * i, static_cast<int>(i), 64);
            }
            at_b = b.place();
            b.be_passive();
            until_ms(os, 10);
        });
    Endings expected;
    for (std::uintptr_t i = 1; i <= 8; ++i) {
        expected.push_back({kRead, ND_SUCCESS, i});
    }
    CHECK(at_a == expected);
    CHECK(as_read);
    CHECK(eight > 4 * one);
}

// 16 KiB are four packets. B looks at the last byte until it changes: then all others are there. B changes it back at
// once, and it stays as it is.
TEST_CASE("nd2: the last byte of a Write becomes visible last, and once", "[B8]") {
    constexpr std::size_t kLength = 16384;
    bool all_there = false;
    bool written_once = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          std::memset(a.buffer.data(), 0x5A, kLength);
                          expect(a.write(kLength, b) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Write");
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      while (b.buffer[kLength - 1] != std::byte{0x5A}) {
                          b.os.interlocked();
                      }
                      all_there = holds(b, 0, kLength, 0x5A);
                      b.buffer[kLength - 1] = std::byte{0x11};
                      until_ms(b.os, 10);
                      written_once = b.buffer[kLength - 1] == std::byte{0x11};
                  }});
    CHECK(all_there);
    CHECK(written_once);
}

}  // namespace ndsim::test::nd2_reads_test
