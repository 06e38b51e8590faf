// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_inline_test {

constexpr ULONG kPeerMayWrite = NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

// Sixteen bytes, all that a Party's queue pair takes inline, in memory that is registered nowhere.
struct Message {
    std::array<std::byte, 16> bytes{};

    Message() {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes.at(i) = std::byte{static_cast<std::uint8_t>(i + 1)};
        }
    }
    // One SGE for each of them, the last one's first, with a token that nobody has handed out.
    [[nodiscard]] std::array<NDK_SGE, 16> backwards() {
        std::array<NDK_SGE, 16> sgl{};
        for (std::size_t i = 0; i < sgl.size(); ++i) {
            sgl.at(i).VirtualAddress = &bytes.at(15 - i);
            sgl.at(i).Length = 1;
            sgl.at(i).MemoryRegionToken = 0xDEADBEEF;
        }
        return sgl;
    }
};

TEST_CASE("inline: whatever token the entry has, the bytes are sent", "[K96]") {
    run_connected_pair(
        {.program =
             [](Party& a, const Place& peer) {
                 Message message;
                 NDK_SGE sge{};
                 sge.VirtualAddress = message.bytes.data();
                 sge.Length = 16;
                 sge.MemoryRegionToken = 0xDEADBEEF;
                 const auto& call = *a.qp->Dispatch;
                 expect(call.NdkSend(a.qp, nullptr, &sge, 1, NDK_OP_FLAG_INLINE) == STATUS_SUCCESS, "a Send");
                 expect(a.next().Status == STATUS_SUCCESS, "which succeeds");
                 expect(call.NdkWrite(a.qp, nullptr, &sge, 1, peer.address + 100, peer.token, NDK_OP_FLAG_INLINE) ==
                            STATUS_SUCCESS,
                        "a Write");
                 expect(a.next().Status == STATUS_SUCCESS, "which succeeds");
                 // The token is one that a request that is not inline fails with.
                 expect(call.NdkSend(a.qp, nullptr, &sge, 1, 0) == STATUS_SUCCESS, "a Send of the same");
                 expect(a.next().Status == STATUS_ACCESS_VIOLATION, "which fails");
             }},
        {kPeerMayWrite, [](Party& b, const Place&) {
             expect(b.receive(64) == STATUS_SUCCESS, "a receive");
             const NDK_RESULT_EX received = b.next();
             expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 16, "16 bytes");
             b.host.sleep(std::chrono::milliseconds{2} - b.host.clock());
             const Message message;
             for (const std::size_t at : std::array<std::size_t, 2>{0, 100}) {
                 expect(std::equal(message.bytes.begin(), message.bytes.end(),
                                   b.buffer.begin() + static_cast<std::ptrdiff_t>(at)),
                        "these bytes");
             }
         }});
}

// The adapter takes four SGEs, the queue pair two.
TEST_CASE("inline: data may be gathered from more entries than MaxInitiatorRequestSge", "[K97]") {
    run_connected_pair(
        {.program =
             [](Party& a, const Place& peer) {
                 NDK_ADAPTER_INFO info{};
                 ULONG size = sizeof info;
                 expect(a.adapter->Dispatch->NdkQueryAdapterInfo(a.adapter, &info, &size) == STATUS_SUCCESS,
                        "adapter info");
                 expect(info.MaxInitiatorRequestSge == 4, "the adapter's limit");
                 Message message;
                 const std::array<NDK_SGE, 16> sgl = message.backwards();
                 const auto& call = *a.qp->Dispatch;
                 expect(call.NdkSend(a.qp, nullptr, sgl.data(), 3, 0) == STATUS_DATA_OVERRUN,
                        "one more than the queue pair's limit");
                 for (const ULONG count : {3U, 5U, 16U}) {
                     expect(call.NdkSend(a.qp, nullptr, sgl.data(), count, NDK_OP_FLAG_INLINE) == STATUS_SUCCESS,
                            "inline there is none");
                     expect(a.next().Status == STATUS_SUCCESS, "it is sent");
                 }
                 expect(call.NdkWrite(a.qp, nullptr, sgl.data(), 16, peer.address + 100, peer.token,
                                      NDK_OP_FLAG_INLINE) == STATUS_SUCCESS,
                        "nor for a Write");
                 expect(a.next().Status == STATUS_SUCCESS, "it is written");
             }},
        {kPeerMayWrite,
         [](Party& b, const Place&) {
             for (int i = 0; i < 3; ++i) {
                 expect(b.receive(64) == STATUS_SUCCESS, "a receive");
             }
             for (const ULONG count : {3U, 5U, 16U}) {
                 expect(b.next().BytesTransferred == count, "a byte of each entry");
             }
             b.host.sleep(std::chrono::milliseconds{2} - b.host.clock());
             const Message message;
             for (const std::size_t at : std::array<std::size_t, 2>{0, 100}) {
                 expect(std::equal(message.bytes.rbegin(), message.bytes.rend(),
                                   b.buffer.begin() + static_cast<std::ptrdiff_t>(at)),
                        "in the entries' order");
             }
         }},
        {"nic.max_sge=4"});
}

// The last sixteen entries have a byte each, the 1984 before them none.
TEST_CASE("inline: data may come from thousands of entries, which are too many for anything else", "[K29][K97]") {
    run_connected_pair(
        {.program =
             [](Party& a, const Place& peer) {
                 Message message;
                 const std::array<NDK_SGE, 16> full = message.backwards();
                 NDK_SGE empty = full.front();
                 empty.Length = 0;
                 std::vector<NDK_SGE> sgl(1984, empty);
                 sgl.insert(sgl.end(), full.begin(), full.end());
                 const auto& call = *a.qp->Dispatch;
                 expect(call.NdkSend(a.qp, nullptr, sgl.data(), 2000, 0) == STATUS_DATA_OVERRUN, "a Send");
                 expect(call.NdkSendAndInvalidate(a.qp, nullptr, sgl.data(), 2000, 0, 1) == STATUS_DATA_OVERRUN,
                        "one that invalidates");
                 expect(
                     call.NdkWrite(a.qp, nullptr, sgl.data(), 2000, peer.address, peer.token, 0) == STATUS_DATA_OVERRUN,
                     "a Write");
                 expect(
                     call.NdkRead(a.qp, nullptr, sgl.data(), 2000, peer.address, peer.token, 0) == STATUS_DATA_OVERRUN,
                     "a Read");
                 expect(call.NdkReceive(a.qp, nullptr, sgl.data(), 2000) == STATUS_DATA_OVERRUN, "a receive");
                 expect(call.NdkSend(a.qp, nullptr, sgl.data(), 2000, NDK_OP_FLAG_INLINE) == STATUS_SUCCESS,
                        "a Send of inline data");
                 expect(a.next().Status == STATUS_SUCCESS, "which succeeds");
             }},
        {kPeerMayWrite, [](Party& b, const Place&) {
             expect(b.receive(64) == STATUS_SUCCESS, "a receive");
             const NDK_RESULT_EX received = b.next();
             expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 16, "16 bytes");
             const Message message;
             expect(std::equal(message.bytes.rbegin(), message.bytes.rend(), b.buffer.begin()), "these bytes");
         }});
}

}  // namespace ndsim::test::ndk_inline_test
