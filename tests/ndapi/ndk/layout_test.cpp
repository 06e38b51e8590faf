// SPDX-License-Identifier: Apache-2.0
// Layouts, values and parameter orders of NDKPI against ndkpi.md, whose sections the comments name. They are those
// of 64-bit Windows, where a pointer and a SIZE_T have 8 bytes, a ULONG and an enumeration 4.
#include <cstddef>
#include <type_traits>

#include "ndapi/ndk/ndkpi.h"
#include "tests/support/catch.hpp"

namespace layout_test {

constexpr std::size_t kSlot = 8;  // a table holds pointers only

template <class Table, std::size_t slots>
constexpr bool has_slots = sizeof(Table) == slots* kSlot;

// 1.1: every object is a header and the pointer to its table
template <class Object>
constexpr bool is_object = sizeof(Object) == 48 && offsetof(Object, Header) == 0 && offsetof(Object, Dispatch) == 40;

TEST_CASE("ndk: sizes and offsets of headers, objects, lists and mappings", "[K1]") {
    // 1.1: 4 bytes of version, 4 of type, 4 reserved pointers
    STATIC_REQUIRE(sizeof(NDK_VERSION) == 4);
    STATIC_REQUIRE(sizeof(NDK_OBJECT_HEADER_RESERVED_BLOCK) == 32);
    STATIC_REQUIRE(sizeof(NDK_OBJECT_HEADER) == 40);
    STATIC_REQUIRE(offsetof(NDK_OBJECT_HEADER, Version) == 0);
    STATIC_REQUIRE(offsetof(NDK_OBJECT_HEADER, ObjectType) == 4);
    STATIC_REQUIRE(offsetof(NDK_OBJECT_HEADER, NdkReserved) == 8);
    STATIC_REQUIRE(is_object<NDK_ADAPTER>);
    STATIC_REQUIRE(is_object<NDK_PD>);
    STATIC_REQUIRE(is_object<NDK_CQ>);
    STATIC_REQUIRE(is_object<NDK_QP>);
    STATIC_REQUIRE(is_object<NDK_SRQ>);
    STATIC_REQUIRE(is_object<NDK_MR>);
    STATIC_REQUIRE(is_object<NDK_MW>);
    STATIC_REQUIRE(is_object<NDK_CONNECTOR>);
    STATIC_REQUIRE(is_object<NDK_LISTENER>);
    STATIC_REQUIRE(is_object<NDK_SHARED_ENDPOINT>);

    STATIC_REQUIRE(sizeof(NDK_SGE) == 16);
    STATIC_REQUIRE(offsetof(NDK_SGE, VirtualAddress) == 0);
    STATIC_REQUIRE(offsetof(NDK_SGE, LogicalAddress) == 0);
    STATIC_REQUIRE(offsetof(NDK_SGE, Length) == 8);
    STATIC_REQUIRE(offsetof(NDK_SGE, MemoryRegionToken) == 12);

    // 1.1: n pages need 16 + 8 n bytes
    STATIC_REQUIRE(sizeof(NDK_LOGICAL_ADDRESS) == 8);
    STATIC_REQUIRE(sizeof(NDK_LOGICAL_ADDRESS_MAPPING) == 24);
    STATIC_REQUIRE(offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterContext) == 0);
    STATIC_REQUIRE(offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageCount) == 8);
    STATIC_REQUIRE(offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray) == 16);
    STATIC_REQUIRE(sizeof(NDK_EXTENSION_INTERFACE) == 8);
}

TEST_CASE("ndk: sizes and offsets of results", "[K1][K2]") {
    // 1.1: the first four fields are the same in both
    STATIC_REQUIRE(sizeof(NDK_RESULT) == 24);
    STATIC_REQUIRE(offsetof(NDK_RESULT, Status) == 0);
    STATIC_REQUIRE(offsetof(NDK_RESULT, BytesTransferred) == 4);
    STATIC_REQUIRE(offsetof(NDK_RESULT, QPContext) == 8);
    STATIC_REQUIRE(offsetof(NDK_RESULT, RequestContext) == 16);

    STATIC_REQUIRE(sizeof(NDK_RESULT_EX) == 40);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, Status) == 0);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, BytesTransferred) == 4);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, QPContext) == 8);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, RequestContext) == 16);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, Type) == 24);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, ProviderErrorCode) == 28);
    STATIC_REQUIRE(offsetof(NDK_RESULT_EX, TypeSpecificCompletionOutput) == 32);
}

