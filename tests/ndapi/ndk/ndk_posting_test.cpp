// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_memory.hpp"
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_posting_test {

using namespace std::chrono_literals;

constexpr ULONG kPeerMayAll = NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

std::byte byte_of(std::size_t i) {
    return std::byte{static_cast<std::uint8_t>(i * 7 + i / 256 + 1)};
}
void fill(Party& party) {
    for (std::size_t i = 0; i < party.buffer.size(); ++i) {
        party.buffer[i] = byte_of(i);
    }
}
void scribble(std::array<NDK_SGE, 2>& sgl) {
    for (NDK_SGE& sge : sgl) {
        sge.VirtualAddress = nullptr;
        sge.Length = 0xFFFF;
        sge.MemoryRegionToken = 0xDEADBEEF;
    }
}

NTSTATUS read_into(NDK_QP* qp, const FastPage& sink, const Place& from, ULONG flags) {
    const NDK_SGE sge = sink.piece(64);
    return qp->Dispatch->NdkRead(qp, nullptr, &sge, 1, from.address, from.token, flags);
}

// The requests are deferred, so they begin long after the list has been written over.
TEST_CASE("post: the list of pieces may be written over as soon as the call returns", "[K36]") {
    run_connected_pair(
        {.program =
             [](Party& a, const Place& peer) {
                 fill(a);
                 const auto& call = *a.qp->Dispatch;
                 std::array<NDK_SGE, 2> sgl{a.piece(100), a.piece(200, 1000)};
                 expect(call.NdkSend(a.qp, nullptr, sgl.data(), 2, kDeferred) == STATUS_SUCCESS, "a Send");
                 scribble(sgl);
                 sgl = {a.piece(50, 2000), a.piece(60, 3000)};
                 expect(call.NdkWrite(a.qp, nullptr, sgl.data(), 2, peer.address + 5000, peer.token, kDeferred) ==
                            STATUS_SUCCESS,
                        "a Write");
                 scribble(sgl);
                 sgl = {a.piece(30, 10000), a.piece(40, 11000)};
                 expect(call.NdkRead(a.qp, nullptr, sgl.data(), 2, peer.address + 9000, peer.token, kDeferred) ==
                            STATUS_SUCCESS,
                        "a Read");
                 scribble(sgl);
                 expect(call.NdkWrite(a.qp, nullptr, nullptr, 0, 0, 0, 0) == STATUS_SUCCESS, "which starts them");
                 for (int i = 0; i < 4; ++i) {
                     expect(a.next().Status == STATUS_SUCCESS, "it succeeds");
                 }
                 for (std::size_t i = 0; i < 70; ++i) {
                     const std::size_t at = i < 30 ? 10000 + i : 11000 + i - 30;
                     expect(a.buffer[at] == byte_of(9000 + i), "what the Read has brought");
                 }
             }},
        {kPeerMayAll, [](Party& b, const Place&) {
             for (std::size_t i = 9000; i < 9070; ++i) {
                 b.buffer[i] = byte_of(i);
             }
             std::array<NDK_SGE, 2> sgl{b.piece(150), b.piece(150, 2000)};
             expect(b.qp->Dispatch->NdkReceive(b.qp, nullptr, sgl.data(), 2) == STATUS_SUCCESS, "a receive");
             scribble(sgl);
             const NDK_RESULT_EX received = b.next();
             expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 300, "the message");
             for (std::size_t i = 0; i < 300; ++i) {
                 const std::byte sent = i < 100 ? byte_of(i) : byte_of(1000 + i - 100);
                 expect(b.buffer[i < 150 ? i : 2000 + i - 150] == sent, "every byte is in its place");
             }
             b.host.sleep(2ms - b.host.clock());
             for (std::size_t i = 0; i < 110; ++i) {
                 expect(b.buffer[5000 + i] == (i < 50 ? byte_of(2000 + i) : byte_of(3000 + i - 50)), "what is written");
             }
         }});
}

