// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema.hpp"

#include "scenarios/format/structure.hpp"
#include "scenarios/format/text_file.hpp"
#include "tests/scenarios/format/schema_validator.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::schema_test {

JsonNode parsed(std::string_view text) {
    Problems problems("f");
    auto node = parse_json(text, problems);
    INFO(problems.text());
    REQUIRE(problems.empty());
    return std::move(node.value());
}

std::string verdict(std::string_view text) {
    const JsonNode rules = parsed(schema());
    return SchemaValidator(rules).validate(parsed(text));
}

TEST_CASE("schema: it is JSON, and every reference leads somewhere") {
    const JsonNode rules = parsed(schema());
    CHECK(rules.find("$schema")->text == "https://json-schema.org/draft/2020-12/schema");
    // Each section once, besides the quantities: no name is taken twice.
    CHECK(rules.find("$defs")->members.size() == format::sections().size() + kQuantities.size());
}

TEST_CASE("schema: it allows what the library has") {
    for (const auto& entry : std::filesystem::directory_iterator(repository() / "scenarios/library")) {
        CAPTURE(entry.path());
        CHECK(verdict(read_file(entry.path().string())).empty());
    }
}

TEST_CASE("schema: it refuses what the loader refuses") {
    CHECK(verdict("{}") == "$: required");
    CHECK(verdict(R"({"hosts": {}, "host": {}})") == "$.host: unknown");
    CHECK(verdict(R"({"hosts": {"A": {"nic": {"sq": {"depth": 0}}}}})") == "$.hosts.A.nic.sq.depth: minimum");
    CHECK(verdict(R"({"hosts": {"A": {"nic": {"sq": {"dept": 5}}}}})") == "$.hosts.A.nic.sq.dept: unknown");
    CHECK(verdict(R"({"hosts": {"A": {"preset": "E"}}})") == "$.hosts.A.preset: enum");
    CHECK(verdict(R"({"hosts": {"A": {"nic": {"mtu": 3000}}}})") == "$.hosts.A.nic.mtu: enum");
    CHECK(verdict(R"({"hosts": {"A": {"nic": {"mtu": 1024}}}})").empty());
    CHECK(verdict(R"({"hosts": {"A B": {}}})") == "$.hosts.A B: pattern");
    CHECK(verdict(R"({"hosts": {}, "links": {"l0": {"rate": "100 GB"}}})") == "$.links.l0.rate: pattern");
    CHECK(verdict(R"({"hosts": {}, "links": {"l0": {"rate": 100}}})") == "$.links.l0.rate: type");
    CHECK(verdict(R"({"hosts": {}, "links": {"l0": {"between": ["A"]}}})") == "$.links.l0.between: minItems");
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"pots": "send"}]}})") == "$.programs.A[0]: anyOf");
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"repeat": 2, "time": "x", "do": []}]}})").empty());
    CHECK(verdict(R"({"hosts": {}, "traffic": {"t": {"from": "A", "to": "B", "size": []}}})") ==
          "$.traffic.t.size: anyOf");
    CHECK(verdict(R"({"hosts": {}, "traffic": {"t": {"from": "A", "to": "B", "weights": [3, 1]}}})").empty());
    CHECK(verdict(R"({"hosts": {}, "traffic": {"t": {"from": "A", "to": "B", "weights": []}}})") ==
          "$.traffic.t.weights: minItems");
    CHECK(verdict(R"({"hosts": {}, "traffic": {"t": {"from": "A", "to": "B", "weights": [3, 0]}}})") ==
          "$.traffic.t.weights[1]: minimum");
    CHECK(verdict(R"({"hosts": {}, "outputs": {"waves": 5}})") == "$.outputs.waves: anyOf");
    CHECK(verdict(R"({"hosts": {}, "measure": {"warmup": "auto", "drain": false}})").empty());
    CHECK(verdict(R"({"hosts": {}, "measure": {"warmup": 0}})").empty());
    CHECK(verdict(R"({"hosts": {}, "measure": {"warmup": "some"}})") == "$.measure.warmup: anyOf");
    CHECK(verdict(R"({"hosts": {}, "expect": [{"metric": "x", "at_least": "5 ns"}]})").empty());
    CHECK(verdict(R"({"hosts": {}, "expect": [{"metric": "x", "at_least": "5 furlongs"}]})") ==
          "$.expect[0].at_least: anyOf");
}

TEST_CASE("schema: a wrong step, fault or expectation is wrong at its own key or value") {
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"post": "sned", "buffer": "tx"}]}})") ==
          "$.programs.A[0].post: enum");
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"post": "send", "bufer": "tx"}]}})") ==
          "$.programs.A[0].bufer: unknown");
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"sleep": "10 furlongs"}]}})") ==
          "$.programs.A[0].sleep: pattern");
    CHECK(verdict(R"({"hosts": {}, "programs": {"A": [{"repeat": 2, "do": [{"poll": 5}]}]}})") ==
          "$.programs.A[0].do[0].poll: type");
    CHECK(verdict(R"({"hosts": {}, "faults": [{"drop": "A", "nhth": 3}]})") == "$.faults[0].nhth: unknown");
    CHECK(verdict(R"({"hosts": {}, "expect": [{"memory": "B.rx"}]})") == "$.expect[0]: required");
}

TEST_CASE("schema: a file may name the schema that editors check it against") {
    CHECK(verdict(R"({"$schema": "./ndsim.schema.json", "hosts": {}})").empty());
    CHECK(verdict(R"({"$schema": 5, "hosts": {}})") == "$.$schema: type");
}

}  // namespace ndsim::test::schema_test
