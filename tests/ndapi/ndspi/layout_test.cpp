// SPDX-License-Identifier: Apache-2.0
// Layouts, values and names of NDSPI against ndspi.md, whose sections the comments name. They are those of 64-bit
// Windows, where a pointer, a handle and a SIZE_T have 8 bytes, an HRESULT, a ULONG and an enumeration 4.
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "ndapi/ndspi/ndspi.h"
#include "ndapi/ndspi/ndsupport.h"
#include "tests/support/catch.hpp"

namespace layout_test {

constexpr UCHAR digit(char hex) {
    return static_cast<UCHAR>(hex <= '9' ? hex - '0' : hex - 'A' + 10);
}

// An IID as the documents write it: four numbers and the last eight bytes, with a dash after the second of these.
constexpr GUID guid(std::string_view text) {
    UCHAR bytes[16]{};
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += text[at] == '-' ? 1 : 2) {
        if (text[at] != '-') {
            bytes[count++] = static_cast<UCHAR>(digit(text[at]) * 16 + digit(text[at + 1]));
        }
    }
    GUID result{};
    for (std::size_t i = 0; i < 4; ++i) {
        result.Data1 = result.Data1 << 8 | bytes[i];
    }
    result.Data2 = static_cast<USHORT>(bytes[4] << 8 | bytes[5]);
    result.Data3 = static_cast<USHORT>(bytes[6] << 8 | bytes[7]);
    for (std::size_t i = 0; i < 8; ++i) {
        result.Data4[i] = bytes[8 + i];
    }
    return result;
}

struct StatusValue {
    HRESULT status;
    ULONG value;
};

TEST_CASE("ndspi: sizes and offsets of version 1's structures") {
    STATIC_REQUIRE(sizeof(ND_RESULT) == 16);  // 2.3
    STATIC_REQUIRE(offsetof(ND_RESULT, Status) == 0);
    STATIC_REQUIRE(offsetof(ND_RESULT, BytesTransferred) == 8);

    STATIC_REQUIRE(sizeof(ND_MR_HANDLE) == 8);
    STATIC_REQUIRE(sizeof(ND_SGE) == 24);
    STATIC_REQUIRE(offsetof(ND_SGE, pAddr) == 0);
    STATIC_REQUIRE(offsetof(ND_SGE, Length) == 8);
    STATIC_REQUIRE(offsetof(ND_SGE, hMr) == 16);

    STATIC_REQUIRE((sizeof(ND_MW_DESCRIPTOR) == 20 && alignof(ND_MW_DESCRIPTOR) == 1));  // packed
    STATIC_REQUIRE(offsetof(ND_MW_DESCRIPTOR, Base) == 0);
    STATIC_REQUIRE(offsetof(ND_MW_DESCRIPTOR, Length) == 8);
    STATIC_REQUIRE(offsetof(ND_MW_DESCRIPTOR, Token) == 16);
}

TEST_CASE("ndspi: size and offsets of version 1's adapter information") {
    STATIC_REQUIRE(std::is_same_v<ND_ADAPTER_INFO, ND_ADAPTER_INFO1>);  // 2.3
    STATIC_REQUIRE(sizeof(ND_ADAPTER_INFO) == 128);                     // two UINT32 and 15 SIZE_T
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, VendorId) == 0);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, DeviceId) == 4);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxInboundSge) == 8);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxInboundRequests) == 16);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxInboundLength) == 24);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxOutboundSge) == 32);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxOutboundRequests) == 40);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxOutboundLength) == 48);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxInlineData) == 56);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxInboundReadLimit) == 64);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxOutboundReadLimit) == 72);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxCqEntries) == 80);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxRegistrationSize) == 88);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxWindowSize) == 96);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, LargeRequestThreshold) == 104);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxCallerData) == 112);
    STATIC_REQUIRE(offsetof(ND_ADAPTER_INFO, MaxCalleeData) == 120);
}

