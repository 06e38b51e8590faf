// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/sockets/switch_pair.hpp"

namespace ndsim::test::wsd_close_test {

void send(WsdStream& stream, std::size_t length) {
    const auto bytes = stream_bytes(length);
    check_code(stream.send(bytes.data(), bytes.size()), 0, "a send");
}

void receive_end(WsdStream& stream) {
    std::byte one{};
    const WsdStream::Received last = stream.receive(&one, 1);
    check_code(last.error, 0, "the end of the stream");
    expect(last.bytes == 0, "brings no bytes");
}

const StreamSide kReceivesAndCloses{[](WsdStream& stream, ProgramHost&) { (void)receive_all(stream, 100); }};

// B has gone for 5 ms when A closes.
TEST_CASE("wsd close: that of a socket whose peer has closed before succeeds", "[W100]") {
    for (const bool polls : {true, false}) {
        run_streams({[](WsdStream& stream, ProgramHost& os) {
                         send(stream, 100);
                         os.sleep(5);
                         receive_end(stream);
                     },
                     {},
                     {.polls = polls}},
                    kReceivesAndCloses);
    }
}

// The end of B's stream is among what A's close finds.
TEST_CASE("wsd close: the peer's end need not have been received", "[W100]") {
    for (const bool polls : {true, false}) {
        run_streams({[](WsdStream& stream, ProgramHost& os) {
                         send(stream, 100);
                         os.sleep(5);
                     },
                     {},
                     {.polls = polls}},
                    kReceivesAndCloses);
    }
}

// With jitter the ends of A's operations are told in any order.
TEST_CASE("wsd close: both sides may close at once, whatever is told first", "[W45]") {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
        const wsd::Options late{.upcall_jitter = std::chrono::microseconds{20}, .seed = seed};
        const auto closes_at_once = [](WsdStream& stream, ProgramHost&) {
            send(stream, 100);
            (void)receive_all(stream, 100);
        };
        const StreamSide side{closes_at_once, late, {.polls = false}};
        run_streams(side, side);
    }
}

// The send says that it has failed, and the close has nothing to add.
TEST_CASE("wsd close: a send to a peer that has closed fails", "[W24][W100]") {
    run_streams({[](WsdStream& stream, ProgramHost& os) {
                    send(stream, 100);
                    os.sleep(5);
                    receive_end(stream);
                    const auto bytes = stream_bytes(100);
                    check_code(stream.send(bytes.data(), bytes.size()), WSAECONNRESET, "a send behind the end");
                }},
                kReceivesAndCloses);
}

// 64 KiB, which go by RDMA: A reads them, or B writes them. The switch that polls has not asked since A has left.
TEST_CASE("wsd close: a block for a peer that has left fails as a message does", "[W24][W110]") {
    for (const bool polls : {true, false}) {
        for (const bool reads : {true, false}) {
            run_streams({.options = {.rdma_read = reads}, .close = std::nullopt},
                        {[](WsdStream& stream, ProgramHost& os) {
                             os.sleep(5);
                             const auto bytes = stream_bytes(65'536);
                             check_code(stream.send(bytes.data(), bytes.size()), WSAECONNRESET, "a block");
                             check_code(stream.send(bytes.data(), 100), WSAECONNRESET, "a message");
                         },
                         {},
                         {.polls = polls},
                         WSAECONNRESET});
        }
    }
}

// A's session message, and eight of data. The last one, or that and the next message, are lost once.
TEST_CASE("wsd close: messages that were done at once arrive before the socket is closed", "[W1][W16]") {
    for (const int lost : {1, 2}) {
        const StreamSide a{[](WsdStream& stream, ProgramHost&) {
                               for (int i = 0; i < 8; ++i) {
                                   send(stream, 100);
                               }
                           },
                           {.immediate_sends = true}};
        const StreamSide b{[](WsdStream& stream, ProgramHost&) {
            (void)receive_all(stream, 800);
            receive_end(stream);
        }};
        run_streams(a, b, nullptr, {},
                    R"(, "faults": [{"drop": "A", "packet": 9, "opcode": "SEND_ONLY", "count": )" +
                        std::to_string(lost) + "}]");
    }
}

// All that A sends behind its session message is lost on the way, until B, which closes at once, has gone.
TEST_CASE("wsd close: a message that was done at once is not lost in silence", "[W24]") {
    run_streams({[](WsdStream& stream, ProgramHost&) {
                     send(stream, 100);
                     receive_end(stream);
                 },
                 {.immediate_sends = true},
                 {},
                 WSAECONNRESET},
                {}, nullptr, {}, R"(, "faults": [{"drop": "A", "packet": 2, "opcode": "SEND_ONLY", "count": 1000}])");
}

// What B has taken has arrived, even if A's own end cannot be sent any more.
TEST_CASE("wsd close: that of a socket whose peer has closed succeeds with sends done at once", "[W100]") {
    run_streams({[](WsdStream& stream, ProgramHost& os) {
                     send(stream, 100);
                     os.sleep(5);
                     receive_end(stream);
                 },
                 {.immediate_sends = true}},
                kReceivesAndCloses);
    const StreamSide both{[](WsdStream& stream, ProgramHost&) {
                              send(stream, 100);
                              (void)receive_all(stream, 100);
                          },
                          {.immediate_sends = true}};
    run_streams(both, both);
}

// B's program leaves the connection without a word: that is no end of a stream.
TEST_CASE("wsd close: a connection that the peer has left is reset until then", "[W63][W100]") {
    run_streams({[](WsdStream& stream, ProgramHost& os) {
                     os.sleep(5);
                     std::byte one{};
                     check_code(stream.receive(&one, 1).error, WSAECONNRESET, "a receive");
                 },
                 {},
                 {},
                 WSAECONNRESET},
                {.close = std::nullopt});
}

// B has 12 receives and reads nothing, so eight of twenty messages are still to be sent when it closes.
TEST_CASE("wsd close: messages that a peer has not taken before its end are lost", "[W24]") {
    run_streams({[](WsdStream& stream, ProgramHost&) {
                     for (int i = 0; i < 20; ++i) {
                         send(stream, 100);
                     }
                 },
                 {},
                 {.ignores_credits = true},
                 WSAECONNRESET},
                {[](WsdStream&, ProgramHost& os) { os.sleep(5); }});
}

}  // namespace ndsim::test::wsd_close_test
