// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Waits of a scenario's program for what a callback tells.
namespace ndsim::test::event_waits_test {

// The time of A's step, with and without a disconnect of C's shortly before its end.
void check_same(const std::string& step, const std::string& of_b) {
    const auto time_of = [&](const std::string& of_c) {
        return finish_text(R"({"switches": {"s": {}}, "hosts": {
            "A": {"qps": {"q0": {"connect": "B.q0"}, "q1": {"connect": "C.q1"}}},
            "B": {"qps": {"q0": {}}}, "C": {"qps": {"q1": {}}}},
            "programs": {"A": [)" +
                               step + R"(], "B": [)" + of_b + R"(], "C": [)" + of_c + "]}}",
                           {})
            .metric("programs.A.step.max");
    };
    CHECK(time_of(R"({"sleep": "22 us"}, {"disconnect": "q1"})") == time_of(""));
}

TEST_CASE("waits: what wakes a program for another event does not end its wait early") {
    check_same(
        R"({"post": "receive", "qp": "q0"}, {"arm": "q0.receive"}, {"time": "step", "do": [{"wait": "q0.receive"}]})",
        R"({"sleep": "24 us"}, {"post": "send", "qp": "q0"})");
    check_same(R"({"time": "step", "do": [{"wait": "q0.disconnect"}]})", R"({"sleep": "24 us"}, {"disconnect": "q0"})");
}

TEST_CASE("waits: a disconnect that has been stays, and the end of one's own is one, whatever the interface") {
    for (const std::string api : {"ndk", "ndspi1", "ndspi2"}) {
        CAPTURE(api);
        const std::string hosts =
            R"({"hosts": {"A": {"api": ")" + api + R"("}, "B": {"api": ")" + api + R"("}}, "programs": )";
        CHECK(finish_text(hosts + R"({"A": [{"wait": "q0.disconnect"}, {"wait": "q0.disconnect"}, {"disconnect": "q0"}],
                                      "B": [{"sleep": "10 us"}, {"disconnect": "q0"}]}})",
                          {})
                  .outcome == RunOutcome::finished);
        CHECK(finish_text(hosts + R"({"A": [{"disconnect": "q0"}, {"wait": "q0.disconnect"}],
                                      "B": [{"sleep": "10 us"}, {"disconnect": "q0"}]}})",
                          {})
                  .outcome == RunOutcome::finished);
    }
}

// B's software takes long to hear that it is connected, and A's disconnect has arrived by then.
TEST_CASE("waits: a disconnect that comes before the accept returns is not lost") {
    const ChildResult run = finish_text(
        R"({"hosts": {"A": {"qps": {"q0": {}}}, "B": {"cpu": {"event_wakeup": "50 us"}, "qps": {"q0": {}}}},
            "programs": {"A": [{"sleep": "300 us"}, {"connect": "q0", "as": "c"}, {"disconnect": "q0"}],
                         "B": [{"accept": "q0", "as": "a"}, {"wait": "q0.disconnect"}, {"disconnect": "q0"}]},
            "expect": [{"completion": "A.c", "status": "success"}, {"completion": "B.a", "status": "success"}]})",
        {});
    CHECK(run.outcome == RunOutcome::finished);
}

TEST_CASE("waits: a peer that does not answer in time gives io_timeout, whatever the interface", "[R125][K152]") {
    for (const std::string api : {"ndk", "ndspi1", "ndspi2"}) {
        CAPTURE(api);
        const ChildResult run = finish_text(
            R"({"hosts": {"A": {"api": ")" + api +
                R"(", "nic": {"connect_timeout": "100 us", "disconnect_timeout": "100 us"}, "qps": {"q0": {}, "q1": {}}},
                          "B": {"api": ")" +
                api + R"(", "qps": {"q0": {}, "q1": {}}}},
                "programs": {"A": [{"sleep": "10 us"}, {"connect": "q0", "as": "c"}, {"disconnect": "q1", "as": "d"}],
                             "B": [{"listen": "q0"}, {"sleep": "1 ms"}, {"accept": "q0"}]},
                "expect": [{"completion": "A.c", "status": "io_timeout"}, {"completion": "A.d", "status": "io_timeout"}]})",
            {});
        CHECK(run.outcome == RunOutcome::finished);
    }
}

}  // namespace ndsim::test::event_waits_test
