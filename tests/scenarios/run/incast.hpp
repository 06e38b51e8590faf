// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

namespace ndsim::test {

// Hosts S1, S2 ... that send to host R through switch s0; generator t1 is that of S1. Host by host the links are l0, l1
// ...
struct Incast {
    explicit Incast(std::size_t how_many) : senders(how_many) {}

    std::size_t senders;
    std::string size = "4 KiB";
    std::size_t count = 100;
    std::string at_switch;  // parameters
    std::string more;       // other parts of the file

    [[nodiscard]] std::string text() const {
        std::string hosts;
        std::string traffic;
        for (std::size_t i = 1; i <= senders; ++i) {
            hosts += fmt::format(R"("S{}": {{"nic": {{"timeout_code": 6}}}}, )", i);
            traffic += fmt::format(R"({}"t{}": {{"from": "S{}", "to": "R.q{}", "size": "{}", "count": {}}})",
                                   traffic.empty() ? "" : ", ", i, i, i, size, count);
        }
        return "{\"hosts\": {" + hosts + R"("R": {}}, "switches": {"s0": {)" + at_switch + R"(}}, "traffic": {)" +
               traffic + "}" + more + "}";
    }
};

}  // namespace ndsim::test
