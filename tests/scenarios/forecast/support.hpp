// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/load.hpp"
#include "tests/scenarios/forecast/truth.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test {

// Two hosts whose queue pairs q0 are connected, with a buffer each and a program each.
struct Pair {
    std::string a{};  // operations
    std::string b{};
    std::string host_a{};  // more members
    std::string host_b{};
    std::string members{};  // of the file

    [[nodiscard]] std::string text() const {
        const auto host = [](const std::string& more) {
            return R"({"buffers": {"m": {"size": "4 KiB"}})" + (more.empty() ? "" : ", " + more) + "}";
        };
        return R"({"hosts": {"A": )" + host(host_a) + R"(, "B": )" + host(host_b) + "}" +
               (members.empty() ? "" : ", " + members) + ",\n\"programs\": {\"A\": [" + a + "],\n\"B\": [" + b + "]}}";
    }
};

// What is foreseen; a run must agree with it.
inline Forecast foreseen_of(const std::string& text) {
    Forecast forecast = foresee(load_scenario("draft.json", text));
    INFO(text);
    CHECK(differences(text, forecast) == "");
    return forecast;
}
inline Forecast foreseen_of(const Pair& pair) {
    return foreseen_of(pair.text());
}

// The one thing that is foreseen.
inline Foreseen only(const Forecast& forecast) {
    for (const Foreseen& one : forecast.foreseen) {
        UNSCOPED_INFO(one.path << ": " << one.what);
    }
    REQUIRE(forecast.foreseen.size() == 1);
    return forecast.foreseen.front();
}
inline Foreseen only(const Pair& pair) {
    return only(foreseen_of(pair));
}
inline void check_nothing(const Forecast& forecast) {
    for (const Foreseen& one : forecast.foreseen) {
        UNSCOPED_INFO(one.path << ": " << one.what);
    }
    CHECK(forecast.foreseen.empty());
    CHECK(forecast.not_followed.empty());
}

}  // namespace ndsim::test