TEST_CASE("ndspi: sizes and offsets of version 2's structures") {
    STATIC_REQUIRE(sizeof(ND2_RESULT) == 32);  // 2.3: 28, and 4 at the end
    STATIC_REQUIRE(offsetof(ND2_RESULT, Status) == 0);
    STATIC_REQUIRE(offsetof(ND2_RESULT, BytesTransferred) == 4);
    STATIC_REQUIRE(offsetof(ND2_RESULT, QueuePairContext) == 8);
    STATIC_REQUIRE(offsetof(ND2_RESULT, RequestContext) == 16);
    STATIC_REQUIRE(offsetof(ND2_RESULT, RequestType) == 24);

    STATIC_REQUIRE(sizeof(ND2_SGE) == 16);
    STATIC_REQUIRE(offsetof(ND2_SGE, Buffer) == 0);
    STATIC_REQUIRE(offsetof(ND2_SGE, BufferLength) == 8);
    STATIC_REQUIRE(offsetof(ND2_SGE, MemoryRegionToken) == 12);
}

TEST_CASE("ndspi: size and offsets of version 2's adapter information") {
    STATIC_REQUIRE(sizeof(ND2_ADAPTER_INFO) == 96);  // 2.3
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, InfoVersion) == 0);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, VendorId) == 4);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, DeviceId) == 6);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, AdapterId) == 8);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxRegistrationSize) == 16);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxWindowSize) == 24);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxInitiatorSge) == 32);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxReceiveSge) == 36);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxReadSge) == 40);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxTransferLength) == 44);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxInlineDataSize) == 48);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxInboundReadLimit) == 52);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxOutboundReadLimit) == 56);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxReceiveQueueDepth) == 60);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxInitiatorQueueDepth) == 64);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxSharedReceiveQueueDepth) == 68);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxCompletionQueueDepth) == 72);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, InlineRequestThreshold) == 76);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, LargeRequestThreshold) == 80);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxCallerData) == 84);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, MaxCalleeData) == 88);
    STATIC_REQUIRE(offsetof(ND2_ADAPTER_INFO, AdapterFlags) == 92);
}

TEST_CASE("ndspi: versions, flags and types of requests") {
    STATIC_REQUIRE((ND_VERSION_1 == 1 && ND_VERSION_2 == 0x20000));  // 2.1
    STATIC_REQUIRE(ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED == 0x1);
    STATIC_REQUIRE(ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED == 0x4);
    STATIC_REQUIRE(ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED == 0x8);
    STATIC_REQUIRE(ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED == 0x100);
    STATIC_REQUIRE(ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED == 0x10000);
    STATIC_REQUIRE((ND_CQ_NOTIFY_ERRORS == 0 && ND_CQ_NOTIFY_ANY == 1 && ND_CQ_NOTIFY_SOLICITED == 2));
    STATIC_REQUIRE((NdCqNotifyErrors == 0 && NdCqNotifyAny == 1 && NdCqNotifySolicited == 2));
    STATIC_REQUIRE(ND_MR_FLAG_ALLOW_LOCAL_WRITE == 0x1);
    STATIC_REQUIRE(ND_MR_FLAG_ALLOW_REMOTE_READ == 0x2);
    STATIC_REQUIRE(ND_MR_FLAG_ALLOW_REMOTE_WRITE == 0x5);
    STATIC_REQUIRE(ND_MR_FLAG_RDMA_READ_SINK == 0x8);
    STATIC_REQUIRE(ND_MR_FLAG_DO_NOT_SECURE_VM == 0x80000000);
    STATIC_REQUIRE(ND_OP_FLAG_SILENT_SUCCESS == 0x1);
    STATIC_REQUIRE(ND_OP_FLAG_READ_FENCE == 0x2);
    STATIC_REQUIRE(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT == 0x4);
    STATIC_REQUIRE(ND_OP_FLAG_ALLOW_READ == 0x8);
    STATIC_REQUIRE(ND_OP_FLAG_ALLOW_WRITE == 0x10);
    STATIC_REQUIRE(ND_OP_FLAG_INLINE == 0x20);
    STATIC_REQUIRE((Nd2RequestTypeReceive == 0 && Nd2RequestTypeSend == 1 && Nd2RequestTypeBind == 2));  // 2.3
    STATIC_REQUIRE((Nd2RequestTypeInvalidate == 3 && Nd2RequestTypeRead == 4 && Nd2RequestTypeWrite == 5));
    STATIC_REQUIRE(sizeof(ND2_REQUEST_TYPE) == 4);
    STATIC_REQUIRE(ND_QUERY_EXCLUDE_EMULATED_ADDRESSES == 1);
    STATIC_REQUIRE((ND_QUERY_EXCLUDE_NDv1_ADDRESSES == 2 && ND_QUERY_EXCLUDE_NDv2_ADDRESSES == 4));
}