TEST_CASE("ndk: size and offsets of the adapter's information", "[K1]") {
    // 2.6: a hole of 4 bytes before the first SIZE_T, and 4 at the end
    STATIC_REQUIRE(sizeof(NDK_ADAPTER_INFO) == 104);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, Version) == 0);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, VendorId) == 4);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, DeviceId) == 8);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxRegistrationSize) == 16);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxWindowSize) == 24);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, FRMRPageCount) == 32);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxInitiatorRequestSge) == 36);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxReceiveRequestSge) == 40);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxReadRequestSge) == 44);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxTransferLength) == 48);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxInlineDataSize) == 52);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxInboundReadLimit) == 56);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxOutboundReadLimit) == 60);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxReceiveQueueDepth) == 64);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxInitiatorQueueDepth) == 68);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxSrqDepth) == 72);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxCqDepth) == 76);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, LargeRequestThreshold) == 80);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxCallerData) == 84);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, MaxCalleeData) == 88);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, AdapterFlags) == 92);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_INFO, RdmaTechnology) == 96);
}

TEST_CASE("ndk: slots of the adapter's and the domain's tables are in order", "[K3]") {
    STATIC_REQUIRE(has_slots<NDK_ADAPTER_DISPATCH, 9>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkQueryExtension) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkQueryAdapterInfo) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkCreateCq) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkCreatePd) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkCreateSharedEndpoint) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkCreateConnector) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkCreateListener) == 6 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkBuildLAM) == 7 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_ADAPTER_DISPATCH, NdkReleaseLAM) == 8 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_PD_DISPATCH, 8>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkClosePd) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkCreateMr) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkCreateMw) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkCreateSrq) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkCreateQp) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkCreateQpWithSrq) == 6 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_PD_DISPATCH, NdkGetPrivilegedMemoryRegionToken) == 7 * kSlot);
}

TEST_CASE("ndk: slots of the queues' tables are in order", "[K3]") {
    STATIC_REQUIRE(has_slots<NDK_CQ_DISPATCH, 7>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkCloseCq) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkResizeCq) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkArmCq) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkGetCqResults) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkControlCqInterruptModeration) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CQ_DISPATCH, NdkGetCqResultsEx) == 6 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_QP_DISPATCH, 11>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkCloseQp) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkFlush) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkSend) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkReceive) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkBind) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkFastRegister) == 6 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkInvalidate) == 7 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkRead) == 8 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkWrite) == 9 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_QP_DISPATCH, NdkSendAndInvalidate) == 10 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_SRQ_DISPATCH, 4>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_SRQ_DISPATCH, NdkCloseSrq) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_SRQ_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_SRQ_DISPATCH, NdkModifySrq) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_SRQ_DISPATCH, NdkSrqReceive) == 3 * kSlot);
}

TEST_CASE("ndk: slots of the regions' and the windows' tables are in order", "[K3]") {
    STATIC_REQUIRE(has_slots<NDK_MR_DISPATCH, 7>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkCloseMr) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkRegisterMr) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkDeregisterMr) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkInitializeFastRegisterMr) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkGetRemoteTokenFromMr) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MR_DISPATCH, NdkGetLocalTokenFromMr) == 6 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_MW_DISPATCH, 3>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_MW_DISPATCH, NdkCloseMw) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MW_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_MW_DISPATCH, NdkGetRemoteTokenFromMw) == 2 * kSlot);
}

TEST_CASE("ndk: slots of the connection tables are in order", "[K3]") {
    STATIC_REQUIRE(has_slots<NDK_CONNECTOR_DISPATCH, 13>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkCloseConnector) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkConnect) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkConnectWithSharedEndpoint) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkCompleteConnect) == 4 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkAccept) == 5 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkReject) == 6 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkGetConnectionData) == 7 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkGetLocalAddress) == 8 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkGetPeerAddress) == 9 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkDisconnect) == 10 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkCompleteConnectEx) == 11 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_CONNECTOR_DISPATCH, NdkAcceptEx) == 12 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_LISTENER_DISPATCH, 5>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_LISTENER_DISPATCH, NdkCloseListener) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_LISTENER_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_LISTENER_DISPATCH, NdkListen) == 2 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_LISTENER_DISPATCH, NdkGetLocalAddress) == 3 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_LISTENER_DISPATCH, NdkControlConnectEvents) == 4 * kSlot);

    STATIC_REQUIRE(has_slots<NDK_SHARED_ENDPOINT_DISPATCH, 3>);  // 1.2
    STATIC_REQUIRE(offsetof(NDK_SHARED_ENDPOINT_DISPATCH, NdkCloseSharedEndpoint) == 0 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_SHARED_ENDPOINT_DISPATCH, NdkQueryExtension) == 1 * kSlot);
    STATIC_REQUIRE(offsetof(NDK_SHARED_ENDPOINT_DISPATCH, NdkGetLocalAddress) == 2 * kSlot);
}

