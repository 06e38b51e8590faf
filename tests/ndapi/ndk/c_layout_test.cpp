// SPDX-License-Identifier: Apache-2.0
// NDKPI's header in C and in C++: one layout, and callbacks that are kept as they are.
#include <cstddef>
#include <string>
#include <type_traits>

#include "ndapi/ndk/ndkpi.h"
#include "tests/ndapi/ndk/layout_in_c.h"
#include "tests/support/catch.hpp"

namespace c_layout_test {

#define SIZE(type) {#type, sizeof(type)},
#define OFFSET(type, field) {#type "." #field, offsetof(type, field)},
constexpr LayoutRow kRows[]{
#include "tests/ndapi/ndk/layout_rows.inc"
};
#undef SIZE
#undef OFFSET

TEST_CASE("ndk in C: sizes and offsets are those of C++", "[K1][K3]") {
    std::size_t count = 0;
    const LayoutRow* const rows = layout_in_c(&count);
    REQUIRE(count == std::size(kRows));
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(kRows[i].what);
        CHECK(std::string(rows[i].what) == kRows[i].what);
        CHECK(rows[i].value == kRows[i].value);
    }
}

// A consumer has `NDK_FN_REQUEST_COMPLETION done;` in a structure, and a table has its slots likewise.
TEST_CASE("ndk: types of functions are pointers") {
    STATIC_REQUIRE(std::is_same_v<NDK_FN_CREATE_COMPLETION, VOID (*)(PVOID, NTSTATUS, NDK_OBJECT_HEADER*)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_REQUEST_COMPLETION, VOID (*)(PVOID, NTSTATUS)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_CLOSE_COMPLETION, VOID (*)(PVOID)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_CQ_NOTIFICATION_CALLBACK, VOID (*)(PVOID, NTSTATUS)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_SRQ_NOTIFICATION_CALLBACK, VOID (*)(PVOID, NTSTATUS)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_CONNECT_EVENT_CALLBACK, VOID (*)(PVOID, NDK_CONNECTOR*)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_DISCONNECT_EVENT_CALLBACK, VOID (*)(PVOID)>);
    STATIC_REQUIRE(std::is_same_v<NDK_FN_DISCONNECT_EVENT_CALLBACK_EX, VOID (*)(PVOID, ULONG)>);
    STATIC_REQUIRE(std::is_same_v<decltype(NDK_QP_DISPATCH::NdkSend), NDK_FN_SEND>);
    STATIC_REQUIRE(std::is_same_v<decltype(NDK_CQ_DISPATCH::NdkArmCq), NDK_FN_ARM_CQ>);
    int context = 0;
    complete_in_c(&context);
    CHECK(context == 7);
}

// ndkpi.md 2.6 and 3.0: 30 counters; a header of 4 bytes, 9 numbers of 4, padding, a mask and a pointer of 8.
TEST_CASE("ndk: sizes of what NDIS is told") {
    STATIC_REQUIRE(sizeof(NDIS_NDK_PERFORMANCE_COUNTERS) == 30 * 8);
    STATIC_REQUIRE(sizeof(NDIS_NDK_CAPABILITIES) == 56);
}

}  // namespace c_layout_test
