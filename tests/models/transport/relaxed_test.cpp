// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/read_bench.hpp"
#include "tests/models/transport/responder_bench.hpp"

// Which writes of payload may become visible before earlier ones: all but those that tell that others are there.

namespace ndsim::test::relaxed_test {

std::vector<bool> relaxed(const Dma& dma) {
    std::vector<bool> result;
    for (const auto& write : dma.writes) {
        result.push_back(write.train.relaxed);
    }
    return result;
}

TEST_CASE("relaxed: the payload of a Send, but for its last packet") {
    ResponderBench bench;
    bench.post({{0, 4096}});
    bench.post({{4096, 100}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_first, 100, 1024); });
    bench.at(1us, [&] { bench.receive(Opcode::send_middle, 101, 1024); });
    bench.at(2us, [&] { bench.receive(Opcode::send_last, 102, 10); });
    bench.at(3us, [&] { bench.receive(Opcode::send_only, 103, 100); });
    bench.run();
    CHECK(relaxed(bench.dma) == std::vector<bool>{true, true, false, false});
}

TEST_CASE("relaxed: the payload of a Write, but for its last packet") {
    ResponderBench bench;
    bench.at(0ns, [&] { bench.receive_write(Opcode::write_first, 100, 1024, 0, 2048); });
    bench.at(1us, [&] { bench.receive_write(Opcode::write_last, 101, 1024, 0, 2048); });
    bench.at(2us, [&] { bench.receive_write(Opcode::write_only, 102, 8, 0, 8); });
    bench.run();
    CHECK(relaxed(bench.dma) == std::vector<bool>{true, false, false});
}

TEST_CASE("relaxed: a packet in pieces gives its buffer back with the last of them, which waits for the others") {
    ResponderBench bench;
    bench.post({{0, 1500}, {2000, 2000}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_first, 100, 1024); });
    bench.at(1us, [&] { bench.receive(Opcode::send_middle, 101, 1024); });  // 476 and 548 bytes
    bench.at(2us, [&] { bench.receive(Opcode::send_last, 102, 8); });
    bench.run();
    REQUIRE(bench.dma.writes.size() == 4);
    CHECK(bench.dma.writes[1].train.length == 476);
    CHECK(relaxed(bench.dma) == std::vector<bool>{true, true, false, false});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("relaxed: what a Read brings, but for its last packet") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2056); });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.respond(Opcode::read_response_middle, 101, 1024);
        bench.respond(Opcode::read_response_last, 102, 8);
    });
    bench.run();
    CHECK(relaxed(bench.dma) == std::vector<bool>{true, true, false});
}

}  // namespace ndsim::test::relaxed_test
