// SPDX-License-Identifier: Apache-2.0
// The layouts of NDKPI as a compiler of C sees them.
#pragma once

#include <stddef.h>

typedef struct LayoutRow {
    const char* what;
    size_t value;
} LayoutRow;

#ifdef __cplusplus
extern "C" {
#endif

const LayoutRow* layout_in_c(size_t* count);
// Completes a request by a callback that a structure of C keeps: its context becomes 7.
void complete_in_c(int* context);

#ifdef __cplusplus
}
#endif
