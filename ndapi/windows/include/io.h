// SPDX-License-Identifier: Apache-2.0
// Descriptors of streams. No output is a console, and texts are UTF-8 whatever the mode.
#pragma once

#include <stdio.h>

static inline int _fileno(FILE* stream) {
    return fileno(stream);
}
static inline int _isatty(int descriptor) {
    (void)descriptor;
    return 0;
}
static inline int _setmode(int descriptor, int mode) {
    (void)descriptor;
    (void)mode;
    return 0x4000;  // _O_TEXT, as it was
}
