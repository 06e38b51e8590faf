// SPDX-License-Identifier: Apache-2.0

#include <variant>

#include "ndapi/ndk/ndk_types.h"
#include "scenarios/format/text_file.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::load_test {

static_assert(kPostSilentSuccess == NDK_OP_FLAG_SILENT_SUCCESS);
static_assert(kPostReadFence == NDK_OP_FLAG_READ_FENCE);
static_assert(kPostSolicit == NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
static_assert(kPostInline == NDK_OP_FLAG_INLINE);
static_assert(kPostDefer == NDK_OP_FLAG_DEFER);

TEST_CASE("scenario: two hosts and one generator are enough") {
    const Scenario s = load(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}}})");
    CHECK(s.file == "f");
    CHECK(s.seed == 1);
    CHECK(s.profile == StatusProfile::documented);
    REQUIRE(s.hosts.size() == 2);
    CHECK(s.hosts[0].name == "A");
    CHECK(s.hosts[0].preset == "B");
    REQUIRE(s.hosts[0].qps.size() == 1);
    const QueuePair& qp = s.hosts[0].qps[0];
    CHECK(qp.name == "q0");
    CHECK(qp.sq.depth == 128);
    CHECK(qp.rq.depth == 512);
    CHECK(qp.max_sge == 4);
    CHECK(qp.inline_max == 220);
    CHECK(qp.send_cq == "q0.send");
    CHECK(qp.receive_cq == "q0.receive");
    CHECK(qp.connect.text() == "B.q0");
    REQUIRE(s.hosts[1].qps.size() == 1);
    CHECK(s.hosts[1].qps[0].connect.empty());  // one side says it
    CHECK_FALSE(s.hosts[0].program);
    REQUIRE(s.links.size() == 1);
    CHECK(s.links[0].name == "l0");
    CHECK(s.links[0].between == std::array<std::string, 2>{"A", "B"});
    REQUIRE(s.traffic.size() == 1);
    CHECK(s.traffic[0].from.text() == "A.q0");
    CHECK(s.traffic[0].to.text() == "B.q0");
    CHECK(s.traffic[0].sizes == std::vector<Bytes>{4_KiB});
    CHECK(s.traffic[0].count == 1000);
    CHECK(s.outputs.completions);
    CHECK_FALSE(s.outputs.waves.enabled);
}

TEST_CASE("scenario: depths of queues are those of the NIC unless the queue pair says otherwise") {
    const Scenario s = load(two_hosts(
        R"("nic": {"sq": {"depth": 7}, "rq": {"depth": 8}, "cq": {"depth": 9}, "inline_max": 32, "max_sge": 2},
           "cqs": {"own": {}, "deep": {"depth": 99}}, "qps": {"q0": {}, "q1": {"sq": {"depth": 3}, "send_cq": "deep"}})",
        "", ""));
    const Host& host = s.hosts[0];
    CHECK(host.cqs[0].depth == 9);
    CHECK(host.cqs[1].depth == 99);
    CHECK(host.qps[0].sq.depth == 7);
    CHECK(host.qps[0].rq.depth == 8);
    CHECK(host.qps[0].inline_max == 32);
    CHECK(host.qps[0].max_sge == 2);
    CHECK(host.qps[1].sq.depth == 3);
    CHECK(host.qps[1].rq.depth == 8);
    CHECK(host.qps[1].send_cq == "deep");
    CHECK(host.qps[1].receive_cq == "q1.receive");
}

TEST_CASE("scenario: a link has the wire of its first host's preset") {
    const Scenario s = load(R"({"hosts": {"A": {"preset": "A"}, "D": {"preset": "D"}},
                                "links": {"wire": {"between": ["D", "A"], "length": "10 m"}}})");
    CHECK(s.links[0].params.rate == 400_Gbps);
    CHECK(s.links[0].params.length == Length{10'000});
    CHECK(s.hosts[0].node.pcie.one_way == std::chrono::nanoseconds{200});
    CHECK(s.hosts[1].node.pcie.one_way == std::chrono::nanoseconds{120});
}

TEST_CASE("scenario: queue pairs are connected as written, or by their names") {
    const Scenario s = load(R"({"hosts": {"A": {"qps": {"q0": {}, "x": {}, "alone": {}}},
                                          "B": {"qps": {"q0": {}, "y": {"connect": "A.x"}}}}})");
    CHECK(s.hosts[0].qps[0].connect.text() == "B.q0");
    CHECK(s.hosts[1].qps[0].connect.empty());
    CHECK(s.hosts[0].qps[1].connect.empty());
    CHECK(s.hosts[1].qps[1].connect.text() == "A.x");
    CHECK(s.hosts[0].qps[2].connect.empty());  // nobody uses it
}

