// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_bad_memory_test {

using MakePiece = std::function<ND2_SGE(Nd2Party&)>;

ND2_SGE without_token(Nd2Party& party) {
    return {party.buffer.data(), 64, ~party.region->GetLocalToken()};
}
// NDKPI's privileged token names all memory of the host. Programs have no such token.
ND2_SGE with_the_kernels_token(Nd2Party& party) {
    return {party.buffer.data(), 64, 0x100};  // NdkGetPrivilegedMemoryRegionToken
}
// Its last 32 bytes are behind the region.
ND2_SGE beyond_region(Nd2Party& party) {
    return {party.buffer.data() + party.buffer.size() - 32, 64, party.region->GetLocalToken()};
}

ND2_SGE deregistered(Nd2Party& party) {
    const ND2_SGE sge = party.piece(64);
    Ref<IND2MemoryRegion> other;
    expect(party.adapter->CreateMemoryRegion(IID_IND2MemoryRegion, party.file, other.out()) == ND_SUCCESS, "a region");
    expect(party.finish(*other.get(), other->Register(party.buffer.data(), 64, 0, &party.overlapped)) == ND_SUCCESS,
           "it is registered");
    const UINT32 token = other->GetLocalToken();
    expect(party.finish(*other.get(), other->Deregister(&party.overlapped)) == ND_SUCCESS, "and no longer is");
    return {sge.Buffer, sge.BufferLength, token};
}

// A sends from bad memory, and has another Send behind that one. B has a Receive posted.
void send_from(const MakePiece& bad) {
    Endings at_a;
    Endings at_b;
    HRESULT b_is_told = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          const ND2_SGE sge = bad(a);
                          expect(a.qp->Send(context(1), &sge, 1, 0) == ND_SUCCESS, "found when it is used");
                          expect(a.send(64, 0, context(2)) == ND_SUCCESS, "a good one behind it");
                          at_a = next(a, 2);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Call ends(b.os);
                     expect(b.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
                     expect(b.receive(64, context(3)) == ND_SUCCESS, "a Receive");
                     b_is_told = ends.end(*b.connector.get());
                     at_b = next(b);
                 }});
    CHECK(at_a == Endings{{kSend, ND_ACCESS_VIOLATION, 1}, {kSend, ND_CANCELED, 2}});
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 3}});
    CHECK(b_is_told == ND_SUCCESS);
}

// B's Receive names bad memory, and another one is behind it.
void receive_into(const MakePiece& bad, ULONG rights, HRESULT send_status,
                  const std::vector<std::string>& overrides = {}) {
    Endings at_a;
    Endings before;
    Endings at_b;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          until_ms(a.os, 6);
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS && a.send(64, 0, context(2)) == ND_SUCCESS,
                                 "two Sends");
                          at_a = next(a, 2);
                      }},
                 {.rights = rights,
                  .program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          const ND2_SGE sge = bad(b);
                          expect(b.qp->Receive(context(3), &sge, 1) == ND_SUCCESS, "found when it is used");
                          expect(b.receive(64, context(4)) == ND_SUCCESS, "another Receive");
                          until_ms(b.os, 4);
                          before = poll(b);
                          at_b = next(b, 2);
                      }},
                 overrides);
    CHECK(before.empty());
    CHECK(at_b == Endings{{kReceive, ND_ACCESS_VIOLATION, 3}, {kReceive, ND_CANCELED, 4}});
    CHECK(at_a == Endings{{kSend, send_status, 1}, {kSend, ND_CANCELED, 2}});
}

TEST_CASE("nd2: a Send from memory without a token fails and ends the connection", "[R29][R104]") {
    send_from(without_token);
}

TEST_CASE("nd2: a Send with the kernel's token fails and ends the connection", "[R29][R104]") {
    send_from(with_the_kernels_token);
}

TEST_CASE("nd2: a Send from beyond the end of its region fails and ends the connection", "[R29][R104]") {
    send_from(beyond_region);
}

TEST_CASE("nd2: a Send from memory that is no longer registered fails and ends the connection", "[R29][R104]") {
    send_from(deregistered);
}

TEST_CASE("nd2: a Receive into memory without a token fails when a message comes", "[R30][R31]") {
    receive_into(without_token, ND_MR_FLAG_ALLOW_LOCAL_WRITE, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a Receive with the kernel's token fails when a message comes", "[R30][R31]") {
    receive_into(with_the_kernels_token, ND_MR_FLAG_ALLOW_LOCAL_WRITE, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a Receive beyond the end of its region fails when a message comes", "[R30][R31]") {
    receive_into(beyond_region, ND_MR_FLAG_ALLOW_LOCAL_WRITE, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a Receive into a region without local write fails when a message comes", "[R30][R31]") {
    receive_into([](Nd2Party& b) { return b.piece(64); }, 0, ND_REMOTE_ERROR);
}

// What the receiver could not do is an error of its operation, which InfiniBand's providers call a data error
// (ndspi.md 6).
TEST_CASE("nd2: a Receive into a region without local write, by InfiniBand's codes", "[R30][R31]") {
    receive_into([](Nd2Party& b) { return b.piece(64); }, 0, STATUS_DATA_ERROR, {"profile=infiniband"});
}

// The sink of a Read is memory that the adapter writes, too.
TEST_CASE("nd2: a Read into memory that it may not write fails and ends the connection", "[R104]") {
    Endings at_a;
    run_nd2_pair({.rights = 0,
                  .program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.read(64, b, 0, context(1)) == ND_SUCCESS, "found when it is used");
                          expect(a.send(64, 0, context(2)) == ND_SUCCESS, "a Send behind it");
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights,
                  .program = [](Nd2Party& b, const Nd2Place&) { expect(b.receive(64) == ND_SUCCESS, "a Receive"); }});
    CHECK(at_a == Endings{{kRead, ND_ACCESS_VIOLATION, 1}, {kSend, ND_CANCELED, 2}});
}

}  // namespace ndsim::test::nd2_bad_memory_test