TEST_CASE("ndspi: values of statuses") {
    constexpr StatusValue statuses[] = {
        {ND_SUCCESS, 0x00000000},  // 2.2
        {ND_TIMEOUT, 0x00000102},
        {ND_PENDING, 0x00000103},
        {ND_BUFFER_OVERFLOW, 0x80000005},
        {ND_DEVICE_BUSY, 0x80000011},
        {ND_NO_MORE_ENTRIES, 0x8000001A},
        {ND_UNSUCCESSFUL, 0xC0000001},
        {ND_ACCESS_VIOLATION, 0xC0000005},
        {ND_INVALID_HANDLE, 0xC0000008},
        {ND_INVALID_PARAMETER, 0xC000000D},
        {ND_INVALID_DEVICE_REQUEST, 0xC0000010},
        {ND_NO_MEMORY, 0xC0000017},
        {ND_INVALID_PARAMETER_MIX, 0xC0000030},
        {ND_DATA_OVERRUN, 0xC000003C},
        {ND_SHARING_VIOLATION, 0xC0000043},
        {ND_INSUFFICIENT_RESOURCES, 0xC000009A},
        {ND_DEVICE_NOT_READY, 0xC00000A3},
        {ND_IO_TIMEOUT, 0xC00000B5},
        {ND_NOT_SUPPORTED, 0xC00000BB},
        {ND_INTERNAL_ERROR, 0xC00000E5},
        {ND_INVALID_PARAMETER_1, 0xC00000EF},  // and the others consecutively
        {ND_INVALID_PARAMETER_2, 0xC00000F0},
        {ND_INVALID_PARAMETER_3, 0xC00000F1},
        {ND_INVALID_PARAMETER_4, 0xC00000F2},
        {ND_INVALID_PARAMETER_5, 0xC00000F3},
        {ND_INVALID_PARAMETER_6, 0xC00000F4},
        {ND_INVALID_PARAMETER_7, 0xC00000F5},
        {ND_INVALID_PARAMETER_8, 0xC00000F6},
        {ND_INVALID_PARAMETER_9, 0xC00000F7},
        {ND_INVALID_PARAMETER_10, 0xC00000F8},
        {ND_CANCELED, 0xC0000120},
        {ND_REMOTE_ERROR, 0xC000013D},
        {ND_INVALID_ADDRESS, 0xC0000141},
        {ND_INVALID_DEVICE_STATE, 0xC0000184},
        {ND_INVALID_BUFFER_SIZE, 0xC0000206},
        {ND_TOO_MANY_ADDRESSES, 0xC0000209},
        {ND_ADDRESS_ALREADY_EXISTS, 0xC000020A},
        {ND_CONNECTION_REFUSED, 0xC0000236},
        {ND_CONNECTION_INVALID, 0xC000023A},
        {ND_CONNECTION_ACTIVE, 0xC000023B},
        {ND_NETWORK_UNREACHABLE, 0xC000023C},
        {ND_HOST_UNREACHABLE, 0xC000023D},
        {ND_CONNECTION_ABORTED, 0xC0000241},
        {ND_DEVICE_REMOVED, 0xC00002B6},
        {ND_LOCAL_LENGTH, 0xC000003C},        // version 1: as ND_DATA_OVERRUN
        {ND_INVALIDATION_ERROR, 0xC0000010},  // as ND_INVALID_DEVICE_REQUEST
        {ND_INVALID_REQUEST, 0xC0000010},     // the table's choice, as no source has a number
        {ND_FAILURE, 0xC00000E5},             // likewise, as ND_INTERNAL_ERROR
    };
    for (const StatusValue& row : statuses) {
        CAPTURE(row.value);
        CHECK(static_cast<ULONG>(row.status) == row.value);
    }
}

