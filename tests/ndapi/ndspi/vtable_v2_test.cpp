// SPDX-License-Identifier: Apache-2.0
// Orders and parameters of version 2's methods against ndspi.md 4. Each class implements an interface and numbers its
// methods as that section does, after those of the base.
#include "ndapi/ndspi/ndspi.h"
#include "tests/ndapi/ndspi/slots.hpp"

namespace vtable_v2_test {

using Sges = const ND2_SGE[];

class Provider final : public Noting<IND2Provider> {  // 4.1
public:
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, ULONG*) override { return note(3); }
    HRESULT ResolveAddress(const sockaddr*, ULONG, UINT64*) override { return note(4); }
    HRESULT OpenAdapter(REFIID, UINT64, VOID**) override { return note(5); }
};

template <class Interface>
class Overlapped : public Noting<Interface> {  // 4.2
public:
    HRESULT CancelOverlappedRequests() override { return this->note(3); }
    HRESULT GetOverlappedResult(OVERLAPPED*, BOOL) override { return this->note(4); }

protected:
    ~Overlapped() = default;
};

class OverlappedAlone final : public Overlapped<IND2Overlapped> {};

class Adapter final : public Noting<IND2Adapter> {  // 4.3
public:
    HRESULT CreateOverlappedFile(HANDLE*) override { return note(3); }
    HRESULT Query(ND2_ADAPTER_INFO*, ULONG*) override { return note(4); }
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, ULONG*) override { return note(5); }
    HRESULT CreateCompletionQueue(REFIID, HANDLE, ULONG, USHORT, KAFFINITY, VOID**) override { return note(6); }
    HRESULT CreateMemoryRegion(REFIID, HANDLE, VOID**) override { return note(7); }
    HRESULT CreateMemoryWindow(REFIID, VOID**) override { return note(8); }
    HRESULT CreateSharedReceiveQueue(REFIID, HANDLE, ULONG, ULONG, ULONG, USHORT, KAFFINITY, VOID**) override {
        return note(9);
    }
    HRESULT CreateQueuePair(REFIID, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG, ULONG, ULONG, VOID**) override {
        return note(10);
    }
    HRESULT CreateQueuePairWithSrq(REFIID, IUnknown*, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG,
                                   VOID**) override {
        return note(11);
    }
    HRESULT CreateConnector(REFIID, HANDLE, VOID**) override { return note(12); }
    HRESULT CreateListener(REFIID, HANDLE, VOID**) override { return note(13); }
};

class CompletionQueue final : public Overlapped<IND2CompletionQueue> {  // 4.4
public:
    HRESULT GetNotifyAffinity(USHORT*, KAFFINITY*) override { return note(5); }
    HRESULT Resize(ULONG) override { return note(6); }
    HRESULT Notify(ULONG, OVERLAPPED*) override { return note(7); }
    ULONG GetResults(ND2_RESULT[], ULONG) override { return note(8); }
};

class SharedReceiveQueue final : public Overlapped<IND2SharedReceiveQueue> {  // 4.5
public:
    HRESULT GetNotifyAffinity(USHORT*, KAFFINITY*) override { return note(5); }
    HRESULT Modify(ULONG, ULONG) override { return note(6); }
    HRESULT Notify(OVERLAPPED*) override { return note(7); }
    HRESULT Receive(VOID*, Sges, ULONG) override { return note(8); }
};

class MemoryRegion final : public Overlapped<IND2MemoryRegion> {  // 4.6
public:
    HRESULT Register(const VOID*, SIZE_T, ULONG, OVERLAPPED*) override { return note(5); }
    HRESULT Deregister(OVERLAPPED*) override { return note(6); }
    UINT32 GetLocalToken() override { return note(7); }
    UINT32 GetRemoteToken() override { return note(8); }
};

class MemoryWindow final : public Noting<IND2MemoryWindow> {  // 4.7
public:
    UINT32 GetRemoteToken() override { return note(3); }
};

