// SPDX-License-Identifier: Apache-2.0
// For programs that print what is not as it should be, and return how much that is.
#pragma once

#include <cstdio>

inline int failures = 0;

inline void expect(bool fact, const char* what) {
    if (!fact) {
        ++failures;
        std::printf("not so: %s\n", what);
    }
}