TEST_CASE("ndspi: the top bit alone tells a failure") {
    // 2.2: a warning is a failure, a timeout of version 1 is none
    STATIC_REQUIRE((SUCCEEDED(ND_SUCCESS) && SUCCEEDED(ND_PENDING) && SUCCEEDED(ND_TIMEOUT)));
    STATIC_REQUIRE((FAILED(ND_BUFFER_OVERFLOW) && FAILED(ND_NO_MORE_ENTRIES) && FAILED(ND_IO_TIMEOUT)));
}

TEST_CASE("ndspi: names of interfaces") {
    CHECK(IID_INDOverlapped == guid("C859E15E-75E2-4FE3-8D6D-0DFF36F02442"));  // 3
    CHECK(IID_INDCompletionQueue == guid("1245A633-2A32-473A-830C-E05D1F869D02"));
    CHECK(IID_INDMemoryWindow == guid("070FE1F5-0AB5-4361-88DB-974BA704D4B9"));
    CHECK(IID_INDEndpoint == guid("DBD00EAB-B679-44A9-BD65-E82F3DE12D1A"));
    CHECK(IID_INDConnector == guid("1BCAF2D1-E274-4AEB-AC57-CD5D4376E0B7"));
    CHECK(IID_INDListen == guid("BB902588-BA3F-4441-9FE1-3B6795E4E668"));
    CHECK(IID_INDAdapter == guid("A023C5A0-5B73-43BC-8D20-33AA07E9510F"));
    CHECK(IID_INDProvider == guid("0C5DD316-5FDF-47E6-B2D0-2A6EDA8D39DD"));
    CHECK(IID_IND2Overlapped == guid("ABF72719-B016-4A40-A6F7-622791A7044C"));  // 4
    CHECK(IID_IND2CompletionQueue == guid("20CC445E-64A0-4CBB-AA75-F6A7251FDA9E"));
    CHECK(IID_IND2SharedReceiveQueue == guid("AABD67DC-459A-4DB1-826B-56CFCC278883"));
    CHECK(IID_IND2MemoryWindow == guid("070FE1F5-0AB5-4361-88DB-974BA704D4B9"));  // that of version 1
    CHECK(IID_IND2MemoryRegion == guid("55DFEA2F-BC56-4982-8A45-0301BE46C413"));
    CHECK(IID_IND2QueuePair == guid("EEF2F332-B75D-4063-BCE3-3A0BAD2D02CE"));
    CHECK(IID_IND2Connector == guid("7DD615C4-6B4C-4866-950C-F3B1D25A5302"));
    CHECK(IID_IND2Listener == guid("65D23D83-3A57-4E02-86A4-350165C2D130"));
    CHECK(IID_IND2Adapter == guid("D89C798C-4823-4D69-846C-DFDCCFF9E5F3"));
    CHECK(IID_IND2Provider == guid("49EAE6C1-76C4-46D0-8003-5C2EAA2C9A8E"));
    CHECK(IID_IUnknown == guid("00000000-0000-0000-C000-000000000046"));  // COM's own
    CHECK(IID_IClassFactory == guid("00000001-0000-0000-C000-000000000046"));
}

}  // namespace layout_test
