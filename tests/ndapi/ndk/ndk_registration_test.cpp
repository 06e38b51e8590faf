// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_memory.hpp"
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_registration_test {

using namespace std::chrono_literals;

constexpr ULONG kNoFlags = NDK_MR_FLAG_ALLOW_LOCAL_READ;
constexpr ULONG kEverything = NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

// A request of a party whose region was registered without flags, and how it ends.
void from_plain_region(const std::function<NTSTATUS(Party&, const Place&)>& post, NTSTATUS ends) {
    run_connected_pair({kNoFlags,
                        [&](Party& a, const Place& peer) {
                            expect(post(a, peer) == STATUS_SUCCESS, "it is posted");
                            expect(a.next().Status == ends, "and ends so");
                        }},
                       {kEverything, [](Party& b, const Place&) {
                            expect(b.receive(64) == STATUS_SUCCESS, "a receive");
                            b.host.sleep(2ms - b.host.clock());
                            b.send(64);  // for the receive of the peer, if that is what it has posted
                        }});
}

// A request of B that names memory of A, whose region was registered without flags.
void at_plain_region(const std::function<NTSTATUS(Party&, const Place&)>& post) {
    run_connected_pair({kNoFlags}, {kEverything, [&](Party& b, const Place& peer) {
                                        expect(post(b, peer) == STATUS_SUCCESS, "it is posted");
                                        expect(b.next().Status == STATUS_REMOTE_RESOURCES, "and refused by the peer");
                                    }});
}

NDK_ADAPTER_INFO info_of(NDK_ADAPTER* adapter) {
    NDK_ADAPTER_INFO info{};
    ULONG size = sizeof info;
    expect(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &size) == STATUS_SUCCESS, "adapter info");
    return info;
}

TEST_CASE("mr: a chain of MDLs with a gap in it is refused, one without is registered", "[K120]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        std::byte* const data = pages.bytes.data();
        MDL second;
        second.ByteCount = 3000;
        MDL first;
        first.VirtualAddress = data + 100;
        first.ByteCount = 1000;
        first.Next = &second;
        NDK_MR* const mr = create_mr(objects, FALSE);
        const auto register_chain = [&](std::byte* second_at, SIZE_T length) {
            second.VirtualAddress = second_at;
            Call call(objects.host);
            return call.wait(mr->Dispatch->NdkRegisterMr(mr, &first, length, 0, Call::done, &call));
        };
        expect(register_chain(data + 1101, 4000) == STATUS_INVALID_PARAMETER, "a gap of one byte");
        expect(register_chain(data + 1099, 4000) == STATUS_INVALID_PARAMETER, "a byte twice");
        expect(register_chain(data + 1100, 4001) == STATUS_INVALID_PARAMETER, "longer than the chain");
        expect(register_chain(data + 1100, 4000) == STATUS_SUCCESS, "both pieces");
    });
}

// MDLs of 2 GiB, one more than MaxRegistrationSize has. Most of their memory is nobody's: it is refused unseen.
TEST_CASE("mr: one byte more than MaxRegistrationSize is refused", "[K21]") {
    run_on_a([](HostContext& host) {
        constexpr ULONG kPiece = 1U << 31U;
        Objects objects(host);
        Pages pages;
        const SIZE_T most = info_of(objects.adapter).MaxRegistrationSize;
        std::vector<MDL> chain(most / kPiece + 1);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const UINT64 address = reinterpret_cast<UINT64>(pages.bytes.data()) + i * kPiece;
            chain[i].VirtualAddress = reinterpret_cast<PVOID>(address);  // NOLINT: made up
            chain[i].ByteCount = kPiece;
            chain[i].Next = i + 1 < chain.size() ? &chain[i + 1] : nullptr;
        }
        NDK_MR* const mr = create_mr(objects, FALSE);
        Call call(host);
        expect(
            mr->Dispatch->NdkRegisterMr(mr, chain.data(), most + 1, 0, Call::done, &call) == STATUS_INVALID_PARAMETER,
            "a byte too many");
        expect(register_mr(objects, mr, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "the MR is still good");
        expect(call.callbacks == 0, "what is refused calls nobody back");
    });
}

TEST_CASE("mr: registered without flags it can be sent from, and written from", "[K122]") {
    from_plain_region([](Party& a, const Place&) { return a.send(64); }, STATUS_SUCCESS);
    from_plain_region([](Party& a, const Place& peer) { return a.write(64, peer); }, STATUS_SUCCESS);
}

TEST_CASE("mr: registered without flags it takes neither a message nor what a Read brings", "[K122]") {
    from_plain_region([](Party& a, const Place&) { return a.receive(64); }, STATUS_ACCESS_VIOLATION);
    from_plain_region([](Party& a, const Place& peer) { return a.read(64, peer); }, STATUS_ACCESS_VIOLATION);
}

TEST_CASE("mr: registered without flags it is closed to the peer", "[K122]") {
    at_plain_region([](Party& b, const Place& peer) { return b.read(64, peer); });
    at_plain_region([](Party& b, const Place& peer) { return b.write(64, peer); });
}

// The window is there all the time. An Invalidate that is silent, or that nobody polls, ends what it holds as well.
void closes_after(ULONG flags, bool polls) {
    run_connected_pair(
        {.program =
             [=](Party& a, const Place&) {
                 NDK_MW* window = nullptr;
                 a.make(window, [&](Call& call, NDK_MW** out) {
                     return a.pd->Dispatch->NdkCreateMw(a.pd, Call::created, &call, out);
                 });
                 const auto& call = *a.qp->Dispatch;
                 expect(call.NdkBind(a.qp, nullptr, a.mr, window, a.buffer.data(), 64, kPeerWrites) == STATUS_SUCCESS,
                        "a Bind");
                 expect(a.next().Status == STATUS_SUCCESS, "it is bound");
                 expect(call.NdkInvalidate(a.qp, nullptr, &window->Header, flags) == STATUS_SUCCESS, "an Invalidate");
                 if (polls) {
                     expect(a.next().Status == STATUS_SUCCESS, "it is not bound any more");
                 }
                 a.host.sleep(100us);
                 const Picoseconds begun = a.host.clock();
                 Call closing(a.host);
                 closing.wait(a.mr->Dispatch->NdkCloseMr(&a.mr->Header, Call::closed, &closing));
                 expect(a.host.clock() < begun + 1ms, "the region has not waited for the window");
                 a.close(window->Dispatch->NdkCloseMw, window);
             }},
        {});
}

TEST_CASE("mr: it closes although its window is there, if that was invalidated", "[K205]") {
    closes_after(0, true);
}

TEST_CASE("mr: it closes although its window is there, if that was invalidated and nobody has polled", "[K205]") {
    closes_after(0, false);
}

TEST_CASE("mr: it closes although its window is there, if that was invalidated in silence", "[K205]") {
    closes_after(NDK_OP_FLAG_SILENT_SUCCESS, false);
}

TEST_CASE("adapter: fast registrations of 16 pages are to be had", "[K211]") {
    run_on_a([](Objects& objects) {
        const NDK_ADAPTER_INFO info = info_of(objects.adapter);
        expect(info.FRMRPageCount >= 16, "at least 16");
        expect(initialize(objects, create_mr(objects, TRUE), info.FRMRPageCount, TRUE) == STATUS_SUCCESS,
               "as many as it says");
    });
}

}  // namespace ndsim::test::ndk_registration_test
