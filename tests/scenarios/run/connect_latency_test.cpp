// SPDX-License-Identifier: Apache-2.0
#include <deque>

#include "tests/ndapi/ndk/ndk_pair.hpp"

// What the NIC takes to connect a queue pair, as programs see it.
namespace ndsim::test::connect_latency_test {

using namespace std::chrono_literals;

// Picoseconds that A's connect and B's accept of q0 take. B listens and waits before A asks.
struct Spans {
    std::uint64_t connect = 0;
    std::uint64_t accept = 0;
};
Spans spans_of(const std::string& api, const std::vector<std::string>& overrides) {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"api": ")" + api + R"(", "qps": {"q0": {}}}, "B": {"api": ")" +
                                            api + R"(", "qps": {"q0": {}}}},
        "programs": {"A": [{"sleep": "100 us"}, {"time": "connects", "do": [{"connect": "q0", "as": "c"}]}],
                     "B": [{"time": "accepts", "do": [{"accept": "q0", "as": "a"}]}]},
        "expect": [{"completion": "A.c", "status": "success"}, {"completion": "B.a", "status": "success"}]})",
                                        overrides);
    return {run.metric("programs.A.connects.max"), run.metric("programs.B.accepts.max")};
}

constexpr std::uint64_t ps(Picoseconds span) {
    return static_cast<std::uint64_t>(span.count());
}

// The passive side connects its queue pair before it answers, the active side its own before the connect ends, and the
// accept waits for that. So of two ends that take 200 us in place of 2 us each, both calls take 2 x 198 us more.
TEST_CASE("connect latency: both ends take it, one after the other, whatever the interface", "[formula][K174][K190]") {
    for (const std::string api : {"ndk", "ndspi1", "ndspi2", "wsd"}) {
        CAPTURE(api);
        const Spans slow = spans_of(api, {});
        const Spans fast = spans_of(api, {"nic.connect_latency=2 us"});
        CHECK(slow.connect - fast.connect == ps(2 * 198us));
        CHECK(slow.accept - fast.accept == ps(2 * 198us));
        // Both commands are in it as a whole, and two others at least: A's request and what completes the connect.
        CHECK(slow.connect > ps(2 * 200us + 2 * 2us));
        CHECK(slow.connect < ps(450us));
    }
}

TEST_CASE("connect latency: each end has its own", "[formula]") {
    const Spans both = spans_of("ndk", {"nic.connect_latency=2 us"});
    const Spans active = spans_of("ndk", {"nic.connect_latency=2 us", "hosts.A.nic.connect_latency=12 us"});
    const Spans passive = spans_of("ndk", {"nic.connect_latency=2 us", "hosts.B.nic.connect_latency=32 us"});
    CHECK(active.connect - both.connect == ps(10us));
    CHECK(active.accept - both.accept == ps(10us));
    CHECK(passive.connect - both.connect == ps(30us));
    CHECK(passive.accept - both.accept == ps(30us));
}