TEST_CASE("scenario: if both sides name each other, the first host is the active one") {
    const Scenario s = load(R"({"hosts": {"A": {"qps": {"x": {"connect": "B.y"}}},
                                          "B": {"qps": {"y": {"connect": "A.x"}}}}})");
    CHECK(s.hosts[0].qps[0].connect.text() == "B.y");
    CHECK(s.hosts[1].qps[0].connect.empty());
}

TEST_CASE("scenario: traffic and programs bring their queue pairs with them") {
    const Scenario s = load(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"there": {"from": "A.x", "to": "B.y"}, "back": {"from": "B.y", "to": "A.x"}},
        "programs": {"A": [{"repeat": 2, "do": [{"post": "send", "qp": "p"}]}, {"poll": "p.send"}]}})");
    REQUIRE(s.hosts[0].qps.size() == 2);
    CHECK(s.hosts[0].qps[0].name == "x");
    CHECK(s.hosts[0].qps[0].connect.text() == "B.y");
    CHECK(s.hosts[0].qps[1].name == "p");
    CHECK(s.hosts[0].qps[1].connect.text() == "B.p");
    REQUIRE(s.hosts[1].qps.size() == 2);  // the peer of A.p is there, too
    CHECK(s.hosts[1].qps[1].name == "p");
}

TEST_CASE("scenario: a peer that a queue pair names exists on a host without qps") {
    const Scenario s = load(R"({"hosts": {"A": {"qps": {"x": {"connect": "B.y"}}}, "B": {}}})");
    REQUIRE(s.hosts[1].qps.size() == 1);
    CHECK(s.hosts[1].qps[0].name == "y");
}

TEST_CASE("program: every operation is read") {
    const Scenario s = load(two_hosts(
        R"("buffers": {"tx": {"size": "4 KiB", "fill": "random"}}, "cqs": {"shared": {}},
           "qps": {"q0": {"send_cq": "shared"}})",
        "", R"("programs": {"A": [
            {"post": "receive", "as": "r"},
            {"post": "send", "buffer": "tx", "offset": "1 KiB", "flags": ["solicit", "defer"]},
            {"post": "send", "sgl": [{"buffer": "tx", "size": "8 B"}, {"buffer": "tx", "offset": "4 KiB"}]},
            {"poll": "q0.send", "count": 3},
            {"arm": "shared", "for": "errors"},
            {"wait": "q0.send"},
            {"sleep": "10 us"},
            {"repeat": 5, "time": "rounds", "do": [{"poll": "q0.receive"}]},
            {"time": "once", "do": []}]})"));
    const auto& ops = s.hosts[0].program.value().ops;
    REQUIRE(ops.size() == 9);
    CHECK(ops[0].path == "programs.A[0]");
    CHECK(to_text(ops[0].at) == "5:13");

    const auto& receive = std::get<PostOp>(ops[0].what);
    CHECK(receive.kind == PostKind::receive);
    CHECK(receive.qp == "q0");
    CHECK(receive.pieces.empty());
    CHECK(receive.label == "r");
    const auto& send = std::get<PostOp>(ops[1].what);
    CHECK(send.kind == PostKind::send);
    REQUIRE(send.pieces.size() == 1);
    CHECK(send.pieces[0].buffer == "tx");
    CHECK(send.pieces[0].offset == 1_KiB);
    CHECK(send.pieces[0].size == 3_KiB);  // the rest
    CHECK(send.flags == (kPostSolicit | kPostDefer));
    const auto& list = std::get<PostOp>(ops[2].what);
    REQUIRE(list.pieces.size() == 2);
    CHECK(list.pieces[0].size == 8_B);
    CHECK(list.pieces[1].size == 0_B);                    // nothing is left behind 4 KiB
    CHECK(std::get<PollOp>(ops[3].what).cq == "shared");  // which is what q0.send is
    CHECK(std::get<PollOp>(ops[3].what).count == 3);
    CHECK(std::get<ArmOp>(ops[4].what).wish == ArmFor::errors);
    CHECK(std::get<WaitOp>(ops[5].what).cq == "shared");
    CHECK(std::get<SleepOp>(ops[6].what).span == std::chrono::microseconds{10});
    const auto& repeat = std::get<RepeatOp>(ops[7].what);
    CHECK(repeat.count == 5);
    CHECK(repeat.timer == "rounds");
    REQUIRE(repeat.body.size() == 1);
    CHECK(repeat.body[0].path == "programs.A[7].do[0]");
    CHECK(std::get<PollOp>(repeat.body[0].what).cq == "q0.receive");
    CHECK(std::get<RepeatOp>(ops[8].what).count == 1);
    CHECK(std::get<RepeatOp>(ops[8].what).timer == "once");
}

