// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/machine_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace ndsim::format {

Bytes machine_memory() {
    std::uint64_t least =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        least = std::min<std::uint64_t>(least, limit.rlim_cur);
    }
    // The limit of a container: "max" means none, and is no number.
    for (const char* const file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::uint64_t most = 0;
        if (std::ifstream(file) >> most) {
            least = std::min(least, most);
        }
    }
    return Bytes{least};
}

}  // namespace ndsim::format
