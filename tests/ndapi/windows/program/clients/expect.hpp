// SPDX-License-Identifier: Apache-2.0
// For programs that return the line of the first call whose outcome is not Windows'.
#pragma once

#define EXPECT(condition)    \
    do {                     \
        if (!(condition)) {  \
            return __LINE__; \
        }                    \
    } while (false)