TEST_CASE("program: a post with a count is that many posts") {
    const Scenario s =
        load(program(R"({"post": "send", "buffer": "tx", "size": "1 KiB", "step": "512 B", "count": 3, "as": "s"})"));
    const auto& ops = s.hosts[0].program.value().ops;
    REQUIRE(ops.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& post = std::get<PostOp>(ops[i].what);
        CHECK(post.label == "s[" + std::to_string(i) + "]");
        CHECK(post.pieces.at(0).offset == i * 512_B);
        CHECK(post.pieces.at(0).size == 1_KiB);
        CHECK(ops[i].path == "programs.A[0]");
    }
}

TEST_CASE("traffic: sizes and lists") {
    const Scenario s = load(traffic(R"("size": ["64 B", "4 KiB"], "inline": false, "think_time": "1 us")"));
    CHECK(s.traffic[0].sizes == std::vector<Bytes>{64_B, 4_KiB});
    CHECK(s.traffic[0].think_time == std::chrono::microseconds{1});
    const Scenario gather = load(traffic(R"("sgl": ["1 KiB", "3 KiB"])"));
    CHECK(gather.traffic[0].sizes == std::vector<Bytes>{4_KiB});
    CHECK(gather.traffic[0].sgl == std::vector<Bytes>{1_KiB, 3_KiB});
}

