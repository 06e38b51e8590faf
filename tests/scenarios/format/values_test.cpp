// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::values_test {

TEST_CASE("scenario: the file is an object with hosts") {
    CHECK(refusal("[]") == "f:1:1: expected an object, got a list");
    CHECK(refusal("{}") ==
          "f:1:1: \"hosts\" is missing (the hosts by name: at least two, or a single one without a peer)");
    CHECK(refusal(R"({"hosts": 5})") == "f:1:11: hosts: expected an object, got 5");
    CHECK(refusal(R"({"hosts": {}})") == "f:1:11: hosts: expected at least one host, got 0");
    CHECK(refusal(R"({"hosts": {"A": {}}})") == "");
}

TEST_CASE("scenario: a wrong host hides nothing else and brings nothing else up") {
    CHECK(refusal(R"({"hosts": {"A": 5, "B": {}}})") == "f:1:17: hosts.A: expected an object, got 5");
    CHECK(refusal(R"({"hosts": {"A B": {}, "B": {}, "C": {}}})") ==
          "f:1:12: hosts: \"A B\" is not a valid name (a name is a letter, then letters, digits and _, at most 64 "
          "characters)");
    CHECK(refusal("{\"hosts\": {\"A\": {}, \"A\": {}, \"B\": {}}}") ==
          "f:1:21: hosts: duplicate key \"A\" (first at 1:12)");
}

// Hosts, switches, links, generators, whatever hosts have, labels and timers: they are read by the same rule.
TEST_CASE("scenario: a name of anything has 64 letters at most") {
    const auto refused = [](const std::string& before, const std::string& after, std::size_t length) {
        const std::string said = refusal(before + std::string(length, 'n') + after);
        return said.find(
                   "is not a valid name (a name is a letter, then letters, digits and _, at most 64 characters)") !=
               std::string::npos;
    };
    const std::string hosts = R"({"hosts": {"A": {"buffers": {"m": {}}}, "B": {}}, )";
    const std::string program = hosts + R"("programs": {"A": [)";
    const std::vector<std::pair<std::string, std::string>> files{
        {R"({"hosts": {"A": {}, ")", R"(": {}}})"},
        {R"({"hosts": {"A": {"buffers": {")", R"(": {}}}, "B": {}}})"},
        {R"({"hosts": {"A": {"memory": {")", R"(": {"kind": "window"}}}, "B": {}}})"},
        {R"({"hosts": {"A": {"cqs": {")", R"(": {}}}, "B": {}}})"},
        {R"({"hosts": {"A": {"srqs": {")", R"(": {}}}, "B": {}}})"},
        {R"({"hosts": {"A": {"qps": {")", R"(": {}}}, "B": {}}})"},
        {hosts + R"("links": {")", R"(": {}}})"},
        {hosts + R"("switches": {")", R"(": {}}})"},
        {hosts + R"("traffic": {")", R"(": {"from": "A", "to": "B"}}})"},
        {hosts + R"("dma": {")", R"(": {"host": "A"}}})"},
        {program + R"({"post": "send", "buffer": "m", "as": ")", R"("}]}})"},
        {program + R"({"time": ")", R"(", "do": []}]}})"}};
    for (const auto& [before, after] : files) {
        INFO(before);
        CHECK_FALSE(refused(before, after, 64));
        CHECK(refused(before, after, 65));
    }
}

TEST_CASE("scenario: keys that nobody knows are refused") {
    CHECK(refusal(R"({"hosts": {"A": {}, "B": {}}, "host": {}})") ==
          "f:1:31: unknown key \"host\"; did you mean \"hosts\"?");
    CHECK(refusal(two_hosts(R"("nic": {"sq": {"dept": 8}})", "", "")) ==
          "f:2:32: hosts.A.nic.sq: unknown key \"dept\"; did you mean \"depth\"?");
}