// Eight connects of A's at once. B's NIC has all of its eight commands, of 200 us each, before it answers any, and its
// answers follow each other by a command of 2 us. So A's NIC has a command left whenever it has carried out one, and
// its connects end 200 us apart. No connection is there before both NICs have connected its queue pair.
TEST_CASE("connect latency: connections that are asked for at once come one latency apart", "[limit]") {
    constexpr std::size_t kCount = 8;
    run_pair(
        [](Party& a) {
            std::vector<NDK_QP*> qps{a.qp};
            std::vector<NDK_CONNECTOR*> connectors;
            while (connectors.size() < kCount) {
                qps.push_back(a.new_qp());
                connectors.push_back(a.new_connector());
            }
            a.host.sleep(1ms - a.host.clock());
            const Picoseconds begun = a.host.clock();
            std::deque<Call> calls;
            for (std::size_t i = 0; i < kCount; ++i) {
                sockaddr_in from = a.address("", 0);
                sockaddr_in to = a.address("B", 4000);
                Call& call = calls.emplace_back(a.host);
                expect(connectors[i]->Dispatch->NdkConnect(connectors[i], qps[i], reinterpret_cast<PSOCKADDR>(&from),
                                                           sizeof from, reinterpret_cast<PSOCKADDR>(&to), sizeof to, 4,
                                                           4, nullptr, 0, Call::done, &call) == STATUS_PENDING,
                       "a connect goes on");
            }
            std::vector<Picoseconds> ends;
            for (Call& call : calls) {
                expect(call.wait(STATUS_PENDING) == STATUS_SUCCESS, "a connect is accepted");
                ends.push_back(a.host.clock());
            }
            for (std::size_t i = 1; i < kCount; ++i) {
                expect(ends[i] - ends[i - 1] == 200us, "the next one comes 200 us later");
            }
            expect(ends.back() - begun > 2 * kCount * 200us, "each NIC has carried out all of its commands");
            expect(ends.back() - begun < 2 * kCount * 200us + 100us, "and little else");
            for (NDK_CONNECTOR* const connector : connectors) {
                expect(a.complete(connector) == STATUS_SUCCESS, "it is completed");
            }
            a.host.sleep(10ms - a.host.clock());
        },
        [](Party& b) {
            std::vector<NDK_QP*> qps{b.qp};
            while (qps.size() < kCount) {
                qps.push_back(b.new_qp());
            }
            b.listen();
            std::deque<Call> calls;
            for (NDK_QP* const qp : qps) {
                NDK_CONNECTOR* const connector = b.next_offered();
                Call& call = calls.emplace_back(b.host);
                expect(connector->Dispatch->NdkAccept(connector, qp, 4, 4, nullptr, 0, nullptr, nullptr, Call::done,
                                                      &call) == STATUS_PENDING,
                       "an accept goes on");
            }
            for (Call& call : calls) {
                expect(call.wait(STATUS_PENDING) == STATUS_SUCCESS, "A completes it");
            }
            b.host.sleep(10ms - b.host.clock());
        });
}

// What connects take shows nowhere, in no figure of the run.
TEST_CASE("connect latency: connections of set-up are made before the run, and take none of it") {
    for (const std::string api : {"ndk", "ndspi1", "ndspi2", "wsd"}) {
        CAPTURE(api);
        const std::string host = R"({"api": ")" + api + R"(", "buffers": {"data": {"size": "64 KiB"}}})";
        // A call of sockets blocks until its data has gone or come.
        const bool polls = api != "wsd";
        const std::string text = R"({"hosts": {"A": )" + host + R"(, "B": )" + host + R"(}, "programs": {
                "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "data", "size": "4 KiB"})" +
                                 (polls ? R"(, {"poll": "q0.send"}], )" : "], ") +
                                 R"("B": [{"post": "receive", "buffer": "data", "size": "4 KiB"})" +
                                 (polls ? R"(, {"poll": "q0.receive"}]}})" : "]}}");
        const ChildResult plain = finish_text(text);
        CHECK(plain.metrics == finish_text(text, {"nic.connect_latency=100 ms"}).metrics);
        CHECK(plain.metric("run.started") < ps(200us));
    }
    const std::string generator = R"("operation": "write", "size": "4 KiB", "count": 100, "queue_pairs": 8)";
    CHECK(run_traffic(generator).metrics == run_traffic(generator, {"nic.connect_latency=100 ms"}).metrics);
}

// A's first queue pair is connected by set-up, the second by programs.
TEST_CASE("connect latency: only what set-up connects is before the run") {
    const auto connect = [](const std::vector<std::string>& overrides) {
        const ChildResult run = finish_text(R"({
            "hosts": {"A": {"qps": {"q0": {"connect": "B.q0"}, "q1": {"connect": "B.q1"}}},
                      "B": {"qps": {"q0": {}, "q1": {}}}},
            "programs": {"A": [{"sleep": "100 us"}, {"time": "connects", "do": [{"connect": "q1", "as": "c"}]}],
                         "B": [{"accept": "q1"}]},
            "expect": [{"completion": "A.c", "status": "success"}]})",
                                            overrides);
        return std::pair{run.metric("programs.A.connects.max"), run.metric("run.started")};
    };
    const auto [slow, slow_start] = connect({});
    const auto [fast, fast_start] = connect({"nic.connect_latency=2 us"});
    CHECK(slow - fast == ps(2 * 198us));
    CHECK(slow_start == fast_start);
}

}  // namespace ndsim::test::connect_latency_test
