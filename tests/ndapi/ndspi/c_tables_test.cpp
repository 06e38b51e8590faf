// SPDX-License-Identifier: Apache-2.0
// The C face of NDSPI against the C++ one: the same slots, in the same order, with the same parameters.
#include <cstddef>
#include <type_traits>

#include "ndapi/ndspi/ndspi.h"
#include "tests/support/catch.hpp"

// The headers for C, in a room of their own, so that both faces of one name can be compared.
namespace c {
#include "ndapi/ndspi/c/ndspi.h"
}

namespace c_tables_test {

// How a parameter is passed: a reference is a pointer, and what a pointer points at differs in name only.
template <class Type>
using Passed = std::conditional_t<std::is_reference_v<Type> || std::is_pointer_v<Type>, VOID*, Type>;

template <class Interface, class Result, class... Parameters, class Object, class... InC>
constexpr bool same_call(Result (Interface::*)(Parameters...), Result (*)(Object*, InC...)) {
    return std::is_same_v<VOID(Passed<Parameters>...), VOID(Passed<InC>...)>;
}

template <class Method, class Slot>
struct Row {
    Method method;
    Slot slot;
};
template <class Method, class Slot>
Row(Method, Slot) -> Row<Method, Slot>;

// The table has these rows, one pointer each, and nothing else.
template <class Table, class... Rows>
void check_table(Rows... rows) {
    const Table table{};
    std::size_t size = 0;
    const auto check = [&](auto row) {
        CAPTURE(size);
        const auto& slot = table.*row.slot;
        CHECK(same_call(row.method, slot));
        CHECK(reinterpret_cast<ULONG_PTR>(&slot) - reinterpret_cast<ULONG_PTR>(&table) == size);
        size += sizeof(slot);
    };
    check(Row{&IUnknown::QueryInterface, &Table::QueryInterface});
    check(Row{&IUnknown::AddRef, &Table::AddRef});
    check(Row{&IUnknown::Release, &Table::Release});
    (check(rows), ...);
    CHECK(sizeof(Table) == size);
}

TEST_CASE("ndspi 1 in C: the tables are those of C++") {
    {
        using Table = c::INDOverlappedVtbl;
        check_table<Table>(Row{&INDOverlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&INDOverlapped::GetOverlappedResult, &Table::GetOverlappedResult});
    }
    {
        using Table = c::INDCompletionQueueVtbl;
        check_table<Table>(Row{&INDOverlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&INDOverlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&INDCompletionQueue::Resize, &Table::Resize},
                           Row{&INDCompletionQueue::Notify, &Table::Notify},
                           Row{&INDCompletionQueue::GetResults, &Table::GetResults});
    }
    check_table<c::INDMemoryWindowVtbl>();
    {
        using Table = c::INDEndpointVtbl;
        check_table<Table>(
            Row{&INDEndpoint::Flush, &Table::Flush}, Row{&INDEndpoint::StartRequestBatch, &Table::StartRequestBatch},
            Row{&INDEndpoint::SubmitRequestBatch, &Table::SubmitRequestBatch}, Row{&INDEndpoint::Send, &Table::Send},
            Row{&INDEndpoint::SendAndInvalidate, &Table::SendAndInvalidate},
            Row{&INDEndpoint::Receive, &Table::Receive}, Row{&INDEndpoint::Bind, &Table::Bind},
            Row{&INDEndpoint::Invalidate, &Table::Invalidate}, Row{&INDEndpoint::Read, &Table::Read},
            Row{&INDEndpoint::Write, &Table::Write});
    }
    {
        using Table = c::INDConnectorVtbl;
        check_table<Table>(Row{&INDOverlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&INDOverlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&INDConnector::CreateEndpoint, &Table::CreateEndpoint},
                           Row{&INDConnector::Connect, &Table::Connect},
                           Row{&INDConnector::CompleteConnect, &Table::CompleteConnect},
                           Row{&INDConnector::Accept, &Table::Accept}, Row{&INDConnector::Reject, &Table::Reject},
                           Row{&INDConnector::GetConnectionData, &Table::GetConnectionData},
                           Row{&INDConnector::GetLocalAddress, &Table::GetLocalAddress},
                           Row{&INDConnector::GetPeerAddress, &Table::GetPeerAddress},
                           Row{&INDConnector::NotifyDisconnect, &Table::NotifyDisconnect},
                           Row{&INDConnector::Disconnect, &Table::Disconnect});
    }
    {
        using Table = c::INDListenVtbl;
        check_table<Table>(Row{&INDOverlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&INDOverlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&INDListen::GetConnectionRequest, &Table::GetConnectionRequest});
    }
    {
        using Table = c::INDAdapterVtbl;
        check_table<Table>(Row{&INDOverlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&INDOverlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&INDAdapter::GetFileHandle, &Table::GetFileHandle},
                           Row{&INDAdapter::Query, &Table::Query}, Row{&INDAdapter::Control, &Table::Control},
                           Row{&INDAdapter::CreateCompletionQueue, &Table::CreateCompletionQueue},
                           Row{&INDAdapter::RegisterMemory, &Table::RegisterMemory},
                           Row{&INDAdapter::DeregisterMemory, &Table::DeregisterMemory},
                           Row{&INDAdapter::CreateMemoryWindow, &Table::CreateMemoryWindow},
                           Row{&INDAdapter::CreateConnector, &Table::CreateConnector},
                           Row{&INDAdapter::Listen, &Table::Listen});
    }
    {
        using Table = c::INDProviderVtbl;
        check_table<Table>(Row{&INDProvider::QueryAddressList, &Table::QueryAddressList},
                           Row{&INDProvider::OpenAdapter, &Table::OpenAdapter});
    }
}

TEST_CASE("ndspi 2 in C: the tables are those of C++") {
    {
        using Table = c::IND2OverlappedVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult});
    }
    {
        using Table = c::IND2MemoryRegionVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&IND2MemoryRegion::Register, &Table::Register},
                           Row{&IND2MemoryRegion::Deregister, &Table::Deregister},
                           Row{&IND2MemoryRegion::GetLocalToken, &Table::GetLocalToken},
                           Row{&IND2MemoryRegion::GetRemoteToken, &Table::GetRemoteToken});
    }
    {
        using Table = c::IND2MemoryWindowVtbl;
        check_table<Table>(Row{&IND2MemoryWindow::GetRemoteToken, &Table::GetRemoteToken});
    }
    {
        using Table = c::IND2CompletionQueueVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&IND2CompletionQueue::GetNotifyAffinity, &Table::GetNotifyAffinity},
                           Row{&IND2CompletionQueue::Resize, &Table::Resize},
                           Row{&IND2CompletionQueue::Notify, &Table::Notify},
                           Row{&IND2CompletionQueue::GetResults, &Table::GetResults});
    }
    {
        using Table = c::IND2SharedReceiveQueueVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&IND2SharedReceiveQueue::GetNotifyAffinity, &Table::GetNotifyAffinity},
                           Row{&IND2SharedReceiveQueue::Modify, &Table::Modify},
                           Row{&IND2SharedReceiveQueue::Notify, &Table::Notify},
                           Row{&IND2SharedReceiveQueue::Receive, &Table::Receive});
    }
    {
        using Table = c::IND2QueuePairVtbl;
        check_table<Table>(Row{&IND2QueuePair::Flush, &Table::Flush}, Row{&IND2QueuePair::Send, &Table::Send},
                           Row{&IND2QueuePair::Receive, &Table::Receive}, Row{&IND2QueuePair::Bind, &Table::Bind},
                           Row{&IND2QueuePair::Invalidate, &Table::Invalidate}, Row{&IND2QueuePair::Read, &Table::Read},
                           Row{&IND2QueuePair::Write, &Table::Write});
    }
    {
        using Table = c::IND2ConnectorVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&IND2Connector::Bind, &Table::Bind}, Row{&IND2Connector::Connect, &Table::Connect},
                           Row{&IND2Connector::CompleteConnect, &Table::CompleteConnect},
                           Row{&IND2Connector::Accept, &Table::Accept}, Row{&IND2Connector::Reject, &Table::Reject},
                           Row{&IND2Connector::GetReadLimits, &Table::GetReadLimits},
                           Row{&IND2Connector::GetPrivateData, &Table::GetPrivateData},
                           Row{&IND2Connector::GetLocalAddress, &Table::GetLocalAddress},
                           Row{&IND2Connector::GetPeerAddress, &Table::GetPeerAddress},
                           Row{&IND2Connector::NotifyDisconnect, &Table::NotifyDisconnect},
                           Row{&IND2Connector::Disconnect, &Table::Disconnect});
    }
    {
        using Table = c::IND2ListenerVtbl;
        check_table<Table>(Row{&IND2Overlapped::CancelOverlappedRequests, &Table::CancelOverlappedRequests},
                           Row{&IND2Overlapped::GetOverlappedResult, &Table::GetOverlappedResult},
                           Row{&IND2Listener::Bind, &Table::Bind}, Row{&IND2Listener::Listen, &Table::Listen},
                           Row{&IND2Listener::GetLocalAddress, &Table::GetLocalAddress},
                           Row{&IND2Listener::GetConnectionRequest, &Table::GetConnectionRequest});
    }
    {
        using Table = c::IND2AdapterVtbl;
        check_table<Table>(Row{&IND2Adapter::CreateOverlappedFile, &Table::CreateOverlappedFile},
                           Row{&IND2Adapter::Query, &Table::Query},
                           Row{&IND2Adapter::QueryAddressList, &Table::QueryAddressList},
                           Row{&IND2Adapter::CreateCompletionQueue, &Table::CreateCompletionQueue},
                           Row{&IND2Adapter::CreateMemoryRegion, &Table::CreateMemoryRegion},
                           Row{&IND2Adapter::CreateMemoryWindow, &Table::CreateMemoryWindow},
                           Row{&IND2Adapter::CreateSharedReceiveQueue, &Table::CreateSharedReceiveQueue},
                           Row{&IND2Adapter::CreateQueuePair, &Table::CreateQueuePair},
                           Row{&IND2Adapter::CreateQueuePairWithSrq, &Table::CreateQueuePairWithSrq},
                           Row{&IND2Adapter::CreateConnector, &Table::CreateConnector},
                           Row{&IND2Adapter::CreateListener, &Table::CreateListener});
    }
    {
        using Table = c::IND2ProviderVtbl;
        check_table<Table>(Row{&IND2Provider::QueryAddressList, &Table::QueryAddressList},
                           Row{&IND2Provider::ResolveAddress, &Table::ResolveAddress},
                           Row{&IND2Provider::OpenAdapter, &Table::OpenAdapter});
    }
}

}  // namespace c_tables_test
