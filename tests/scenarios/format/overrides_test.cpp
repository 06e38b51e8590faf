// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "sim/config/params.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::overrides_test {

const std::string kSmall = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}}})";

TEST_CASE("overrides: every part of a scenario can be set") {
    const Scenario s = load(two_hosts(R"("buffers": {"tx": {}}, "nic": {"mtu": 1024})", "",
                                      R"("traffic": {"t": {"from": "A.x", "to": "B.x"}},
                                         "programs": {"A": [{"post": "send", "buffer": "tx"}, {"sleep": "1 us"}]},
                                         "expect": [{"metric": "run.ended", "at_most": "1 s"}])"),
                            {"hosts.A.nic.sq.depth=7", "hosts.A.qps.x.rq.depth=9", "hosts.A.buffers.tx.size=1 MiB",
                             "links.l0.rate=25 Gbps", "traffic.t.window=3", "measure.warmup=5", "limits.time=1 ms",
                             "seed=99", "profile=infiniband", "programs.A[1].sleep=2 us", "programs.A[0].offset=1 KiB",
                             "expect[0].at_most=3 s", "about=a text", "outputs.waves=true"});
    CHECK(s.hosts[0].node.nic.queues.sq.depth == 7);
    CHECK(s.hosts[0].node.nic.queues.mtu == 1024);
    CHECK(s.hosts[1].node.nic.queues.sq.depth == 128);
    CHECK(s.hosts[0].qps.at(0).sq.depth == 7);
    CHECK(s.hosts[0].qps.at(0).rq.depth == 9);
    CHECK(s.hosts[0].buffers.at(0).size == 1_MiB);
    CHECK(s.links[0].params.rate == Bandwidth{25'000'000'000});
    CHECK(s.traffic[0].window == 3);
    CHECK(s.measure.warmup == 5);
    CHECK(s.limits.time == std::chrono::milliseconds{1});
    CHECK(s.seed == 99);
    CHECK(s.profile == StatusProfile::infiniband);
    const auto& ops = s.hosts[0].program.value().ops;
    CHECK(std::get<PostOp>(ops.at(0).what).pieces.at(0).offset == 1_KiB);
    CHECK(std::get<SleepOp>(ops.at(1).what).span == std::chrono::microseconds{2});
    CHECK(std::get<MetricExpectation>(s.expect.at(0).what).at_most_text == "3 s");
    CHECK(s.about == "a text");
    CHECK(s.outputs.waves.enabled);
}

TEST_CASE("overrides: a warm-up is a number, none, or left to the simulator") {
    CHECK_FALSE(load(kSmall, {}).measure.warmup);
    CHECK(load(kSmall, {"measure.warmup=0"}).measure.warmup == 0U);
    CHECK_FALSE(load(kSmall, {"measure.warmup=0", "measure.warmup=auto"}).measure.warmup);
    CHECK(load(kSmall, {}).measure.drain);
    CHECK_FALSE(load(kSmall, {"measure.drain=false"}).measure.drain);
    CHECK(refusal(kSmall, {"measure.warmup=atuo"}) ==
          R"(--set: measure.warmup: expected a whole number or "auto", got "atuo")");
    CHECK(refusal(kSmall, {"measure.wramup=1"}) ==
          R"(--set: measure.wramup: there is no such path; did you mean "measure.warmup"?)");
    CHECK(refusal(kSmall, {"measure.drain=1"}) == "--set: measure.drain: expected true or false, got 1");
}

TEST_CASE("overrides: short forms are all hosts and all links") {
    const Scenario s = load(kSmall, {"nic.sq.depth=7", "pcie.tags=32", "cpu.wqe_build=1 ns", "link.length=5 m"});
    for (const Host& host : s.hosts) {
        CHECK(host.node.nic.queues.sq.depth == 7);
        CHECK(host.node.pcie.tags == 32);
        CHECK(host.node.cpu.wqe_build == std::chrono::nanoseconds{1});
        CHECK(host.qps.at(0).sq.depth == 7);
    }
    CHECK(s.links[0].params.length == Length{5'000});
}

TEST_CASE("overrides: a short form of what the scenario does not have") {
    CHECK(refusal(kSmall, {"switch.buffer=1 MiB"}) == "--set: switch.buffer: the scenario has no switches");
    CHECK(refusal(R"({"hosts": {"A": {}}})", {"link.length=5 m"}) == "--set: link.length: the scenario has no links");
    const Scenario s = load(R"({"hosts": {"A": {}, "B": {}}, "switches": {"s0": {}},
                                "traffic": {"t": {"from": "A", "to": "B"}}})",
                            {"switch.buffer=1 MiB"});
    CHECK(s.switches.at(0).params.buffer == 1_MiB);
}

TEST_CASE("overrides: presets come first, then the file, then what is set") {
    const std::string file = two_hosts(R"("nic": {"wqe_cache": 100})", "", "");
    const Scenario s = load(file, {"hosts.A.preset=D"});
    CHECK(s.hosts[0].preset == "D");
    CHECK(s.hosts[0].node.pcie.generation == 5);
    CHECK(s.hosts[0].node.nic.wqe.wqe_cache == 100);
    CHECK(s.links[0].params.rate == 400_Gbps);
    CHECK(s.hosts[1].node.pcie.generation == 3);
    CHECK(load(file, {"hosts.A.preset=D", "nic.wqe_cache=200"}).hosts[0].node.nic.wqe.wqe_cache == 200);
}

TEST_CASE("overrides: the last one of a path counts") {
    CHECK(load(kSmall, {"seed=1", "seed=2"}).seed == 2);
    CHECK(load(kSmall, {"hosts.A.nic.mtu=256", "nic.mtu=512"}).hosts[0].node.nic.queues.mtu == 512);
    CHECK(load(kSmall, {"nic.mtu=512", "hosts.A.nic.mtu=256"}).hosts[0].node.nic.queues.mtu == 256);
}

TEST_CASE("overrides: lists, and waves that were only switched on") {
    const Scenario s = load(kSmall, {R"(traffic.t.size=["64 B", "1 KiB"])"});
    CHECK(s.traffic[0].sizes == std::vector<Bytes>{64_B, 1_KiB});
    const Scenario waves = load(two_hosts("", "", R"("outputs": {"waves": true})"), {"outputs.waves.stop=5 us"});
    CHECK(waves.outputs.waves.enabled);
    CHECK(waves.outputs.waves.stop == std::chrono::microseconds{5});
}

TEST_CASE("overrides: what traffic is set to brings its queue pairs") {
    const Scenario s = load(kSmall, {"traffic.t.from=A.x", "hosts.A.qps.x.sq.depth=3"});
    REQUIRE(s.hosts[0].qps.size() == 1);
    CHECK(s.hosts[0].qps[0].name == "x");
    CHECK(s.hosts[0].qps[0].sq.depth == 3);
    CHECK(s.hosts[0].qps[0].connect.text() == "B.q0");
}

TEST_CASE("overrides: a path that does not exist") {
    CHECK(refusal(kSmall, {"nic.sq.dept=5"}) ==
          "--set: nic.sq.dept: there is no such path; did you mean \"nic.sq.depth\"?");
    CHECK(refusal(kSmall, {"hosts.C.preset=A"}) ==
          "--set: hosts.C.preset: there is no such path; did you mean \"hosts.A.preset\"?");
    CHECK(refusal(kSmall, {"hosts.A.qps.q1.sq.depth=5"}) ==
          "--set: hosts.A.qps.q1.sq.depth: there is no such path; did you mean \"hosts.A.qps.q0.sq.depth\"?");
    CHECK(refusal(kSmall, {"links.l0.rat=1 Gbps"}) ==
          "--set: links.l0.rat: there is no such path; did you mean \"links.l0.rate\"?");
    CHECK(refusal(kSmall, {"nic.nothing_like_it=5"}) == "--set: nic.nothing_like_it: there is no such path");
    // Only one parameter is called so; many are called depth, which dma_checks_test.cpp has.
    CHECK(refusal(kSmall, {"nic.tags=5"}) == "--set: nic.tags: there is no such path; did you mean \"pcie.tags\"?");
}

TEST_CASE("overrides: the end of a path") {
    CHECK(refusal(kSmall, {"think_time=5"}) ==
          "--set: think_time: there is no such path; did you mean \"traffic.t.think_time\"?");
    CHECK(refusal(kSmall, {"window=5"}) ==
          "--set: window: there is no such path; did you mean \"measure.window\" or \"traffic.t.window\"?");
    CHECK(refusal(kSmall, {"sq.depth=5"}) ==
          "--set: sq.depth: there is no such path; did you mean \"nic.sq.depth\" or \"hosts.A.nic.sq.depth\"?");
}

TEST_CASE("overrides: what holds several values") {
    CHECK(refusal(kSmall, {"hosts={}"}) ==
          "--set: hosts: is not a single value; set one in it, such as \"hosts.A.cpu.wqe_build\"");
}

TEST_CASE("overrides: something that sets nothing") {
    CHECK(refusal(kSmall, {"nic.sq.depth"}) == "--set: expected path=value, got \"nic.sq.depth\"");
    CHECK(refusal(kSmall, {"=5"}) == "--set: expected path=value, got \"=5\"");
}

TEST_CASE("overrides: values are checked like those of the file, each once") {
    CHECK(refusal(kSmall, {"nic.sq.depth=0"}) == "--set: nic.sq.depth: expected 1 .. 32768, got 0");
    CHECK(refusal(kSmall, {"traffic.t.window=abc", "seed=-1", "outputs.waves=maybe"}) ==
          "--set: traffic.t.window: expected a whole number, got \"abc\"\n"
          "--set: seed: expected 0 .. 18446744073709551615, got -1\n"
          "--set: outputs.waves: expected true, false or an object, got \"maybe\"");
    CHECK(refusal(kSmall, {"traffic.t.from=C"}) == "--set: traffic.t.from: there is no host \"C\" (known are A, B)");
    CHECK(refusal(kSmall, {R"(traffic.t.size=["1 B", "x"])"}) ==
          "--set: traffic.t.size: expected a number and a unit, such as \"4 KiB\", got \"x\"");
    CHECK(refusal(kSmall, {"traffic.t.size=[1 B]"}) ==
          "--set: traffic.t.size: expected a number and a unit, such as \"4 KiB\", got \"[1 B]\"");
    CHECK(refusal(kSmall, {"nic.mtu=600"}) == "--set: nic.mtu: expected a power of two, 256 .. 4096, got 600");
}

TEST_CASE("overrides: problems of the file are still those of the file") {
    CHECK(refusal(two_hosts(R"("nic": {"tx_fifos": 5})", "", ""), {"nic.mtu=1"}) ==
          "--set: nic.mtu: expected a power of two, 256 .. 4096, got 1\n"
          "f:2:25: hosts.A.nic: unknown key \"tx_fifos\"; did you mean \"tx_fifo\"?");
}

// The first one makes hosts.A.nic, which is not why the buffer in it is too small.
TEST_CASE("overrides: a problem is not that of another override in the same object") {
    const std::string refused = refusal(kSmall, {"nic.sq.depth=4", "link.length=1 km"});
    CHECK_THAT(refused,
               Catch::Matchers::StartsWith("f:1:17: hosts.A.nic.rx_buffer: 256 KiB overflows before a pause frame"));
    CHECK_THAT(refused, Catch::Matchers::ContainsSubstring("\nf:1:26: hosts.B.nic.rx_buffer: 256 KiB overflows"));
    // Its own value is an override's, whatever is around it.
    CHECK_THAT(refusal(kSmall, {"nic.rx_buffer=16 KiB"}),
               Catch::Matchers::StartsWith("--set: nic.rx_buffer: 16 KiB overflows"));
}

TEST_CASE("overrides: every parameter set to the text of its default changes nothing") {
    Scenario defaults = load(kSmall);
    std::vector<std::string> sets;
    for (const Param& param : params_of(defaults.hosts[0].node, "hosts.A")) {
        sets.push_back(param.path() + "=" + param.current());
    }
    for (const Param& param : params_of(defaults.links[0].params, "links.l0")) {
        sets.push_back(param.path() + "=" + param.current());
    }
    for (const Param& param : params_of(defaults.traffic[0], "traffic.t")) {
        sets.push_back(param.path() + "=" + param.current());
    }
    for (const Param& param : params_of(defaults, "")) {
        sets.push_back(param.path() + "=" + param.current());
    }
    Scenario again = load_scenario("f", kSmall, sets);
    const auto check_same = [](const std::vector<Param>& is, const std::vector<Param>& should) {
        REQUIRE(is.size() == should.size());
        for (std::size_t i = 0; i < is.size(); ++i) {
            CAPTURE(should[i].path());
            CHECK(is[i].current() == should[i].current());
        }
    };
    check_same(params_of(again.hosts[0].node, ""), params_of(defaults.hosts[0].node, ""));
    check_same(params_of(again.links[0].params, ""), params_of(defaults.links[0].params, ""));
    check_same(params_of(again.traffic[0], ""), params_of(defaults.traffic[0], ""));
    check_same(params_of(again, ""), params_of(defaults, ""));
}

}  // namespace ndsim::test::overrides_test