class QueuePair final : public Noting<IND2QueuePair> {  // 4.8
public:
    HRESULT Flush() override { return note(3); }
    HRESULT Send(VOID*, Sges, ULONG, ULONG) override { return note(4); }
    HRESULT Receive(VOID*, Sges, ULONG) override { return note(5); }
    HRESULT Bind(VOID*, IUnknown*, IUnknown*, const VOID*, SIZE_T, ULONG) override { return note(6); }
    HRESULT Invalidate(VOID*, IUnknown*, ULONG) override { return note(7); }
    HRESULT Read(VOID*, Sges, ULONG, UINT64, UINT32, ULONG) override { return note(8); }
    HRESULT Write(VOID*, Sges, ULONG, UINT64, UINT32, ULONG) override { return note(9); }
};

class Connector final : public Overlapped<IND2Connector> {  // 4.9
public:
    HRESULT Bind(const sockaddr*, ULONG) override { return note(5); }
    HRESULT Connect(IUnknown*, const sockaddr*, ULONG, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*) override {
        return note(6);
    }
    HRESULT CompleteConnect(OVERLAPPED*) override { return note(7); }
    HRESULT Accept(IUnknown*, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*) override { return note(8); }
    HRESULT Reject(const VOID*, ULONG) override { return note(9); }
    HRESULT GetReadLimits(ULONG*, ULONG*) override { return note(10); }
    HRESULT GetPrivateData(VOID*, ULONG*) override { return note(11); }
    HRESULT GetLocalAddress(sockaddr*, ULONG*) override { return note(12); }
    HRESULT GetPeerAddress(sockaddr*, ULONG*) override { return note(13); }
    HRESULT NotifyDisconnect(OVERLAPPED*) override { return note(14); }
    HRESULT Disconnect(OVERLAPPED*) override { return note(15); }
};

class Listener final : public Overlapped<IND2Listener> {  // 4.10
public:
    HRESULT Bind(const sockaddr*, ULONG) override { return note(5); }
    HRESULT Listen(ULONG) override { return note(6); }
    HRESULT GetLocalAddress(sockaddr*, ULONG*) override { return note(7); }
    HRESULT GetConnectionRequest(IUnknown*, OVERLAPPED*) override { return note(8); }
};

// IND2Overlapped's two come first in whatever derives from it.
template <class Object, class... Methods>
void check_overlapped_slots(Methods... methods) {
    check_slots<Object>(&IND2Overlapped::CancelOverlappedRequests, &IND2Overlapped::GetOverlappedResult, methods...);
}

template <class Interface>
concept SendsAndInvalidates = requires {
    &Interface::SendAndInvalidate;
};

TEST_CASE("ndspi 2: slots of the provider and of the adapter are in order") {
    check_slots<Provider>(&IND2Provider::QueryAddressList, &IND2Provider::ResolveAddress, &IND2Provider::OpenAdapter);
    check_overlapped_slots<OverlappedAlone>();
    check_slots<Adapter>(&IND2Adapter::CreateOverlappedFile, &IND2Adapter::Query, &IND2Adapter::QueryAddressList,
                         &IND2Adapter::CreateCompletionQueue, &IND2Adapter::CreateMemoryRegion,
                         &IND2Adapter::CreateMemoryWindow, &IND2Adapter::CreateSharedReceiveQueue,
                         &IND2Adapter::CreateQueuePair, &IND2Adapter::CreateQueuePairWithSrq,
                         &IND2Adapter::CreateConnector, &IND2Adapter::CreateListener);
}

