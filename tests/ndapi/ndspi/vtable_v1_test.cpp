// SPDX-License-Identifier: Apache-2.0
// Orders and parameters of version 1's methods against ndspi.md 3. Each class implements an interface and numbers its
// methods as that section does, after those of the base.
#include "ndapi/ndspi/ndspi.h"
#include "tests/ndapi/ndspi/slots.hpp"

namespace vtable_v1_test {

using Size = SIZE_T;
using Descriptor = const ND_MW_DESCRIPTOR*;

class Provider final : public Noting<INDProvider> {  // 3.1
public:
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, Size*) override { return note(3); }
    HRESULT OpenAdapter(const sockaddr*, Size, INDAdapter**) override { return note(4); }
};

template <class Interface>
class Overlapped : public Noting<Interface> {  // 3.2
public:
    HRESULT CancelOverlappedRequests() override { return this->note(3); }
    HRESULT GetOverlappedResult(OVERLAPPED*, Size*, BOOL) override { return this->note(4); }

protected:
    ~Overlapped() = default;
};

class OverlappedAlone final : public Overlapped<INDOverlapped> {};

class Adapter final : public Overlapped<INDAdapter> {  // 3.3
public:
    HANDLE GetFileHandle() override { return note(5); }
    HRESULT Query(DWORD, ND_ADAPTER_INFO*, Size*) override { return note(6); }
    HRESULT Control(DWORD, const VOID*, Size, VOID*, Size, Size*, OVERLAPPED*) override { return note(7); }
    HRESULT CreateCompletionQueue(Size, INDCompletionQueue**) override { return note(8); }
    HRESULT RegisterMemory(const VOID*, Size, OVERLAPPED*, ND_MR_HANDLE*) override { return note(9); }
    HRESULT DeregisterMemory(ND_MR_HANDLE, OVERLAPPED*) override { return note(10); }
    HRESULT CreateMemoryWindow(ND_RESULT*, INDMemoryWindow**) override { return note(11); }
    HRESULT CreateConnector(INDConnector**) override { return note(12); }
    HRESULT Listen(Size, INT, USHORT, USHORT*, INDListen**) override { return note(13); }
};

class CompletionQueue final : public Overlapped<INDCompletionQueue> {  // 3.4
public:
    HRESULT Resize(Size) override { return note(5); }
    HRESULT Notify(DWORD, OVERLAPPED*) override { return note(6); }
    Size GetResults(ND_RESULT*[], Size) override { return note(7); }
};

class MemoryWindow final : public Noting<INDMemoryWindow> {};  // 3.5

class Endpoint final : public Noting<INDEndpoint> {  // 3.6
public:
    HRESULT Flush() override { return note(3); }
    VOID StartRequestBatch() override { note(4); }
    VOID SubmitRequestBatch() override { note(5); }
    HRESULT Send(ND_RESULT*, const ND_SGE*, Size, DWORD) override { return note(6); }
    HRESULT SendAndInvalidate(ND_RESULT*, const ND_SGE*, Size, Descriptor, DWORD) override { return note(7); }
    HRESULT Receive(ND_RESULT*, const ND_SGE*, Size) override { return note(8); }
    HRESULT Bind(ND_RESULT*, ND_MR_HANDLE, INDMemoryWindow*, const VOID*, Size, DWORD, ND_MW_DESCRIPTOR*) override {
        return note(9);
    }
    HRESULT Invalidate(ND_RESULT*, INDMemoryWindow*, DWORD) override { return note(10); }
    HRESULT Read(ND_RESULT*, const ND_SGE*, Size, Descriptor, ULONGLONG, DWORD) override { return note(11); }
    HRESULT Write(ND_RESULT*, const ND_SGE*, Size, Descriptor, ULONGLONG, DWORD) override { return note(12); }
};

