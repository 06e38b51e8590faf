// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

// Memory that a program takes back while the NIC still uses it: the NIC stops, and no call returns before it has.
namespace ndsim::test::nd2_memory_gone_test {

// Takes the region from the NIC. Whatever the NIC still writes comes later than this and is found as a difference.
void deregister(Nd2Party& party) {
    expect(party.finish(*party.region.get(), party.region->Deregister(&party.overlapped)) == ND_SUCCESS,
           "the region is given back");
}

// 1 MiB takes 86 us on the wire; Deregister is under way by then.
TEST_CASE("nd2: a Send whose memory is deregistered while it is under way fails", "[R29][X27]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.send(1U << 20U, 0, context(1)) == ND_SUCCESS, "a Send");
                          deregister(a);
                          at_a = next(a);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) { (void)b.receive(1U << 20U); }});
    CHECK(at_a == Endings{{kSend, ND_ACCESS_VIOLATION, 1}});
}

TEST_CASE("nd2: a Receive whose memory is deregistered while its message arrives fails", "[R30][X27]") {
    Endings at_a;
    Endings at_b;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          std::ranges::fill(a.buffer, std::byte{7});
                          expect(a.send(1U << 20U, 0, context(1)) == ND_SUCCESS, "a Send");
                          at_a = next(a);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(1U << 20U, context(2)) == ND_SUCCESS, "a Receive");
                     while (b.buffer[1U << 16U] == std::byte{}) {
                         b.os.sleep(0);  // until a part of the message is there
                     }
                     deregister(b);
                     at_b = next(b);
                 }});
    CHECK(at_a == Endings{{kSend, ND_REMOTE_ERROR, 1}});
    CHECK(at_b == Endings{{kReceive, ND_ACCESS_VIOLATION, 2}});
}

// With one lane of PCIe, what the wire brings waits for the link.
TEST_CASE("nd2: after the result of a flushed Read, nothing more of it comes", "[R92][R102][K148]") {
    bool changes = true;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.read(1U << 20U, b, 0, context(1)) == ND_SUCCESS, "a Read");
                          while (a.buffer[1U << 14U] == std::byte{}) {
                              a.os.sleep(0);
                          }
                          expect(a.qp->Flush() == ND_SUCCESS, "a flush");
                          expect(next(a) == Endings{{kRead, ND_CANCELED, 1}}, "the Read is cancelled");
                          const std::vector<std::byte> then = a.buffer;
                          a.os.sleep(3);
                          changes = a.buffer != then;
                          deregister(a);
                      }},
                 {.rights = kRemoteRights,
                  .program = [](Nd2Party& b, const Nd2Place&) { std::ranges::fill(b.buffer, std::byte{7}); }},
                 {"hosts.A.pcie.width=1", "hosts.A.nic.read_buffer=1 MiB"});
    CHECK_FALSE(changes);
}

}  // namespace ndsim::test::nd2_memory_gone_test
