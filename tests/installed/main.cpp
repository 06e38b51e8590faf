// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "sim/base/units.hpp"

static_assert(ndsim::Bytes{64} + ndsim::Bytes{64} == ndsim::Bytes{128});

int main() {
    std::puts("an installed ndsim can be used");
}
