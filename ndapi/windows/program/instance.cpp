// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/instance.hpp"

#include "ndapi/windows/program/detached.hpp"

namespace ndsim {
namespace {

// Constant from the start: static constructors come before anything could be set here, in any order.
constinit Detached detached;
constinit Instance the_instance{&detached};

}  // namespace

Instance& instance() {
    return the_instance;
}

BOOL succeeded(Win32Error error) {
    if (error != 0) {
        host().set_last_error(error);
        return FALSE;
    }
    return TRUE;
}

}  // namespace ndsim
