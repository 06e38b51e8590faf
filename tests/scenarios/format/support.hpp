// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/load.hpp"
#include "sim/config/problems.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test {

inline std::filesystem::path repository() {
    return NDSIM_SOURCE_DIR;
}

inline Scenario load(std::string_view text, std::initializer_list<std::string> overrides = {}) {
    return load_scenario("f", text, std::vector<std::string>(overrides));
}

// What is said of a scenario that is refused; empty if it is not.
inline std::string refusal(std::string_view text, std::initializer_list<std::string> overrides = {}) {
    try {
        static_cast<void>(load(text, overrides));
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

// Of two hosts, and `more`: other parts of the file. Both stand on lines 2 and 3.
inline std::string two_hosts(const std::string& a, const std::string& b, const std::string& more) {
    return "{\n\"hosts\": {\"A\": {" + a + "}, \"B\": {" + b + "}}" + (more.empty() ? "" : ",\n" + more) + "}";
}
// Two hosts with a buffer, and a program of A.
inline std::string program(const std::string& ops) {
    return two_hosts(R"("buffers": {"tx": {"size": "4 KiB"}})", "", "\"programs\": {\"A\": [\n" + ops + "\n]}");
}
inline std::string traffic(const std::string& keys) {
    return two_hosts("", "", "\"traffic\": {\"t\": {\"from\": \"A\", \"to\": \"B\",\n" + keys + "}}");
}
inline std::string expect(const std::string& expectation) {
    return two_hosts(
        R"("buffers": {"tx": {"size": "4 KiB"}})", R"("buffers": {"rx": {"size": "2 KiB"}})",
        "\"programs\": {\"A\": [{\"post\": \"send\", \"as\": \"s\", \"count\": 2}, "
        "{\"time\": \"t\", \"do\": [{\"post\": \"send\", \"as\": \"q\", \"flags\": [\"silent_success\"]}]}]},\n"
        "\"expect\": [\n" +
            expectation + "\n]");
}

}  // namespace ndsim::test
