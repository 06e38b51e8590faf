// SPDX-License-Identifier: Apache-2.0
// Folders: those of the process that simulates.
#pragma once

#include <sys/stat.h>

static inline int _mkdir(const char* path) {
    return mkdir(path, 0777);
}
