// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_memory.hpp"

namespace ndsim::test::ndk_logical_test {

constexpr ULONG kLength = 5000;

// A message of 5000 bytes by logical addresses: two entries, as its two pages do not follow each other.
struct Logical {
    // The message begins `offset` bytes into its first page, so the first entry has 4096 - offset bytes.
    Logical(Objects& objects, ULONG offset) : data(pages.bytes.data() + offset) {
        MDL mdl;
        mdl.VirtualAddress = data;
        mdl.ByteCount = kLength;
        ULONG size = static_cast<ULONG>(mapping.size() * sizeof(NDK_LOGICAL_ADDRESS_MAPPING));
        ULONG first_byte = 0;
        NDK_ADAPTER* const adapter = objects.adapter;
        expect(adapter->Dispatch->NdkBuildLAM(adapter, &mdl, kLength, nullptr, nullptr, mapping.data(), &size,
                                              &first_byte) == STATUS_SUCCESS,
               "a LAM");
        objects.pd->Dispatch->NdkGetPrivilegedMemoryRegionToken(objects.pd, &token);
        const NDK_LOGICAL_ADDRESS* const page = mapping.front().AdapterPageArray;
        sgl[0].LogicalAddress.QuadPart = page->QuadPart + first_byte;
        sgl[0].Length = 4096 - first_byte;
        sgl[1].LogicalAddress = *(page + 1);
        sgl[1].Length = kLength - sgl[0].Length;
        sgl[0].MemoryRegionToken = token;
        sgl[1].MemoryRegionToken = token;
    }

    Pages pages;
    std::byte* data;
    std::vector<NDK_LOGICAL_ADDRESS_MAPPING> mapping{3};
    UINT32 token = 0;
    std::array<NDK_SGE, 2> sgl{};
};

NTSTATUS completion(Objects& objects) {
    NDK_RESULT result{};
    for (int polls = 0; objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0; ++polls) {
        expect(polls < 10000, "a completion comes");
    }
    return result.Status;
}

std::byte byte_of(ULONG i) {
    return std::byte{static_cast<std::uint8_t>(i * 7 + i / 256)};
}

TEST_CASE("ndk: with the privileged token a message is sent from, and received into, logical addresses",
          "[K118][K136]") {
    run_pair(
        [](Objects& objects) {
            Logical message(objects, 300);
            for (ULONG i = 0; i < kLength; ++i) {
                message.data[i] = byte_of(i);
            }
            objects.connect("B");
            objects.host.sleep(std::chrono::microseconds{50});  // B posts its receive
            expect(objects.qp->Dispatch->NdkSend(objects.qp, nullptr, message.sgl.data(), 2, 0) == STATUS_SUCCESS,
                   "a Send");
            expect(completion(objects) == STATUS_SUCCESS, "it is sent");
        },
        [](Objects& objects) {
            Logical message(objects, 2000);
            expect(objects.qp->Dispatch->NdkReceive(objects.qp, nullptr, message.sgl.data(), 2) == STATUS_SUCCESS,
                   "a receive");
            objects.accept();
            expect(completion(objects) == STATUS_SUCCESS, "it is received");
            for (ULONG i = 0; i < kLength; ++i) {
                expect(message.data[i] == byte_of(i), "every byte is in its place");
            }
        });
}

TEST_CASE("ndk: a logical address that is not mapped is refused", "[K118]") {
    run_connected([](Objects& objects) {
        Logical message(objects, 0);
        objects.adapter->Dispatch->NdkReleaseLAM(objects.adapter, message.mapping.data());
        expect(objects.qp->Dispatch->NdkSend(objects.qp, nullptr, message.sgl.data(), 2, 0) == STATUS_SUCCESS,
               "a Send");
        expect(completion(objects) == STATUS_ACCESS_VIOLATION, "its memory is nowhere");
    });
}

TEST_CASE("ndk: the privileged token is no token for a peer", "[K119]") {
    run_pair(
        [](Objects& objects) {
            Logical message(objects, 0);
            objects.connect("B");
            // Just these addresses are mapped at B, too: both hosts hand them out in the same order.
            expect(objects.qp->Dispatch->NdkWrite(objects.qp, nullptr, &message.sgl[1], 1,
                                                  static_cast<UINT64>(message.sgl[1].LogicalAddress.QuadPart),
                                                  message.token, 0) == STATUS_SUCCESS,
                   "a Write");
            expect(completion(objects) == STATUS_REMOTE_RESOURCES, "B refuses it");
        },
        [](Objects& objects) {
            const Logical message(objects, 0);
            objects.accept();
            objects.host.sleep(std::chrono::microseconds{200});
        });
}

}  // namespace ndsim::test::ndk_logical_test