TEST_CASE("scenario: the settings of a run") {
    CHECK(refusal(two_hosts("", "", R"("seed": -1)")) == "f:3:9: seed: expected 0 .. 18446744073709551615, got -1");
    CHECK(refusal(two_hosts("", "", R"("profile": "ib")")) ==
          "f:3:12: profile: expected one of \"documented\", \"infiniband\", got \"ib\"");
    CHECK(refusal(two_hosts("", "", R"("about": 5)")) == "f:3:10: about: expected a text in double quotes, got 5");
    CHECK(refusal(two_hosts("", "", R"("limits": {"time": "1 fortnight"})")) ==
          "f:3:20: limits.time: unknown unit \"fortnight\"; known are ps, ns, us, ms, s");
}

TEST_CASE("scenario: the parameters of a host") {
    CHECK(refusal(two_hosts(R"("preset": "E")", "", "")) ==
          "f:2:27: hosts.A.preset: expected one of \"A\", \"B\", \"C\", \"D\", got \"E\"");
    CHECK(refusal(two_hosts(R"("nic": {"sq": {"depth": 0}})", "", "")) ==
          "f:2:41: hosts.A.nic.sq.depth: expected 1 .. 32768, got 0");
}

TEST_CASE("scenario: buffers, completion queues and queue pairs") {
    CHECK(refusal(two_hosts(R"("buffers": {"tx": {"size": "4 kB"}})", "", "")) ==
          "f:2:44: hosts.A.buffers.tx.size: unknown unit \"kB\"; KiB is 1024, MiB is 1024 KiB, GiB is 1024 MiB");
    CHECK(refusal(two_hosts(R"("buffers": {"tx": {"fill": "ones"}})", "", "")) ==
          "f:2:44: hosts.A.buffers.tx.fill: expected one of \"zero\", \"counter\", \"random\", got \"ones\"");
    CHECK(refusal(two_hosts(R"("cqs": [])", "", "")) == "f:2:24: hosts.A.cqs: expected an object, got a list");
    CHECK(refusal(two_hosts(R"("qps": {"q0": {"connect": 5}})", "", "")) ==
          "f:2:43: hosts.A.qps.q0.connect: expected a text in double quotes, got 5");
}

TEST_CASE("scenario: the parameters of a link") {
    CHECK(refusal(two_hosts("", "", R"("links": {"l0": {"between": ["A"]}})")) ==
          "f:3:29: links.l0.between: expected two hosts, got 1");
    CHECK(refusal(two_hosts("", "", R"("links": {"l0": {"between": "A"}})")) ==
          "f:3:29: links.l0.between: expected a list, got \"A\"");
    CHECK(refusal(two_hosts("", "", R"("links": {"l0": {"rate": "100"}})")) ==
          "f:3:26: links.l0.rate: expected a number and a unit, such as \"1 Gbps\", got \"100\"");
}

TEST_CASE("traffic: what each value may be") {
    CHECK(refusal(two_hosts("", "", R"("traffic": {"t": {}})")) ==
          "f:3:18: traffic.t: \"from\" is missing (the sender: \"A.q0\", or \"A\" for its q0)\n"
          "f:3:18: traffic.t: \"to\" is missing (the receiver: \"B.q0\", or \"B\" for its q0)");
    CHECK(refusal(traffic(R"("size": 5)")) ==
          "f:4:9: traffic.t.size: expected a number and a unit, such as \"4 KiB\", got 5");
    CHECK(refusal(traffic(R"("size": "2 GiB")")) == "f:4:9: traffic.t.size: expected 0 B .. 1 GiB, got 2 GiB");
    CHECK(refusal(traffic(R"("sgl": "1 KiB")")) == "f:4:8: traffic.t.sgl: expected a list, got \"1 KiB\"");
    CHECK(refusal(traffic(R"("size": [])")) == "f:4:9: traffic.t.size: the list is empty");
}

TEST_CASE("outputs: what each value may be") {
    CHECK(refusal(two_hosts("", "", R"("outputs": {"waves": 1})")) ==
          "f:3:22: outputs.waves: expected true, false or an object, got 1");
    CHECK(refusal(two_hosts("", "", R"("outputs": [])")) == "f:3:12: outputs: expected an object, got a list");
}

TEST_CASE("scenario: a text that is not JSON") {
    CHECK(refusal("{\n  \"hosts\": {\n}, }") ==
          "f:3:4: unexpected '}'; expected a name in double quotes (no comma after the last entry)");
}

}  // namespace ndsim::test::values_test
