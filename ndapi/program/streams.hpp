// SPDX-License-Identifier: Apache-2.0
// Where a program's output goes: standard output and error to its host, or to the file of a freopen; other streams are
// files of the C library.
#pragma once

#include <cstdio>
#include <string_view>

namespace ndsim {

// Whether all of it could be written.
bool emit(std::FILE* stream, std::string_view text);

// Of freopen: standard output and error go to their host again.
void close_files();

}  // namespace ndsim