TEST_CASE("receive: one that was posted before there is a connection takes the first message of it", "[X60]") {
    constexpr ULONG kLength = 1000;
    run_pair(
        [&](Party& a) {
            fill(a);
            a.be_active("B");
            a.host.sleep(100us);
            expect(a.send(kLength) == STATUS_SUCCESS, "a Send");
            expect(a.next().Status == STATUS_SUCCESS, "finds a receive");
            a.host.sleep(5ms - a.host.clock());
        },
        [&](Party& b) {
            int early = 0;
            const NDK_SGE sge = b.piece(kLength);
            expect(b.qp->Dispatch->NdkReceive(b.qp, &early, &sge, 1) == STATUS_SUCCESS, "a receive");
            b.be_passive();
            const NDK_RESULT_EX received = b.next();
            expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == kLength, "the message");
            expect(received.RequestContext == &early, "is in the receive that was posted first");
            expect(b.buffer[kLength - 1] == byte_of(kLength - 1), "with its bytes");
            b.host.sleep(5ms - b.host.clock());
        });
}

TEST_CASE("read: the flag 0x200 defers it, and leaves its token alone", "[K5]") {
    Pages pages;
    run_connected_pair(
        {.program =
             [&](Party& a, const Place& peer) {
                 FastPage sink(a, pages.bytes.data());
                 expect(sink.fast_register(a.qp, NDK_OP_FLAG_ALLOW_LOCAL_WRITE) == STATUS_SUCCESS, "a FastRegister");
                 expect(a.next().Status == STATUS_SUCCESS, "a token");
                 expect(read_into(a.qp, sink, peer, 0x200) == STATUS_SUCCESS, "a Read");
                 a.host.sleep(100us);
                 expect(a.poll().empty() && pages.bytes[0] == std::byte{}, "which does not begin");
                 expect(a.qp->Dispatch->NdkWrite(a.qp, nullptr, nullptr, 0, 0, 0, 0) == STATUS_SUCCESS,
                        "but behind it something does");
                 const NDK_RESULT_EX result = a.next();
                 expect(result.Status == STATUS_SUCCESS && result.Type == NdkOperationTypeRead, "so it does");
                 expect(pages.bytes[0] == byte_of(0), "it brings its bytes");
                 expect(a.next().Type == NdkOperationTypeWrite, "the other one");
                 expect(read_into(a.qp, sink, peer, 0) == STATUS_SUCCESS, "the same again");
                 expect(a.next().Status == STATUS_SUCCESS, "the token is alive");
             }},
        {kPeerMayAll, [](Party& b, const Place&) { fill(b); }});
}

// B refuses the Read, which ends the connection; a second one, with a queue pair of the same PD, shows that the token
// is alive.
TEST_CASE("read: one that fails does not invalidate its token", "[K142]") {
    Pages pages;
    Place at_b;
    run_pair(
        [&](Party& a) {
            a.be_active("B");
            NDK_QP* const second = a.new_qp();
            NDK_CONNECTOR* const connector = a.new_connector();
            expect(a.connect(connector, second, "B", 4000) == STATUS_SUCCESS, "another connection");
            expect(a.complete(connector) == STATUS_SUCCESS, "is made");
            FastPage sink(a, pages.bytes.data());
            expect(sink.fast_register(a.qp, NDK_OP_FLAG_ALLOW_LOCAL_WRITE) == STATUS_SUCCESS, "a FastRegister");
            expect(a.next().Status == STATUS_SUCCESS, "a token");
            const Place beyond{at_b.address + a.buffer.size(), at_b.token};
            expect(read_into(a.qp, sink, beyond, NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE) == STATUS_SUCCESS, "a Read");
            expect(a.next().Status == STATUS_REMOTE_RESOURCES, "beyond the peer's memory");
            expect(read_into(second, sink, at_b, NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE) == STATUS_SUCCESS, "another");
            expect(a.next().Status == STATUS_SUCCESS, "finds the token alive");
            expect(read_into(second, sink, at_b, 0) == STATUS_SUCCESS, "and one behind that");
            expect(a.next().Status == STATUS_ACCESS_VIOLATION, "finds it dead");
            a.host.sleep(5ms - a.host.clock());
        },
        [&](HostContext& host) {
            Party b(host, {2, 1}, kPeerMayAll);
            at_b = b.place();
            b.be_passive();
            expect(b.accept(b.next_offered(), b.new_qp()) == STATUS_SUCCESS, "another connection");
            host.sleep(5ms - host.clock());
        });
}

}  // namespace ndsim::test::ndk_posting_test
