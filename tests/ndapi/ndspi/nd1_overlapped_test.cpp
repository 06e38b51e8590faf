// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// Overlapped calls of version 1: how they pend, how they tell of their ends.

namespace ndsim::test::nd1_overlapped_test {

void run_alone(const std::function<void(Nd1Party& party)>& program) {
    run_programs([&](Nd1Party& party) { program(party); }, idle);
}

// No call that succeeds does so at once (B12).
TEST_CASE("nd1: a registration pends, and its handle is there when it has completed", "[R122][R140][B12]") {
    HRESULT returned = ND_SUCCESS;
    Codes statuses;
    SIZE_T bytes = 1;
    bool has_handle = false;
    HRESULT freed = ND_PENDING;
    run_alone([&](Nd1Party& party) {
        std::vector<std::byte> memory(4096);
        ND_MR_HANDLE handle = nullptr;
        Nd1Call call(party.os);
        call.bytes = 1;
        returned = party.adapter->RegisterMemory(memory.data(), memory.size(), &call.overlapped, &handle);
        statuses = {call.now(*party.adapter), call.end(*party.adapter), call.now(*party.adapter),
                    call.now(*party.adapter)};
        bytes = call.bytes;
        has_handle = handle != nullptr && handle != party.handle;
        freed = party.deregister(handle);
    });
    CHECK(returned == ND_PENDING);
    CHECK(statuses == Codes{ND_PENDING, ND_SUCCESS, ND_SUCCESS, ND_SUCCESS});
    CHECK(bytes == 0);
    CHECK(has_handle);
    CHECK(freed == ND_SUCCESS);
}

TEST_CASE("nd1: DeregisterMemory knows handles only while they are registered", "[R122]") {
    Codes codes;
    run_alone([&](Nd1Party& party) {
        std::vector<std::byte> memory(4096);
        ND_MR_HANDLE handle = nullptr;
        expect(party.register_memory(memory, handle) == ND_SUCCESS, "a registration");
        codes = {party.deregister(nullptr), party.deregister(reinterpret_cast<ND_MR_HANDLE>(&memory)),
                 party.deregister(handle), party.deregister(handle)};
    });
    CHECK(codes == Codes{ND_INVALID_HANDLE, ND_INVALID_HANDLE, ND_SUCCESS, ND_INVALID_HANDLE});
}

// The limit comes from the adapter. What is no memory has its code from the documents of version 1.
TEST_CASE("nd1: memory that cannot be registered is refused at once") {
    Codes codes;
    run_alone([&](Nd1Party& party) {
        std::vector<std::byte> memory(4096);
        ND_ADAPTER_INFO info{};
        SIZE_T size = sizeof info;
        expect(party.adapter->Query(ND_VERSION_1, &info, &size) == ND_SUCCESS, "the limits");
        ND_MR_HANDLE handle = nullptr;
        OVERLAPPED& overlapped = party.call.overlapped;
        codes = {party.adapter->RegisterMemory(nullptr, 4096, &overlapped, &handle),
                 party.adapter->RegisterMemory(memory.data(), 0, &overlapped, &handle),
                 party.adapter->RegisterMemory(memory.data(), info.MaxRegistrationSize + 1, &overlapped, &handle)};
    });
    CHECK(codes == Codes{ND_ACCESS_VIOLATION, ND_ACCESS_VIOLATION, ND_INVALID_PARAMETER});
}

TEST_CASE("nd1: a registration that is cancelled gives no handle", "[R142][R143]") {
    Codes statuses;
    bool no_handle = false;
    run_alone([&](Nd1Party& party) {
        std::vector<std::byte> memory(4096);
        ND_MR_HANDLE handle = nullptr;
        Nd1Call call(party.os);
        expect(party.adapter->RegisterMemory(memory.data(), memory.size(), &call.overlapped, &handle) == ND_PENDING,
               "it pends");
        expect(party.adapter->CancelOverlappedRequests() == ND_SUCCESS, "it is cancelled");
        statuses.push_back(call.now(*party.adapter));
        party.os.sleep(1);  // the NIC has done its work by then
        statuses.push_back(call.now(*party.adapter));
        no_handle = handle == nullptr;
    });
    CHECK(statuses == Codes(2, ND_CANCELED));
    CHECK(no_handle);
}

TEST_CASE("nd1: completions come to the port of the adapter's file, unless the event's low bit is set",
          "[R141][R143][B14]") {
    std::vector<int> packets;
    Codes statuses;
    run_alone([&](Nd1Party& party) {
        const HANDLE port = party.os.create_port(party.adapter->GetFileHandle(), nullptr, 77);
        Nd1Call plain(party.os);
        Nd1Call quiet(party.os);
        quiet.overlapped.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(quiet.overlapped.hEvent) | 1U);
        Nd1Call failed(party.os);
        for (Nd1Call* const call : {&plain, &quiet, &failed}) {
            expect(party.inbound->Notify(ND_CQ_NOTIFY_ANY, &call->overlapped) == ND_PENDING, "a Notify");
            if (call == &quiet) {
                party.need_endpoint();
                expect(party.receive(1, 8) == ND_SUCCESS && party.endpoint->Flush() == ND_SUCCESS, "a result");
                party.os.sleep(1);
            }
        }
        expect(party.inbound->CancelOverlappedRequests() == ND_SUCCESS, "the third one is cancelled");
        PortPacket packet;
        while (party.os.dequeue(port, packet, 0) == ERROR_SUCCESS) {
            expect(packet.key == 77, "the file's key");
            packets.push_back(packet.overlapped == &plain.overlapped   ? 1
                              : packet.overlapped == &quiet.overlapped ? 2
                                                                       : 3);
        }
        statuses = {plain.now(*party.inbound), quiet.now(*party.inbound), failed.now(*party.inbound)};
    });
    CHECK(packets == std::vector<int>{1, 3});
    CHECK(statuses == Codes{ND_SUCCESS, ND_SUCCESS, ND_CANCELED});
}

