// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"

namespace ndsim::format {

void check_buffers(const Scenario& scenario, Bytes memory, Checker& check) {
    Bytes filled{};
    std::string first_too_many;
    for (const Host& host : scenario.hosts) {
        for (const Buffer& buffer : host.buffers) {
            filled = filled + (buffer.fill == Fill::zero ? 0_B : buffer.size);
            if (filled > memory && first_too_many.empty()) {
                first_too_many = "hosts." + host.name + ".buffers." + buffer.name;
            }
        }
    }
    if (!first_too_many.empty()) {
        check.wrong(first_too_many + ".size",
                    "the buffers with a \"fill\" have " + to_text(filled) + ", and this machine has " +
                        to_text(memory) + " of memory",
                    "a buffer without \"fill\" takes memory only where it is used");
    }
}

}  // namespace ndsim::format
