// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::checks_test {

TEST_CASE("checks: limits of the NIC hold for its queue pairs") {
    CHECK(refusal(two_hosts(R"("qps": {"q0": {"max_sge": 31, "inline_max": 221}})", "", "")) ==
          "f:2:43: hosts.A.qps.q0.max_sge: 31 is more than nic.max_sge of the host, 30\n"
          "f:2:61: hosts.A.qps.q0.inline_max: 221 is more than nic.inline_max of the host, 220");
}

TEST_CASE("checks: completion queues that queue pairs name") {
    CHECK(refusal(two_hosts(R"("qps": {"q0": {"send_cq": "q1.send"}})", "", "")) ==
          "f:2:43: hosts.A.qps.q0.send_cq: there is no completion queue \"q1.send\"; did you mean \"q0.send\"?");
    CHECK(refusal(two_hosts(R"("cqs": {"shared": {}}, "qps": {"q0": {"send_cq": "shred"}})", "", "")) ==
          "f:2:66: hosts.A.qps.q0.send_cq: there is no completion queue \"shred\"; did you mean \"shared\"?");
}

TEST_CASE("checks: sizes that must be powers of two") {
    CHECK(refusal(two_hosts(R"("pcie": {"mps": "200 B", "width": 3})", "", "")) ==
          "f:2:33: hosts.A.pcie.mps: expected a power of two, 128 B .. 4 KiB, got 200 B\n"
          "f:2:51: hosts.A.pcie.width: expected a power of two, 1 .. 16, got 3");
    CHECK(refusal(two_hosts(R"("iommu": {"page": "5 KiB"})", "", "")) ==
          "f:2:35: hosts.A.iommu.page: expected a power of two, 4 KiB .. 1 GiB, got 5 KiB");
    CHECK(refusal(two_hosts(R"("nic": {"mtu": 1500})", "", "")) ==
          "f:2:32: hosts.A.nic.mtu: expected a power of two, 256 .. 4096, got 1500");
}

// There and back in 2 m of cable, and through the receiver: 2 * (30 + 10 + 62) + 120 = 324 ns, at 100 Gbps 4050 bytes;
// with four packets of 4096 + 16 + 82 bytes 20 826, of which the buffer must hold twice: 41 KiB. Over 10 km it is
// 100 304 ns, 1 253 812 bytes, and so 2482 KiB.
TEST_CASE("checks: the RX buffer holds what comes after a pause frame") {
    CHECK(refusal(two_hosts(R"("nic": {"rx_buffer": "16 KiB"})", "", "")) ==
          "f:2:38: hosts.A.nic.rx_buffer: 16 KiB overflows before a pause frame has stopped the peer over link l0 (it "
          "takes 41 KiB)");
    CHECK(refusal(two_hosts("", "", R"("links": {"l0": {"length": "10 km"}})")) ==
          "f:2:16: hosts.A.nic.rx_buffer: 256 KiB overflows before a pause frame has stopped the peer over link l0 (it "
          "takes 2482 KiB)\n"
          "f:2:25: hosts.B.nic.rx_buffer: 256 KiB overflows before a pause frame has stopped the peer over link l0 (it "
          "takes 2482 KiB)");
}

TEST_CASE("checks: the warm-up leaves something to measure") {
    const auto with = [](const std::string& warmup) {
        return two_hosts("", "",
                         R"("traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 100},
"u": {"from": "B", "to": "A", "size": "64 B", "count": 5}}, "measure": {"warmup": )" +
                             warmup + "}");
    };
    CHECK(refusal(with("100")) ==
          "f:4:83: measure.warmup: a warm-up of 100 leaves nothing to measure: no generator does more than 100 "
          "(\"auto\" is a tenth of "
          "each one's count)");
    CHECK(refusal(with("99")).empty());  // one message of t
}

TEST_CASE("checks: a waveform ends after it begins") {
    CHECK(refusal(two_hosts("", "", R"("outputs": {"waves": {"start": "5 us", "stop": "5 us"}})")) ==
          "f:3:48: outputs.waves.stop: 5 us is not after the start, 5 us");
}

TEST_CASE("checks: the recording of packets ends after it begins") {
    CHECK(refusal(two_hosts("", "", R"("outputs": {"packets": {"start": "5 us", "stop": "4 us"}})")) ==
          "f:3:50: outputs.packets.stop: 4 us is not after the start, 5 us");
    CHECK(refusal(two_hosts("", "", R"("outputs": {"packets": "yes"})")) ==
          "f:3:24: outputs.packets: expected true, false or an object, got \"yes\"");
}

TEST_CASE("checks: a timeline ends after it begins") {
    CHECK(refusal(two_hosts("", "", R"("outputs": {"timeline": {"start": "5 us", "stop": "4 us"}})")) ==
          "f:3:51: outputs.timeline.stop: 4 us is not after the start, 5 us");
}

