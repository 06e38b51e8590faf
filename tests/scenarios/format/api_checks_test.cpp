// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

// What the programming interface that a host has chosen does not have.

namespace ndsim::test::api_checks_test {

// A of these members and operations, B with a buffer and a window; both use `api`.
std::string with_api(const std::string& api, const std::string& members, const std::string& ops,
                     const std::string& more = "") {
    return R"({"hosts": {"A": {"api": ")" + api + R"(", "buffers": {"tx": {}}, )" + members +
           R"("qps": {"q0": {}}}, "B": {"api": ")" + api + R"(", "buffers": {"rx": {}}, "qps": {"q0": {}}}},
"programs": {"A": [)" +
           ops + "]}" + more + "}";
}

TEST_CASE("api checks: there are four") {
    CHECK(refusal(R"({"hosts": {"A": {"api": "ndspi"}, "B": {}}})") ==
          "f:1:25: hosts.A.api: expected one of \"ndk\", \"ndspi1\", \"ndspi2\", \"wsd\", got \"ndspi\" (did you mean "
          "\"ndspi1\"?)");
    for (const std::string api : {"ndk", "ndspi1", "ndspi2", "wsd"}) {
        CAPTURE(api);
        CHECK(refusal(with_api(api, "", R"({"post": "send", "buffer": "tx"})")).empty());
    }
}

TEST_CASE("api checks: shared receive queues are NDKPI's and version 2's") {
    const std::string queue = R"("srqs": {"s": {}}, )";
    CHECK(refusal(with_api("ndspi2", queue, "")).empty());
    CHECK_THAT(refusal(with_api("ndspi1", queue, "")),
               Catch::Matchers::EndsWith(
                   "hosts.A.srqs.s: ndspi1 has no shared receive queues (\"api\" of host A would have to be one "
                   "of: ndk, ndspi2)"));
}

TEST_CASE("api checks: fast registration, moderation and some flags are NDKPI's alone") {
    const std::string only = "(\"api\" of host A would have to be one of: ndk)";
    CHECK_THAT(refusal(with_api("ndspi2", R"("memory": {"f": {"kind": "fast_register"}}, )", "")),
               Catch::Matchers::EndsWith("hosts.A.memory.f: ndspi2 has no fast-register regions " + only));
    CHECK_THAT(
        refusal(with_api("ndspi1", R"("cqs": {"c": {"interrupt_moderation": {"count": 4}}}, )", "")),
        Catch::Matchers::EndsWith("hosts.A.cqs.c.interrupt_moderation: ndspi1 has no interrupt moderation " + only));
    CHECK_THAT(refusal(with_api("ndspi2", "", R"({"moderate": "q0.send", "count": 4})")),
               Catch::Matchers::EndsWith("programs.A[0].moderate: ndspi2 has no interrupt moderation " + only));
    CHECK_THAT(refusal(with_api("ndspi2", "", R"({"post": "send", "buffer": "tx", "flags": ["defer"]})")),
               Catch::Matchers::EndsWith("programs.A[0].flags: ndspi2 has no flag \"defer\" " + only));
}

TEST_CASE("api checks: SendAndInvalidate is not in version 2") {
    CHECK_THAT(
        refusal(with_api("ndspi2", "", R"({"post": "send_and_invalidate", "buffer": "tx", "invalidates": "B.rx"})")),
        Catch::Matchers::EndsWith(
            "programs.A[0].post: ndspi2 has no SendAndInvalidate (\"api\" of host A would have to be one "
            "of: ndk, ndspi1)"));
}

TEST_CASE("api checks: version 1 reaches memory through windows only", "[R111]") {
    const std::string write = R"({"post": "write", "buffer": "tx", "to": "B.rx", "count": 3})";
    CHECK(refusal(with_api("ndspi2", "", write)).empty());
    CHECK_THAT(refusal(with_api("ndspi1", "", write)),
               Catch::Matchers::EndsWith(
                   "programs.A[0].to: B.rx is a buffer, and ndspi1 gives peers access through windows only "
                   "(bind one of \"memory\" of host B to it, and name that)"));
}

TEST_CASE("api checks: generators use NDKPI") {
    CHECK_THAT(refusal(with_api("ndspi2", "", "", R"(, "traffic": {"t": {"from": "A", "to": "B"}})")),
               Catch::Matchers::ContainsSubstring("traffic.t.from: ndspi2 has no generators of traffic"));
}

TEST_CASE("api checks: a socket sends and receives, and nothing else") {
    const auto refused = [](const std::string& ops) { return refusal(with_api("wsd", "", ops)); };
    CHECK_THAT(refused(R"({"poll": "q0.send"})"),
               Catch::Matchers::ContainsSubstring("wsd has no completion queues of a program's own"));
    CHECK_THAT(refused(R"({"post": "write", "buffer": "tx", "to": "B.rx"})"),
               Catch::Matchers::ContainsSubstring("wsd has no Reads and Writes of a program's own"));
    CHECK_THAT(refused(R"({"post": "send", "buffer": "tx", "flags": ["inline"]})"),
               Catch::Matchers::ContainsSubstring("wsd has no flags of requests"));
    CHECK_THAT(refused(R"({"spin": "tx"})"),
               Catch::Matchers::ContainsSubstring("wsd has no registered buffers to spin on"));
    CHECK_THAT(refused(R"({"flush": "q0"})"), Catch::Matchers::ContainsSubstring("wsd has no flush"));
    CHECK_THAT(
        refusal(
            R"({"hosts": {"A": {"api": "wsd", "qps": {"q0": {"sq": {"depth": 4}}}}, "B": {"api": "wsd", "qps": {"q0": {}}}}})"),
        Catch::Matchers::EndsWith("hosts.A.qps.q0.sq: a socket has no \"sq\" (the provider has its own queues)"));
}

TEST_CASE("api checks: a socket's peer is a socket") {
    CHECK_THAT(refusal(R"({"hosts": {"A": {"api": "wsd", "qps": {"q0": {}}}, "B": {"qps": {"q0": {}}}}})"),
               Catch::Matchers::EndsWith(
                   "hosts.A.api: socket q0 is connected to B.q0, whose host uses ndk (both ends of a socket need "
                   "\"api\": \"wsd\")"));
}

}  // namespace ndsim::test::api_checks_test
