// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::large_buffers_test {

// What the largest child so far has had in memory.
std::uint64_t most_in_memory() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Sixteen buffers of the largest size, of which four messages of 64 B and the pages around them are used: far less than
// one of them, whose 4 GiB a run would take if it wrote zeros.
TEST_CASE("buffers: without a fill, what is never touched takes no memory, whatever the interface") {
    for (const std::string api : {"ndk", "ndspi1", "ndspi2"}) {
        INFO(api);
        std::string buffers;
        for (int i = 0; i < 8; ++i) {
            buffers += (i == 0 ? "\"b" : ", \"b") + std::to_string(i) + R"(": {"size": "4 GiB"})";
        }
        const std::string host = R"({"api": ")" + api + R"(", "buffers": {)" + buffers + "}}";
        finish_text(R"({"hosts": {"A": )" + host + R"(, "B": )" + host + R"(},
"programs": {"A": [{"sleep": "1 ms"}, {"post": "send", "buffer": "b7", "size": "64 B", "count": 4, "as": "s"},
                   {"poll": "q0.send", "count": 4}],
             "B": [{"post": "receive", "buffer": "b0", "size": "64 B", "count": 4}, {"poll": "q0.receive", "count": 4}]},
"expect": [{"memory": "B.b0", "equals": "A.b7", "size": "64 B"}]})");
    }
    CHECK(most_in_memory() < (1ULL << 30U));
}

}  // namespace ndsim::test::large_buffers_test