TEST_CASE("expectations: bounds of metrics in the smallest units") {
    const Scenario s = load(two_hosts("", "", R"("traffic": {"t": {"from": "A", "to": "B"}}, "expect": [
        {"metric": "traffic.t.goodput", "at_least": "97 Gbps", "at_most": "99 Gbps"},
        {"metric": "traffic.t.latency.p99", "at_most": "1.5 us"},
        {"metric": "traffic.t.bytes", "at_least": "4 KiB"},
        {"metric": "traffic.t.message_rate", "at_least": "6 M/s"},
        {"metric": "traffic.t.interval", "at_most": "2 %"},
        {"metric": "A.nic.wqe.messages", "at_least": 1000},
        {"metric": "l0_A_to_B.packets", "at_least": 1},
        {"metric": "ledger.A.send.p50", "at_most": "1 s"},
        {"metric": "run.ended", "at_most": "1 s"}])"));
    const auto metric = [&](std::size_t i) { return std::get<MetricExpectation>(s.expect.at(i).what); };
    CHECK(metric(0).at_least == 97'000'000'000U);
    CHECK(metric(0).at_most == 99'000'000'000U);
    CHECK(metric(0).at_least_text == "97 Gbps");
    CHECK(metric(0).unit == Quantity::rate);
    CHECK(metric(1).at_most == 1'500'000U);
    CHECK_FALSE(metric(1).at_least);
    CHECK(metric(1).unit == Quantity::time);
    CHECK(metric(2).at_least == 4096U);
    CHECK(metric(3).at_least == 6'000'000U);
    CHECK(metric(4).at_most == 20'000U);
    CHECK(metric(5).at_least == 1000U);
    CHECK_FALSE(metric(5).unit);
    CHECK(metric(5).at_least_text == "1000");
    CHECK(s.expect[8].path == "expect[8]");
}

TEST_CASE("expectations: a counted label stands for all its requests") {
    const Scenario s = load(expect(R"({"completion": "A.s", "status": "success", "bytes": 0, "within": "5 us"},
        {"completion": "A.s[1]", "completes": false}, {"order": ["A.q", "A.s"]},
        {"memory": "B.rx", "equals": "A.tx", "offset": "1 KiB", "size": "1 KiB"})"));
    REQUIRE(s.expect.size() == 5);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto completion = std::get<CompletionExpectation>(s.expect[i].what);
        CHECK(completion.request == "A.s[" + std::to_string(i) + "]");
        CHECK(completion.status == "success");
        CHECK(completion.bytes == 0U);
        CHECK(completion.within == std::chrono::microseconds{5});
        CHECK_FALSE(completion.completes);
        CHECK(s.expect[i].path == "expect[0]");
    }
    CHECK(std::get<CompletionExpectation>(s.expect[2].what).completes == false);
    CHECK(std::get<OrderExpectation>(s.expect[3].what).requests == std::vector<std::string>{"A.q", "A.s[0]", "A.s[1]"});
    const auto memory = std::get<MemoryExpectation>(s.expect[4].what);
    CHECK(memory.buffer == "B.rx");
    CHECK(memory.equals == "A.tx");
    CHECK(memory.size == 1_KiB);
}

TEST_CASE("outputs: waves are on, off or described") {
    CHECK(load(two_hosts("", "", R"("outputs": {"waves": true})")).outputs.waves.enabled);
    CHECK_FALSE(load(two_hosts("", "", R"("outputs": {"waves": false, "completions": false})")).outputs.completions);
    const Scenario s = load(two_hosts("", "", R"("outputs": {"waves": {"start": "1 us", "stop": "5 us"}})"));
    CHECK(s.outputs.waves.enabled);
    CHECK(s.outputs.waves.start == std::chrono::microseconds{1});
    CHECK(s.outputs.waves.stop == std::chrono::microseconds{5});
}

TEST_CASE("outputs: packets are on, off or described") {
    CHECK_FALSE(load(two_hosts("", "", R"("outputs": {"waves": true})")).outputs.packets.enabled);
    CHECK(load(two_hosts("", "", R"("outputs": {"packets": true})")).outputs.packets.enabled);
    CHECK_FALSE(load(two_hosts("", "", R"("outputs": {"packets": false})")).outputs.packets.enabled);
    const Scenario s =
        load(two_hosts("", "", R"("outputs": {"packets": {"start": "1 us", "stop": "5 us", "max_size": "64 KiB"}})"));
    CHECK(s.outputs.packets.enabled);
    CHECK(s.outputs.packets.start == std::chrono::microseconds{1});
    CHECK(s.outputs.packets.stop == std::chrono::microseconds{5});
    CHECK(s.outputs.packets.max_size == 64_KiB);
    CHECK_FALSE(s.outputs.waves.enabled);
}

TEST_CASE("outputs: a timeline is on, off or described") {
    CHECK_FALSE(load(two_hosts("", "", R"("outputs": {"packets": true})")).outputs.timeline.enabled);
    CHECK(load(two_hosts("", "", R"("outputs": {"timeline": true})")).outputs.timeline.enabled);
    CHECK_FALSE(load(two_hosts("", "", R"("outputs": {"timeline": false})")).outputs.timeline.enabled);
    const Scenario s =
        load(two_hosts("", "", R"("outputs": {"timeline": {"start": "1 us", "stop": "5 us", "max_size": "64 KiB"}})"));
    CHECK(s.outputs.timeline.enabled);
    CHECK(s.outputs.timeline.start == std::chrono::microseconds{1});
    CHECK(s.outputs.timeline.stop == std::chrono::microseconds{5});
    CHECK(s.outputs.timeline.max_size == 64_KiB);
    CHECK_FALSE(s.outputs.packets.enabled);
}

TEST_CASE("file: what cannot be read says why") {
    const auto why = [](const std::string& path) {
        try {
            static_cast<void>(read_file(path));
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(why("/nowhere/x.json") == "/nowhere/x.json: cannot be opened: No such file or directory");
    CHECK(why("/") == "/: is a directory (a scenario is one file)");
    CHECK(read_file((repository() / "scenarios/library/stream.json").string()).starts_with("{"));
    CHECK(refusal("") == "f:1:1: the file is empty");
}

}  // namespace ndsim::test::load_test
