// SPDX-License-Identifier: Apache-2.0
// Compiled as C11: NDKPI's header is one for C, too.
#include "tests/ndapi/ndk/layout_in_c.h"

#include "ndapi/ndk/ndkpi.h"

#define SIZE(type) {#type, sizeof(type)},
#define OFFSET(type, field) {#type "." #field, offsetof(type, field)},
static const LayoutRow rows[] = {
#include "tests/ndapi/ndk/layout_rows.inc"
};

const LayoutRow* layout_in_c(size_t* count) {
    *count = sizeof(rows) / sizeof(rows[0]);
    return rows;
}

// What a consumer has of its own: callbacks by their types, as the tables have functions.
typedef struct Consumer {
    NDK_FN_CREATE_COMPLETION created;
    NDK_FN_REQUEST_COMPLETION done;
    NDK_FN_CLOSE_COMPLETION closed;
    NDK_FN_CQ_NOTIFICATION_CALLBACK notified;
    NDK_FN_SRQ_NOTIFICATION_CALLBACK below;
    NDK_FN_CONNECT_EVENT_CALLBACK asked;
    NDK_FN_DISCONNECT_EVENT_CALLBACK gone;
    NDK_FN_DISCONNECT_EVENT_CALLBACK_EX gone_with_reason;
    NDK_FN_SEND send;
} Consumer;

static VOID set_seven(PVOID context, NTSTATUS status) {
    *(int*)context = status == STATUS_SUCCESS ? 7 : 0;
}

void complete_in_c(int* context) {
    Consumer consumer = {.done = set_seven};
    consumer.done(context, STATUS_SUCCESS);
}
