// SPDX-License-Identifier: Apache-2.0
// Where a program's output goes: standard output and error to its host, or to the file of a freopen; other streams are
// files of the C library.
#pragma once

#include <cstdio>
#include <string_view>

#include "ndapi/windows/abi/types.h"

namespace ndsim {

// Whether all of it could be written.
bool emit(std::FILE* stream, std::string_view text);

// The stream behind a handle of GetStdHandle; null if it is none that can be written to.
[[nodiscard]] std::FILE* output_of(HANDLE handle);

// At a program's end: those of CreateFile are closed; of freopen, standard output and error go to their host again.
void close_files();

}  // namespace ndsim
