// SPDX-License-Identifier: Apache-2.0
// The status table against the rows of ndkpi.md section 4, its column "mlx" being the profile infiniband. Expected
// values are the numbers of ndkpi.md 2.5, not the names, so both tables are checked.
#include "ndapi/core/status.hpp"

#include <array>
#include <initializer_list>
#include <set>
#include <string_view>

#include "ndapi/windows/abi/ntstatus.h"
#include "ndapi/windows/abi/status_names.hpp"
#include "tests/support/catch.hpp"

namespace status_test {

using ndsim::Documents;
using ndsim::OperationKind;
using ndsim::StatusProfile;
using ndsim::WcStatus;

constexpr std::array kAllKinds{OperationKind::receive,   OperationKind::send, OperationKind::read,
                               OperationKind::write,     OperationKind::bind, OperationKind::fast_register,
                               OperationKind::invalidate};

ULONG documented(WcStatus status, OperationKind kind) {
    return static_cast<ULONG>(completion_status(StatusProfile::documented, status, kind));
}

ULONG infiniband(WcStatus status, OperationKind kind) {
    return static_cast<ULONG>(completion_status(StatusProfile::infiniband, status, kind));
}

TEST_CASE("status: success is success for every kind") {
    for (const OperationKind kind : kAllKinds) {
        CHECK(documented(WcStatus::success, kind) == 0x00000000);
        CHECK(infiniband(WcStatus::success, kind) == 0x00000000);
    }
}

TEST_CASE("status: a flushed request of any kind is CANCELLED", "[K147]") {
    for (const OperationKind kind : kAllKinds) {
        CHECK(documented(WcStatus::wr_flush, kind) == 0xC0000120);
        CHECK(infiniband(WcStatus::wr_flush, kind) == 0xC0000120);
    }
}

TEST_CASE("status: a bad own SGE is ACCESS_VIOLATION", "[K106]") {
    for (const OperationKind kind :
         {OperationKind::send, OperationKind::write, OperationKind::read, OperationKind::receive}) {
        for (const WcStatus status : {WcStatus::loc_prot, WcStatus::loc_access}) {
            CHECK(documented(status, kind) == 0xC0000005);
            CHECK(infiniband(status, kind) == 0xC0000005);
        }
    }
}

TEST_CASE("status: a message longer than the receive is BUFFER_OVERFLOW there and an error at the sender", "[K102]") {
    CHECK(documented(WcStatus::loc_len, OperationKind::receive) == 0x80000005);   // BUFFER_OVERFLOW
    CHECK(infiniband(WcStatus::loc_len, OperationKind::receive) == 0xC000003C);   // DATA_OVERRUN
    CHECK(documented(WcStatus::rem_inv_req, OperationKind::send) == 0xC000013D);  // REMOTE_RESOURCES
    CHECK(infiniband(WcStatus::rem_inv_req, OperationKind::send) == 0xC000003E);  // DATA_ERROR
}

TEST_CASE("status: no receive posted until the retries are used up is IO_TIMEOUT", "[K104]") {
    CHECK(documented(WcStatus::rnr_retry_exceeded, OperationKind::send) == 0xC00000B5);
    CHECK(infiniband(WcStatus::rnr_retry_exceeded, OperationKind::send) == 0xC00000B5);
}

TEST_CASE("status: no acknowledgement until the retries are used up is IO_TIMEOUT") {
    for (const OperationKind kind : {OperationKind::send, OperationKind::read, OperationKind::write}) {
        CHECK(documented(WcStatus::retry_exceeded, kind) == 0xC00000B5);
        CHECK(infiniband(WcStatus::retry_exceeded, kind) == 0xC00000B5);
    }
}

TEST_CASE("status: a Read or Write that the peer refuses is REMOTE_RESOURCES, in InfiniBand ACCESS_VIOLATION",
          "[K139]") {
    for (const OperationKind kind : {OperationKind::read, OperationKind::write}) {
        CHECK(documented(WcStatus::rem_access, kind) == 0xC000013D);
        CHECK(infiniband(WcStatus::rem_access, kind) == 0xC0000005);
    }
}

TEST_CASE("status: SendAndInvalidate with a bad token fails the receive") {
    CHECK(documented(WcStatus::invalidate_error, OperationKind::receive) == 0xC0000010);  // INVALID_DEVICE_REQUEST
    CHECK(infiniband(WcStatus::invalidate_error, OperationKind::receive) == 0xC000003E);  // DATA_ERROR
}

TEST_CASE("status: Invalidate of something not valid is INVALID_DEVICE_REQUEST", "[K112]") {
    CHECK(documented(WcStatus::invalidate_error, OperationKind::invalidate) == 0xC0000010);
    CHECK(infiniband(WcStatus::invalidate_error, OperationKind::invalidate) == 0xC00000E5);  // INTERNAL_ERROR
}

TEST_CASE("status: FastRegister of a region that is still valid is INVALID_DEVICE_REQUEST", "[K128]") {
    CHECK(documented(WcStatus::invalidate_error, OperationKind::fast_register) == 0xC0000010);
    CHECK(infiniband(WcStatus::invalidate_error, OperationKind::fast_register) == 0xC00000E5);
}

TEST_CASE("status: a Bind that the hardware refuses is ACCESS_VIOLATION") {
    CHECK(documented(WcStatus::mw_bind, OperationKind::bind) == 0xC0000005);
    CHECK(infiniband(WcStatus::mw_bind, OperationKind::bind) == 0xC0000005);
}

TEST_CASE("status: a Bind that the hardware refuses is an invalid request in the documents of NetworkDirect",
          "[R111]") {
    const auto refused = [](StatusProfile profile) {
        return static_cast<ULONG>(
            completion_status(profile, WcStatus::mw_bind, OperationKind::bind, Documents::networkdirect));
    };
    CHECK(refused(StatusProfile::documented) == 0xC0000010);  // INVALID_DEVICE_REQUEST
    CHECK(refused(StatusProfile::infiniband) == 0xC0000005);  // ACCESS_VIOLATION
}

TEST_CASE("status: an internal failure of the QP is INTERNAL_ERROR", "[X67]") {
    for (const OperationKind kind : kAllKinds) {
        // a Read where none were agreed on is an invalid request (ndspi.md 5.13)
        CHECK(documented(WcStatus::loc_qp_op, kind) == (kind == OperationKind::read ? 0xC0000010 : 0xC00000E5));
        CHECK(infiniband(WcStatus::loc_qp_op, kind) == 0xC00000E5);
    }
}

TEST_CASE("status: what section 4 has no row for follows its translation of mlx and the other interfaces", "[X67]") {
    // the paragraph above the rows; wire.md 11.3 and ndspi.md 6 for the documents
    CHECK(documented(WcStatus::loc_len, OperationKind::send) == 0xC000003C);  // DATA_OVERRUN
    CHECK(infiniband(WcStatus::loc_len, OperationKind::send) == 0xC000003C);
    for (const WcStatus status : {WcStatus::rem_op, WcStatus::bad_resp}) {
        CHECK(documented(status, OperationKind::read) == 0xC000013D);  // REMOTE_RESOURCES
        CHECK(infiniband(status, OperationKind::read) == 0xC000003E);  // DATA_ERROR
    }
    // 5.10 and 5.11: Bind of a bound window, and a Read that is to invalidate what cannot be
    CHECK(documented(WcStatus::invalidate_error, OperationKind::bind) == 0xC0000010);
    CHECK(documented(WcStatus::invalidate_error, OperationKind::read) == 0xC0000010);
}

TEST_CASE("status: a number that is no status is INTERNAL_ERROR") {
    CHECK(documented(WcStatus{3}, OperationKind::send) == 0xC00000E5);
    CHECK(infiniband(WcStatus{255}, OperationKind::receive) == 0xC00000E5);
}

TEST_CASE("status: every hardware status has its verbs number and its name") {
    // wire.md section 8
    CHECK(static_cast<int>(WcStatus::success) == 0);
    CHECK(static_cast<int>(WcStatus::loc_len) == 1);
    CHECK(static_cast<int>(WcStatus::loc_qp_op) == 2);
    CHECK(static_cast<int>(WcStatus::loc_prot) == 4);
    CHECK(static_cast<int>(WcStatus::wr_flush) == 5);
    CHECK(static_cast<int>(WcStatus::mw_bind) == 6);
    CHECK(static_cast<int>(WcStatus::bad_resp) == 7);
    CHECK(static_cast<int>(WcStatus::loc_access) == 8);
    CHECK(static_cast<int>(WcStatus::rem_inv_req) == 9);
    CHECK(static_cast<int>(WcStatus::rem_access) == 10);
    CHECK(static_cast<int>(WcStatus::rem_op) == 11);
    CHECK(static_cast<int>(WcStatus::retry_exceeded) == 12);
    CHECK(static_cast<int>(WcStatus::rnr_retry_exceeded) == 13);
    CHECK(ndsim::kWcStatusNames[8] == "loc_access");
    CHECK(ndsim::kWcStatusNames[13] == "rnr_retry_exceeded");
    CHECK(ndsim::kWcStatusNames[static_cast<std::size_t>(WcStatus::invalidate_error)] == "invalidate_error");
}

TEST_CASE("status: every status of a completion has a name of its own") {
    std::set<std::string_view> names;
    std::set<NTSTATUS> named;
    for (const ndsim::StatusName& row : ndsim::kStatusNames) {
        CHECK(names.insert(row.name).second);
        CHECK(named.insert(row.status).second);
    }
    for (int number = 0; number <= static_cast<int>(WcStatus::invalidate_error); ++number) {
        for (int kind = 0; kind <= static_cast<int>(OperationKind::invalidate); ++kind) {
            const auto wc = static_cast<WcStatus>(number);
            INFO("status " << number << ", kind " << kind);
            CHECK(named.contains(completion_status(StatusProfile::documented, wc, OperationKind(kind))));
            CHECK(named.contains(completion_status(StatusProfile::infiniband, wc, OperationKind(kind))));
        }
    }
}

TEST_CASE("ntstatus: values that no completion has shown above") {
    const auto is = [](NTSTATUS status, ULONG number) { return static_cast<ULONG>(status) == number; };
    CHECK(is(STATUS_PENDING, 0x00000103));  // ndkpi.md 2.5
    CHECK(is(STATUS_NO_MORE_ENTRIES, 0x8000001A));
    CHECK(is(STATUS_INVALID_PARAMETER, 0xC000000D));
    CHECK(is(STATUS_BUFFER_TOO_SMALL, 0xC0000023));
    CHECK(is(STATUS_INVALID_PARAMETER_MIX, 0xC0000030));
    CHECK(is(STATUS_SHARING_VIOLATION, 0xC0000043));
    CHECK(is(STATUS_INSUFFICIENT_RESOURCES, 0xC000009A));
    CHECK(is(STATUS_NOT_SUPPORTED, 0xC00000BB));
    CHECK(is(STATUS_INVALID_ADDRESS, 0xC0000141));
    CHECK(is(STATUS_INVALID_BUFFER_SIZE, 0xC0000206));
    CHECK(is(STATUS_TOO_MANY_ADDRESSES, 0xC0000209));
    CHECK(is(STATUS_ADDRESS_ALREADY_EXISTS, 0xC000020A));
    CHECK(is(STATUS_CONNECTION_REFUSED, 0xC0000236));
    CHECK(is(STATUS_CONNECTION_INVALID, 0xC000023A));
    CHECK(is(STATUS_CONNECTION_ACTIVE, 0xC000023B));
    CHECK(is(STATUS_NETWORK_UNREACHABLE, 0xC000023C));
    CHECK(is(STATUS_HOST_UNREACHABLE, 0xC000023D));
    CHECK(is(STATUS_REQUEST_ABORTED, 0xC0000240));
    CHECK(is(STATUS_CONNECTION_ABORTED, 0xC0000241));
    CHECK(is(STATUS_IMPLEMENTATION_LIMIT, 0xC000042B));
    CHECK(is(STATUS_DEVICE_BUSY, 0x80000011));                 // 3.6, NdkDeregisterMr
    CHECK(is(STATUS_ADDRESS_ALREADY_ASSOCIATED, 0xC0000238));  // ndspi.md 2.2
    CHECK(is(NDIS_STATUS_BAD_VERSION, 0xC0010004));
    CHECK(is(NDIS_STATUS_ADAPTER_NOT_READY, 0xC0010011));
    CHECK(is(NDIS_STATUS_RESOURCES, 0xC000009A));
}

TEST_CASE("ntstatus: a warning is neither success nor error") {
    // 2.5, the severity trap
    CHECK(NT_SUCCESS(STATUS_SUCCESS));
    CHECK(NT_SUCCESS(STATUS_PENDING));
    CHECK_FALSE(NT_SUCCESS(STATUS_BUFFER_OVERFLOW));
    CHECK_FALSE(NT_ERROR(STATUS_BUFFER_OVERFLOW));
    CHECK(NT_WARNING(STATUS_NO_MORE_ENTRIES));
    CHECK_FALSE(NT_SUCCESS(STATUS_CANCELLED));
    CHECK(NT_ERROR(STATUS_CANCELLED));
}

}  // namespace status_test
