// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/sockets/switch_pair.hpp"

namespace ndsim::test::wsd_switch_test {

// Blocks of these sizes one after the other: of one message, of several, the threshold, beyond it, far beyond it.
constexpr std::array<std::size_t, 6> kSizes{1, 3000, 4096, 4097, 50'000, 1'000'000};

StreamSide sender(const WsdSettings& settings = {}, const wsd::Options& options = {}) {
    return {[](WsdStream& stream, ProgramHost&) {
                for (const std::size_t size : kSizes) {
                    const auto bytes = stream_bytes(size);
                    check_code(stream.send(bytes.data(), bytes.size()), 0, "a send of " + std::to_string(size));
                }
            },
            options, settings};
}

StreamSide receiver(const WsdSettings& settings = {}, const wsd::Options& options = {}) {
    return {[](WsdStream& stream, ProgramHost&) {
                for (const std::size_t size : kSizes) {
                    expect(receive_all(stream, size) == stream_bytes(size), "the bytes of a block");
                }
                std::byte one{};
                const WsdStream::Received last = stream.receive(&one, 1);
                expect(last.error == 0 && last.bytes == 0, "then the stream ends");
            },
            options, settings};
}

// A large block, and what both switches did for it.
void expect_steps(const wsd::Options& at_b, const WsdTrace& steps) {
    WsdTrace trace;
    run_streams({[](WsdStream& stream, ProgramHost&) {
                    const auto bytes = stream_bytes(50'000);
                    check_code(stream.send(bytes.data(), bytes.size()), 0, "a large block");
                }},
                {[&](WsdStream& stream, ProgramHost&) {
                     expect(receive_all(stream, 50'000) == stream_bytes(50'000), "it comes");
                     std::byte one{};
                     (void)stream.receive(&one, 1);
                     const WsdTrace taken = only(trace, steps);
                     expect(taken == steps, "the steps are: " + text_of(taken));
                 },
                 at_b},
                &trace);
}

TEST_CASE("wsd switch: streams, by reads, by asking", "[W1][W31][W53]") {
    run_streams(sender(), receiver());
}

TEST_CASE("wsd switch: streams, by reads, by upcalls that overtake each other", "[W45]") {
    const WsdSettings told{.polls = false};
    const wsd::Options late{.upcall_jitter = std::chrono::microseconds{20}, .seed = 3};
    run_streams(sender(told, late), receiver(told, late));
}

TEST_CASE("wsd switch: streams, by writes where B cannot read", "[W81]") {
    run_streams(sender(), receiver({}, {.rdma_read = false}));
}

TEST_CASE("wsd switch: streams, by writes and upcalls", "[W81]") {
    const WsdSettings told{.polls = false};
    run_streams(sender(told), receiver(told, {.rdma_read = false}));
}

// B's own reads count: a part of the block each time.
TEST_CASE("wsd switch: a block is taken in parts, whichever way it goes", "[W82]") {
    for (const bool reads : {true, false}) {
        run_streams({[](WsdStream& stream, ProgramHost&) {
                        const auto bytes = stream_bytes(50'000);
                        check_code(stream.send(bytes.data(), bytes.size()), 0, "a large block");
                    }},
                    {[](WsdStream& stream, ProgramHost&) {
                         std::vector<std::byte> all;
                         while (all.size() < 50'000) {
                             std::array<std::byte, 7000> part{};
                             const WsdStream::Received received = stream.receive(part.data(), part.size());
                             check_code(received.error, 0, "a receive");
                             all.insert(all.end(), part.begin(),
                                        part.begin() + static_cast<std::ptrdiff_t>(received.bytes));
                         }
                         expect(all == stream_bytes(50'000), "all parts, in order");
                     },
                     {.rdma_read = reads}});
    }
}

TEST_CASE("wsd switch: a receive without room takes nothing of a block", "[W82]") {
    for (const bool reads : {true, false}) {
        run_streams({[](WsdStream& stream, ProgramHost&) {
                        const auto bytes = stream_bytes(50'000);
                        check_code(stream.send(bytes.data(), bytes.size()), 0, "a large block");
                    }},
                    {[](WsdStream& stream, ProgramHost&) {
                         const WsdStream::Received none = stream.receive(nullptr, 0);
                         check_code(none.error, 0, "a receive without room");
                         expect(none.bytes == 0, "and without bytes");
                         expect(receive_all(stream, 50'000) == stream_bytes(50'000), "the block is there");
                     },
                     {.rdma_read = reads}});
    }
}

TEST_CASE("wsd switch: blocks up to the threshold go in messages, larger ones by RDMA", "[W87]") {
    WsdTrace trace;
    run_streams({[&](WsdStream& stream, ProgramHost&) {
                    const auto bytes = stream_bytes(4097);
                    check_code(stream.send(bytes.data(), 4096), 0, "a block of the threshold");
                    expect(only(trace, {"A data", "A announce"}) == WsdTrace{"A data"}, "goes in a message");
                    check_code(stream.send(bytes.data(), 4097), 0, "one byte more");
                    expect(only(trace, {"A data", "A announce"}) == WsdTrace{"A data", "A announce"}, "is read");
                }},
                {[](WsdStream& stream, ProgramHost&) { (void)receive_all(stream, 4096 + 4097); }}, &trace);
}

// 12 receives each way. B's session message tells of all of them, as the one for A's is posted again.
TEST_CASE("wsd switch: the session begins with the numbers of receives", "[W104]") {
    WsdTrace trace;
    run_streams({[&](WsdStream& stream, ProgramHost&) {
                    const auto first_of = [&trace](const std::string& step) {
                        return std::ranges::find(trace, step) - trace.begin();
                    };
                    const auto posted_before = [&trace](const std::string& step, std::ptrdiff_t end) {
                        return std::count(trace.begin(), trace.begin() + end, step);
                    };
                    const std::ptrdiff_t asked = first_of("A session");
                    const std::ptrdiff_t answered = first_of("B session");
                    expect(asked < answered, "A first");
                    expect(posted_before("A post receive", asked) == 12, "when it has posted its receives");
                    expect(posted_before("B post receive", answered) == 13, "B likewise, and one again");
                    expect(only(trace, {"A data", "B data"}).empty(), "no data before");
                    expect(stream.channel().credits() == 12, "A knows of B's 12");
                    const std::byte one{1};
                    check_code(stream.send(&one, 1), 0, "now there is data");
                }},
                {[](WsdStream& stream, ProgramHost&) { (void)receive_all(stream, 1); }}, &trace);
}

// B posts its receives 5 ms late. A's session message waits for them.
TEST_CASE("wsd switch: a side that posts its receives late loses nothing", "[W59][W61]") {
    run_streams(sender(), receiver({.posts_late_ms = 5}));
}

// What meets an empty queue can be the session message only, which has no credit. So a hundred messages more add
// nothing, while without credits they do.
TEST_CASE("wsd switch: with credits no message finds the queue empty", "[W105]") {
    const auto refused = [](int messages, bool ignores) {
        const StreamSide a{[messages](WsdStream& stream, ProgramHost&) {
                               const auto bytes = stream_bytes(1000);
                               for (int i = 0; i < messages; ++i) {
                                   check_code(stream.send(bytes.data(), bytes.size()), 0, "a send");
                               }
                           },
                           {},
                           {.ignores_credits = ignores}};
        const StreamSide b{[messages](WsdStream& stream, ProgramHost& os) {
            os.sleep(5);
            (void)receive_all(stream, static_cast<std::size_t>(messages) * 1000);
        }};
        return run_streams(a, b).metric("B.nic.responder.rnr_naks");
    };
    const std::uint64_t with_few = refused(1, false);
    CHECK(refused(101, false) == with_few);
    CHECK(refused(101, true) > with_few);
}

// Each credit is told after its receive was posted: A never knows of more than are there.
// 50 messages need 39 credits beside the 11 that A may use at first.
TEST_CASE("wsd switch: a receive is posted again before its credit is given back", "[W106]") {
    WsdTrace trace;
    run_streams({[](WsdStream& stream, ProgramHost&) {
                    const auto bytes = stream_bytes(1000);
                    for (int i = 0; i < 50; ++i) {
                        check_code(stream.send(bytes.data(), bytes.size()), 0, "a send");
                    }
                }},
                {[&](WsdStream& stream, ProgramHost&) {
                    (void)receive_all(stream, 50'000);
                    const std::string credits = "B credits ";
                    int posted = -13;  // the 12 at first, and that of the session message, which B's own tells of
                    int told = 0;
                    for (const std::string& step : trace) {
                        posted += step == "B post receive" ? 1 : 0;
                        told += step.starts_with(credits) ? std::stoi(step.substr(credits.size())) : 0;
                        expect(posted >= told || told == 0, "never more than were posted");
                    }
                    expect(told >= 39, "as many as A needed");
                }},
                &trace);
}

// Each message uses a credit, the last one is reserved, and half of the receives must be used before credits go back.
TEST_CASE("wsd switch: four buffers are enough, fewer are refused") {
    for (const bool polls : {true, false}) {
        const WsdSettings few{.polls = polls, .buffers = 4};
        run_streams(sender(few), receiver(few));
    }
    for (const std::uint32_t buffers : {0U, 1U, 2U, 3U}) {
        RunOptions options;
        options.programs = {{"A", [buffers](HostContext& host) {
                                 host.run_program([buffers](ProgramHost& os) {
                                     auto& process = dynamic_cast<os::Process&>(os);
                                     std::string refusal;
                                     try {
                                         const WsdSwitch sockets(process, wsd::open_provider(process),
                                                                 {.buffers = buffers});
                                     } catch (const std::invalid_argument& refused) {
                                         refusal = refused.what();
                                     }
                                     expect(refusal == "WsdSettings::buffers is " + std::to_string(buffers) +
                                                           ": a switch needs at least 4",
                                            "it is refused, not: " + refusal);
                                     return 0;
                                 });
                             }}};
        const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", {}, options);
        INFO(run.why);
        CHECK(run.outcome == RunOutcome::finished);
    }
}

TEST_CASE("wsd switch: urgent data is an ordinary message", "[W107]") {
    run_streams({[](WsdStream& stream, ProgramHost&) {
                    const auto bytes = stream_bytes(10);
                    check_code(stream.send(bytes.data(), 1, MSG_OOB), 0, "an urgent byte, with flags 0 below");
                    check_code(stream.send(bytes.data(), 10), 0, "and others");
                }},
                {[](WsdStream& stream, ProgramHost&) {
                    expect(receive_all(stream, 10) == stream_bytes(10), "the stream is without it");
                    expect(stream.urgent() == stream_bytes(1), "it is beside it");
                }});
}

TEST_CASE("wsd switch: the steps of a block that is read", "[W108]") {
    expect_steps({}, {"A register", "A announce", "B register", "B read", "B done", "A deregister", "A complete"});
}

TEST_CASE("wsd switch: the steps of a block that is written", "[W109]") {
    expect_steps({.rdma_read = false},
                 {"A announce", "B register", "B target", "A write", "A written", "A done", "B deregister"});
}

// A switch needs two registrations for its messages; with no more the sender's, then the receiver's, cannot be made.
TEST_CASE("wsd switch: a block without a registration fails alone", "[W110]") {
    const auto fails = [](const wsd::Options& at_a, const wsd::Options& at_b) {
        run_streams({[](WsdStream& stream, ProgramHost&) {
                         const auto bytes = stream_bytes(50'000);
                         check_code(stream.send(bytes.data(), bytes.size()), WSAENOBUFS, "a large block");
                         check_code(stream.send(bytes.data(), 100), 0, "a small one");
                     },
                     at_a},
                    {[](WsdStream& stream, ProgramHost&) {
                         expect(receive_all(stream, 100) == stream_bytes(100), "the connection is up");
                     },
                     at_b});
    };
    const wsd::Options none{.registrations = 2};
    fails(none, {});
    fails({}, none);
    fails(none, {.rdma_read = false});
    fails({}, {.rdma_read = false, .registrations = 2});
}

}  // namespace ndsim::test::wsd_switch_test
