// SPDX-License-Identifier: Apache-2.0
// The console's keys: nobody presses one here.
#pragma once

static inline int _kbhit(void) {
    return 0;
}
static inline int _getch(void) {
    return -1;
}