TEST_CASE("ndspi 2: slots of queues and queue pairs are in order") {
    check_overlapped_slots<CompletionQueue>(&IND2CompletionQueue::GetNotifyAffinity, &IND2CompletionQueue::Resize,
                                            &IND2CompletionQueue::Notify, &IND2CompletionQueue::GetResults);
    check_overlapped_slots<SharedReceiveQueue>(&IND2SharedReceiveQueue::GetNotifyAffinity,
                                               &IND2SharedReceiveQueue::Modify, &IND2SharedReceiveQueue::Notify,
                                               &IND2SharedReceiveQueue::Receive);
    check_slots<QueuePair>(&IND2QueuePair::Flush, &IND2QueuePair::Send, &IND2QueuePair::Receive, &IND2QueuePair::Bind,
                           &IND2QueuePair::Invalidate, &IND2QueuePair::Read, &IND2QueuePair::Write);
}

TEST_CASE("ndspi 2: slots of regions and windows are in order") {
    check_overlapped_slots<MemoryRegion>(&IND2MemoryRegion::Register, &IND2MemoryRegion::Deregister,
                                         &IND2MemoryRegion::GetLocalToken, &IND2MemoryRegion::GetRemoteToken);
    check_slots<MemoryWindow>(&IND2MemoryWindow::GetRemoteToken);
}

TEST_CASE("ndspi 2: slots of connectors and listeners are in order") {
    check_overlapped_slots<Connector>(&IND2Connector::Bind, &IND2Connector::Connect, &IND2Connector::CompleteConnect,
                                      &IND2Connector::Accept, &IND2Connector::Reject, &IND2Connector::GetReadLimits,
                                      &IND2Connector::GetPrivateData, &IND2Connector::GetLocalAddress,
                                      &IND2Connector::GetPeerAddress, &IND2Connector::NotifyDisconnect,
                                      &IND2Connector::Disconnect);
    check_overlapped_slots<Listener>(&IND2Listener::Bind, &IND2Listener::Listen, &IND2Listener::GetLocalAddress,
                                     &IND2Listener::GetConnectionRequest);
}

TEST_CASE("ndspi 2: interfaces are pointers to their tables, and derive from one another as documented") {
    STATIC_REQUIRE((is_interface<IND2Provider> && is_interface<IND2Overlapped> && is_interface<IND2Adapter>));
    STATIC_REQUIRE((is_interface<IND2CompletionQueue> && is_interface<IND2SharedReceiveQueue>));
    STATIC_REQUIRE((is_interface<IND2MemoryRegion> && is_interface<IND2MemoryWindow>));
    STATIC_REQUIRE((is_interface<IND2QueuePair> && is_interface<IND2Connector> && is_interface<IND2Listener>));
    // 4: the base of these five, and not of the others
    STATIC_REQUIRE(std::is_base_of_v<IND2Overlapped, IND2CompletionQueue>);
    STATIC_REQUIRE(std::is_base_of_v<IND2Overlapped, IND2SharedReceiveQueue>);
    STATIC_REQUIRE(std::is_base_of_v<IND2Overlapped, IND2MemoryRegion>);
    STATIC_REQUIRE(std::is_base_of_v<IND2Overlapped, IND2Connector>);
    STATIC_REQUIRE(std::is_base_of_v<IND2Overlapped, IND2Listener>);
    STATIC_REQUIRE(!std::is_base_of_v<IND2Overlapped, IND2Provider>);
    STATIC_REQUIRE(!std::is_base_of_v<IND2Overlapped, IND2Adapter>);
    STATIC_REQUIRE(!std::is_base_of_v<IND2Overlapped, IND2QueuePair>);
    STATIC_REQUIRE(!std::is_base_of_v<IND2Overlapped, IND2MemoryWindow>);
}

TEST_CASE("ndspi 2: there is no way to a SendAndInvalidate", "[R57]") {
    STATIC_REQUIRE(SendsAndInvalidates<INDEndpoint>);  // as in version 1, so the question is a good one
    STATIC_REQUIRE(!SendsAndInvalidates<IND2QueuePair>);
    STATIC_REQUIRE(Nd2RequestTypeWrite == 5);  // 2.3: six types, of which this is the last
}

}  // namespace vtable_v2_test
