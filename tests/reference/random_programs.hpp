// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include "tests/reference/program.hpp"

namespace ndsim::reference {

// Programs of all kinds of requests on several connections, most of which succeed.
[[nodiscard]] rc::Gen<Program> random_programs();

}  // namespace ndsim::reference