// Refused arguments are told of at once, and not through the overlapped.
TEST_CASE("nd1: a call that is refused completes nothing", "[B13]") {
    Codes codes;
    Win32Error packets = ERROR_SUCCESS;
    run_alone([&](Nd1Party& party) {
        const HANDLE port = party.os.create_port(party.adapter->GetFileHandle(), nullptr, 0);
        Nd1Call call(party.os);
        codes = {party.adapter->DeregisterMemory(nullptr, &call.overlapped),
                 party.adapter->RegisterMemory(nullptr, 1, &call.overlapped, nullptr),
                 party.connector->CompleteConnect(&call.overlapped),
                 party.connector->Accept(nullptr, nullptr, 0, &call.overlapped)};
        PortPacket packet;
        packets = party.os.dequeue(port, packet, 1);
    });
    CHECK(codes == Codes{ND_INVALID_HANDLE, ND_INVALID_PARAMETER_4, ND_CONNECTION_INVALID, ND_INVALID_PARAMETER_1});
    CHECK(packets == WAIT_TIMEOUT);
}

TEST_CASE("nd1: releasing an adapter ends what is pending, and its objects keep it open", "[B22]") {
    Codes statuses;
    HRESULT still_works = ND_PENDING;
    run_programs(
        [&](Nd1Party& party) {
            Ref<INDAdapter> other;
            party.open(other);
            std::vector<std::byte> memory(4096);
            ND_MR_HANDLE handle = nullptr;
            Nd1Call call(party.os);
            expect(other->RegisterMemory(memory.data(), memory.size(), &call.overlapped, &handle) == ND_PENDING,
                   "a registration");
            other.reset();
            statuses.push_back(static_cast<HRESULT>(call.overlapped.Internal));
            // The party's CQs, connector and registration need its adapter.
            party.adapter.reset();
            party.need_endpoint();
            still_works = party.receive(1, 64);
            expect(party.endpoint->Flush() == ND_SUCCESS, "a Flush");
            statuses.push_back(party.received().front().status);
        },
        idle);
    CHECK(statuses == Codes{ND_CANCELED, ND_CANCELED});
    CHECK(still_works == ND_SUCCESS);
}

}  // namespace ndsim::test::nd1_overlapped_test