TEST_CASE("checks: every host is on one link") {
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}, "C": {}}})") ==
          "f:1:17: hosts.A: the host is not on any link (with more than two hosts, \"links\" is needed)\n"
          "f:1:26: hosts.B: the host is not on any link (with more than two hosts, \"links\" is needed)\n"
          "f:1:35: hosts.C: the host is not on any link (with more than two hosts, \"links\" is needed)");
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}}, "links": {}})") ==
          "f:1:17: hosts.A: the host is not on any link (two hosts have a link if \"links\" is left out)\n"
          "f:1:26: hosts.B: the host is not on any link (two hosts have a link if \"links\" is left out)");
    CHECK(
        refusal(
            R"({"hosts": {"A": {}, "B": {}, "C": {}}, "links": {"x": {"between": ["A", "B"]}, "y": {"between": ["B", "D"]}}})") ==
        "f:1:98: links.y.between[0]: host B is on link x already (a NIC has one port)\n"
        "f:1:103: links.y.between[1]: there is no host \"D\" (known are A, B, C)");
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}}, "links": {"x": {"between": ["A", "A"]}}})") ==
          "f:1:17: hosts.A: the host is not on any link\n"
          "f:1:26: hosts.B: the host is not on any link\n"
          "f:1:64: links.x.between[1]: both ends are at host A");
    // An unknown end may be meant for any host, so none is said to be without a link or a route.
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}}, "links": {"x": {"between": ["A", "b"]}},
"traffic": {"t": {"from": "A", "to": "B"}}})") ==
          "f:1:64: links.x.between[1]: there is no host \"b\"; did you mean \"B\"?");
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}, "C": {}}, "links": {"x": {}}})") ==
          "f:1:55: links.x: \"between\" is missing (it may be left out only with two hosts)");
    // The file names no link, so none is wrong.
    for (const std::string hosts : {R"("A b": {}, "B": {})", R"("A": {}, "A": {})"}) {
        CHECK_THAT(refusal(R"({"hosts": {)" + hosts + "}}"), !Catch::Matchers::ContainsSubstring("links"));
    }
}

TEST_CASE("checks: names that metrics begin with") {
    CHECK(refusal(R"({"hosts": {"run": {}, "B": {}}})") ==
          "f:1:19: hosts.run: a host cannot have this name (names of metrics begin with it)");
}

TEST_CASE("checks: peers that do not exist") {
    CHECK(
        refusal(
            R"({"hosts": {"A": {"qps": {"x": {"connect": "C.y"}, "z": {"connect": "A.x"}, "w": {"connect": "B.v"}}}, "B": {"qps": {"q0": {}}}}})") ==
        "f:1:43: hosts.A.qps.x.connect: there is no host \"C\" (known are A, B)\n"
        "f:1:68: hosts.A.qps.z.connect: the peer is on the same host\n"
        "f:1:93: hosts.A.qps.w.connect: there is no queue pair \"B.v\" (known are B.q0)");
    CHECK(
        refusal(
            R"({"hosts": {"A": {"qps": {"x": {"connect": "C.y"}}}, "B": {}, "C": {"qps": {"y": {}}}, "D": {}}, "links": {"k": {"between": ["A", "B"]}, "l": {"between": ["C", "D"]}}})") ==
        "f:1:43: hosts.A.qps.x.connect: there is no link between A and C");
}

// 65536 - 49152 = 16384 ports are picked from [K181].
TEST_CASE("checks: each connection has a port to come from and one to listen on") {
    const auto generators = [](const std::vector<std::string>& pairs) {
        std::string text = R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}, "E": {}, "F": {}, "G": {}, "H": {}},
"links": {"a": {"between": ["A", "B"]}, "c": {"between": ["C", "D"]}, "e": {"between": ["E", "F"]},
"g": {"between": ["G", "H"]}}, "traffic": {)";
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::string from = pairs[i].substr(0, 1) + ".q" + std::to_string(i) + "_";
            const std::string to = pairs[i].substr(1, 1) + ".q" + std::to_string(i) + "_";
            text += (i == 0 ? "" : ", ") + ("\"t" + std::to_string(i) + R"(": {"from": ")") + from + R"(", "to": ")" +
                    to + R"(", "operation": "write", "queue_pairs": 10000})";
        }
        return text + "}}";
    };
    CHECK(refusal(generators({"AB", "AB"})) ==
          "f:1:17: hosts.A.qps: 20000 queue pairs connect from here, but a host has 16384 ports to pick from");
    // 49152 - 4000 = 45152 are listened on.
    std::string many = generators({"AH", "BH", "CH", "DH", "EH"});
    const std::size_t links = many.find("\"links\"");
    many.replace(links, many.find("\"traffic\"") - links, R"("switches": {"s": {}}, )");
    CHECK(refusal(many).ends_with(
        ": hosts.H.qps: 50000 queue pairs are connected to from elsewhere, but a host has 45152 ports to listen on"));
}

TEST_CASE("checks: a queue pair has one peer") {
    CHECK(
        refusal(
            R"({"hosts": {"A": {"qps": {"x": {"connect": "B.y"}, "z": {"connect": "B.y"}}}, "B": {"qps": {"y": {}}}}})") ==
        "f:1:68: hosts.A.qps.z.connect: B.y is connected twice: to A.x and to A.z");
    CHECK(
        refusal(
            R"({"hosts": {"A": {"qps": {"x": {"connect": "B.y"}, "z": {}}}, "B": {"qps": {"y": {"connect": "A.z"}}}}})") ==
        "f:1:93: hosts.B.qps.y.connect: B.y is connected twice: to A.x and to A.z");
}

}  // namespace ndsim::test::checks_test
