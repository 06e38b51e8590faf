// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ndapi/wsd/options.hpp"
#include "ndapi/wsd/ws2san.h"

namespace ndsim::wsd {

// SocketOptions: the options of a socket. Those that can be set have no effect. Groups need QoS, which does not exist
// here.
class SocketOptions {
public:
    explicit SocketOptions(const Options& options) : max_message_(options.max_message) {}

    // Codes of Winsock, 0 for success.
    [[nodiscard]] int get(int level, int name, CHAR* value, LPINT length) const;
    [[nodiscard]] int set(int level, int name, const CHAR* value, int length);

private:
    [[nodiscard]] std::optional<DWORD> value_of(int name) const;
    [[nodiscard]] DWORD* place_of(int name);

    const DWORD max_message_;
    DWORD debug_ = 0;
    DWORD group_priority_ = 0;
};

}  // namespace ndsim::wsd