TEST_CASE("ndk: flags of initiator requests", "[K4]") {
    STATIC_REQUIRE(NDK_OP_FLAG_SILENT_SUCCESS == 0x00000001);          // 2.1, seed 004
    STATIC_REQUIRE(NDK_OP_FLAG_READ_FENCE == 0x00000002);              // 2.1, seed 004
    STATIC_REQUIRE(NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT == 0x00000004);  // 2.1, seed 004
    STATIC_REQUIRE(NDK_OP_FLAG_ALLOW_REMOTE_READ == 0x00000008);
    STATIC_REQUIRE(NDK_OP_FLAG_ALLOW_LOCAL_WRITE == 0x00000010);
    STATIC_REQUIRE(NDK_OP_FLAG_ALLOW_REMOTE_WRITE == 0x00000030);
    STATIC_REQUIRE(NDK_OP_FLAG_INLINE == 0x00000040);  // 2.1, seed 004
    STATIC_REQUIRE(NDK_OP_FLAG_RDMA_READ_SINK == 0x00000080);
    STATIC_REQUIRE(NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE == 0x00000100);  // 6: not the 0x200 of defect D1
    STATIC_REQUIRE(NDK_OP_FLAG_DEFER == 0x00000200);                       // 2.1, seed 004
}

TEST_CASE("ndk: arm types", "[K6]") {
    STATIC_REQUIRE(NDK_CQ_NOTIFY_ERRORS == 0);  // 2.2
    STATIC_REQUIRE(NDK_CQ_NOTIFY_ANY == 1);
    STATIC_REQUIRE(NDK_CQ_NOTIFY_SOLICITED == 2);
}

TEST_CASE("ndk: operation types are one bit each, and both receives share theirs", "[K7]") {
    STATIC_REQUIRE(NdkOperationTypeReceive == 1);  // 2.4
    STATIC_REQUIRE(NdkOperationTypeReceiveAndInvalidate == 0x8001);
    STATIC_REQUIRE((NdkOperationTypeReceiveAndInvalidate & NdkOperationTypeReceive) != 0);
    STATIC_REQUIRE(NdkOperationTypeSend == 2);
    STATIC_REQUIRE(NdkOperationTypeFastRegister == 4);
    STATIC_REQUIRE(NdkOperationTypeBind == 8);
    STATIC_REQUIRE(NdkOperationTypeInvalidate == 16);
    STATIC_REQUIRE(NdkOperationTypeRead == 32);
    STATIC_REQUIRE(NdkOperationTypeWrite == 64);
    STATIC_REQUIRE(sizeof(NDK_OPERATION_TYPE) == 4);
}

TEST_CASE("ndk: rights of a registration, object types, adapter flags and technologies") {
    STATIC_REQUIRE(NDK_MR_FLAG_ALLOW_LOCAL_READ == 0x00000000);  // 2.3
    STATIC_REQUIRE(NDK_MR_FLAG_ALLOW_LOCAL_WRITE == 0x00000001);
    STATIC_REQUIRE(NDK_MR_FLAG_ALLOW_REMOTE_READ == 0x00000002);
    STATIC_REQUIRE(NDK_MR_FLAG_ALLOW_REMOTE_WRITE == 0x00000005);
    STATIC_REQUIRE(NDK_MR_FLAG_RDMA_READ_SINK == 0x00000008);

    // 2.4: numbered from 0 in this order
    STATIC_REQUIRE((NdkObjectTypeUndefined == 0 && NdkObjectTypeAdapter == 1 && NdkObjectTypeQp == 2));
    STATIC_REQUIRE((NdkObjectTypeCq == 3 && NdkObjectTypeMr == 4 && NdkObjectTypeMw == 5 && NdkObjectTypePd == 6));
    STATIC_REQUIRE((NdkObjectTypeSharedEndpoint == 7 && NdkObjectTypeConnector == 8 && NdkObjectTypeListener == 9));
    STATIC_REQUIRE((NdkObjectTypeSrq == 10 && NdkObjectTypeMax == 11));
    STATIC_REQUIRE((NdkUndefined == 0 && NdkiWarp == 1 && NdkInfiniBand == 2));
    STATIC_REQUIRE((NdkRoCE == 3 && NdkRoCEv2 == 4 && NdkMaxTechnology == 5));

    STATIC_REQUIRE(NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED == 0x1);  // 2.6
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED == 0x2);
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED == 0x4);
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED == 0x8);
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED == 0x10);
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED == 0x100);
    STATIC_REQUIRE(NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED == 0x10000);
}