class Connector final : public Overlapped<INDConnector> {  // 3.7
public:
    HRESULT CreateEndpoint(INDCompletionQueue*, INDCompletionQueue*, Size, Size, Size, Size, Size, Size, Size*,
                           INDEndpoint**) override {
        return note(5);
    }
    HRESULT Connect(INDEndpoint*, const sockaddr*, Size, INT, USHORT, const VOID*, Size, OVERLAPPED*) override {
        return note(6);
    }
    HRESULT CompleteConnect(OVERLAPPED*) override { return note(7); }
    HRESULT Accept(INDEndpoint*, const VOID*, Size, OVERLAPPED*) override { return note(8); }
    HRESULT Reject(const VOID*, Size) override { return note(9); }
    HRESULT GetConnectionData(Size*, Size*, VOID*, Size*) override { return note(10); }
    HRESULT GetLocalAddress(sockaddr*, Size*) override { return note(11); }
    HRESULT GetPeerAddress(sockaddr*, Size*) override { return note(12); }
    HRESULT NotifyDisconnect(OVERLAPPED*) override { return note(13); }
    HRESULT Disconnect(OVERLAPPED*) override { return note(14); }
};

class Listen final : public Overlapped<INDListen> {  // 3.8
public:
    HRESULT GetConnectionRequest(INDConnector*, OVERLAPPED*) override { return note(5); }
};

// INDOverlapped's two come first in whatever derives from it.
template <class Object, class... Methods>
void check_overlapped_slots(Methods... methods) {
    check_slots<Object>(&INDOverlapped::CancelOverlappedRequests, &INDOverlapped::GetOverlappedResult, methods...);
}

TEST_CASE("ndspi 1: slots of the provider and of the adapter are in order") {
    check_slots<Provider>(&INDProvider::QueryAddressList, &INDProvider::OpenAdapter);
    check_overlapped_slots<OverlappedAlone>();
    check_overlapped_slots<Adapter>(&INDAdapter::GetFileHandle, &INDAdapter::Query, &INDAdapter::Control,
                                    &INDAdapter::CreateCompletionQueue, &INDAdapter::RegisterMemory,
                                    &INDAdapter::DeregisterMemory, &INDAdapter::CreateMemoryWindow,
                                    &INDAdapter::CreateConnector, &INDAdapter::Listen);
}

TEST_CASE("ndspi 1: slots of queues, windows and endpoints are in order") {
    check_overlapped_slots<CompletionQueue>(&INDCompletionQueue::Resize, &INDCompletionQueue::Notify,
                                            &INDCompletionQueue::GetResults);
    check_slots<MemoryWindow>();
    check_slots<Endpoint>(&INDEndpoint::Flush, &INDEndpoint::StartRequestBatch, &INDEndpoint::SubmitRequestBatch,
                          &INDEndpoint::Send, &INDEndpoint::SendAndInvalidate, &INDEndpoint::Receive,
                          &INDEndpoint::Bind, &INDEndpoint::Invalidate, &INDEndpoint::Read, &INDEndpoint::Write);
}

TEST_CASE("ndspi 1: slots of connectors and listens are in order") {
    check_overlapped_slots<Connector>(
        &INDConnector::CreateEndpoint, &INDConnector::Connect, &INDConnector::CompleteConnect, &INDConnector::Accept,
        &INDConnector::Reject, &INDConnector::GetConnectionData, &INDConnector::GetLocalAddress,
        &INDConnector::GetPeerAddress, &INDConnector::NotifyDisconnect, &INDConnector::Disconnect);
    check_overlapped_slots<Listen>(&INDListen::GetConnectionRequest);
}

TEST_CASE("ndspi 1: interfaces are pointers to their tables, and derive from one another as documented") {
    STATIC_REQUIRE((is_interface<INDProvider> && is_interface<INDOverlapped> && is_interface<INDAdapter>));
    STATIC_REQUIRE((is_interface<INDCompletionQueue> && is_interface<INDMemoryWindow> && is_interface<INDEndpoint>));
    STATIC_REQUIRE((is_interface<INDConnector> && is_interface<INDListen>));
    // 3.2: the base of these four, and not of the others
    STATIC_REQUIRE(std::is_base_of_v<INDOverlapped, INDAdapter>);
    STATIC_REQUIRE(std::is_base_of_v<INDOverlapped, INDCompletionQueue>);
    STATIC_REQUIRE(std::is_base_of_v<INDOverlapped, INDConnector>);
    STATIC_REQUIRE(std::is_base_of_v<INDOverlapped, INDListen>);
    STATIC_REQUIRE(!std::is_base_of_v<INDOverlapped, INDProvider>);
    STATIC_REQUIRE(!std::is_base_of_v<INDOverlapped, INDEndpoint>);
    STATIC_REQUIRE(!std::is_base_of_v<INDOverlapped, INDMemoryWindow>);
}

}  // namespace vtable_v1_test
