// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/engine/nd2_pair.hpp"

namespace {

using namespace ndsim;
using namespace ndsim::test;

void* context(std::uintptr_t number) {
    return reinterpret_cast<void*>(number);  // NOLINT: a value of the program's
}

TEST_CASE("nd2: a message goes from a program to another", "[R3][R19][R21][R58]") {
    std::vector<ND2_RESULT> sent;
    std::vector<ND2_RESULT> received;
    bool same = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& party, const Nd2Place&) {
                          std::memset(party.buffer.data(), 0x5A, 100);
                          expect(party.send(100, 0, context(7)) == ND_SUCCESS, "a Send is posted");
                          sent.push_back(party.next());
                      }},
                 {.program = [&](Nd2Party& party, const Nd2Place&) {
                     expect(party.receive(100, context(9), 4096) == ND_SUCCESS, "a Receive is posted");
                     received.push_back(party.next());
                     same = std::all_of(party.buffer.begin() + 4096, party.buffer.begin() + 4196,
                                        [](std::byte byte) { return byte == std::byte{0x5A}; });
                     expect(received.front().QueuePairContext == &party, "the QP's context comes back");
                 }});
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].Status == ND_SUCCESS);
    CHECK(sent[0].RequestContext == context(7));
    CHECK(sent[0].RequestType == Nd2RequestTypeSend);
    REQUIRE(received.size() == 1);
    CHECK(received[0].Status == ND_SUCCESS);
    CHECK(received[0].BytesTransferred == 100);
    CHECK(received[0].RequestContext == context(9));
    CHECK(received[0].RequestType == Nd2RequestTypeReceive);
    CHECK(same);
}

}  // namespace