TEST_CASE("ndk: parameters come in the header's order where a page or a sibling has another") {
    using Qp = NDK_QP*;
    using Sgl = const NDK_SGE*;
    using Done = NDK_FN_REQUEST_COMPLETION;
    // 3.4: Send is seed 004; SendAndInvalidate has the token last, Read and Write have it before the flags
    STATIC_REQUIRE(std::is_same_v<NDK_FN_SEND, NTSTATUS (*)(Qp, PVOID, Sgl, ULONG, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_SEND_AND_INVALIDATE, NTSTATUS (*)(Qp, PVOID, Sgl, ULONG, ULONG, UINT32)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_READ, NTSTATUS (*)(Qp, PVOID, Sgl, ULONG, UINT64, UINT32, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_WRITE, NDK_FN_READ>);
    // 3.4: the pages are the fifth parameter (defect D6)
    STATIC_REQUIRE(
        std::is_same_v<NDK_FN_FAST_REGISTER, NTSTATUS (*)(Qp, PVOID, NDK_MR*, ULONG, const NDK_LOGICAL_ADDRESS*, ULONG,
                                                          SIZE_T, PVOID, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_BIND, NTSTATUS (*)(Qp, PVOID, NDK_MR*, NDK_MW*, PVOID, SIZE_T, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_RECEIVE, NTSTATUS (*)(Qp, PVOID, Sgl, ULONG)>);  // 3.5: no flags
    // 3.7: the data before its length (defect D5)
    STATIC_REQUIRE(std::is_same_v<NDK_FN_REJECT, NTSTATUS (*)(NDK_CONNECTOR*, PVOID, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_CONNECT, NTSTATUS (*)(NDK_CONNECTOR*, Qp, PSOCKADDR, ULONG, PSOCKADDR, ULONG,
                                                               ULONG, ULONG, PVOID, ULONG, Done, PVOID)>);
    // 3.6: unlike elsewhere, the completion stands before the out parameters
    STATIC_REQUIRE(std::is_same_v<NDK_FN_BUILD_LAM, NTSTATUS (*)(NDK_ADAPTER*, MDL*, SIZE_T, Done, PVOID,
                                                                 NDK_LOGICAL_ADDRESS_MAPPING*, ULONG*, ULONG*)>);
}

TEST_CASE("win: types have their 64-bit sizes") {
    STATIC_REQUIRE((sizeof(LONG) == 4 && sizeof(ULONG) == 4 && sizeof(DWORD) == 4));  // win.md 1
    STATIC_REQUIRE((sizeof(NTSTATUS) == 4 && std::is_signed_v<NTSTATUS>));
    STATIC_REQUIRE((sizeof(BOOLEAN) == 1 && sizeof(USHORT) == 2 && sizeof(WCHAR) == 4));
    STATIC_REQUIRE((sizeof(SIZE_T) == 8 && sizeof(ULONG_PTR) == 8 && sizeof(PHYSICAL_ADDRESS) == 8));
    STATIC_REQUIRE((sizeof(GUID) == 16 && sizeof(GROUP_AFFINITY) == 16));
    // Linux: family, port, address, padding to 16; family, port, flow, address, scope
    STATIC_REQUIRE((sizeof(sockaddr) == 16 && sizeof(sockaddr_in) == 16 && offsetof(sockaddr_in, sin_addr) == 4));
    STATIC_REQUIRE((sizeof(sockaddr_in6) == 28 && offsetof(sockaddr_in6, sin6_addr) == 8));
    STATIC_REQUIRE((sizeof(SOCKADDR_STORAGE) == 128 && AF_INET == 2 && AF_INET6 == 23));
}

TEST_CASE("win: an MDL tells where it begins and how many pages it touches") {
    alignas(4096) static CHAR pages[2 * 4096];
    MDL mdl{nullptr, &pages[4095], 2, {7, 3}};  // the last byte of one page and the first of the next
    CHECK(MmGetMdlByteOffset(&mdl) == 0xFFF);
    CHECK(ADDRESS_AND_SIZE_TO_SPAN_PAGES(MmGetMdlVirtualAddress(&mdl), MmGetMdlByteCount(&mdl)) == 2);
    CHECK(MmGetMdlPfnArray(&mdl)[1] == 3);
    CHECK(ADDRESS_AND_SIZE_TO_SPAN_PAGES(nullptr, 0) == 0);
    CHECK(ADDRESS_AND_SIZE_TO_SPAN_PAGES(nullptr, 4096) == 1);
}

}  // namespace layout_test
