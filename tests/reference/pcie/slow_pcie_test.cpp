// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/pcie/slow_pcie.hpp"

#include "tests/reference/pcie/bursts.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

// What the slow model does, by hand: preset B, Gen3 x16, 135 ns one way, MPS 256, MRRS 512, RCB 64.
namespace ndsim::reference::pcie::slow_pcie_test {

using namespace std::chrono_literals;

// 8 bits / (128 Gb/s x 128/130 x 0.95) = 40625/608 ps a byte.
constexpr Picoseconds ser(std::int64_t bytes) {
    return Picoseconds{(bytes * 40625 + 607) / 608};
}

Transfer read_at(Picoseconds at, std::uint64_t address, std::uint32_t length) {
    return {Kind::read, at, address, length, {}, {}};
}
Transfer write_at(Picoseconds at, std::uint64_t address, std::uint32_t length) {
    return {Kind::write, at, address, length, {}, {}};
}

std::vector<std::uint64_t> lengths(const std::vector<Piece>& pieces) {
    std::vector<std::uint64_t> result;
    for (const Piece& piece : pieces) {
        result.push_back(piece.length);
    }
    return result;
}

TEST_CASE("slow pcie: pieces end at the limit and at 4 KiB") {
    CHECK(lengths(cut(0, 513, 256)) == std::vector<std::uint64_t>{256, 256, 1});
    // 3900 + 196 = 4096.
    CHECK(lengths(cut(3900, 512, 512)) == std::vector<std::uint64_t>{196, 316});
    CHECK(lengths(cut(4095, 300, 256)) == std::vector<std::uint64_t>{1, 256, 43});
}

TEST_CASE("slow pcie: completions end at MPS and, but for the last, on RCB") {
    CHECK(lengths(completions(0, 512, 256, 64)) == std::vector<std::uint64_t>{256, 256});
    // 32 + 256 = 288, back to 256; 512; 544.
    CHECK(lengths(completions(32, 512, 256, 64)) == std::vector<std::uint64_t>{224, 256, 32});
    // 100 + 128 = 228, back to 128 with an RCB of 128, to 192 with one of 64.
    CHECK(lengths(completions(100, 200, 128, 128)) == std::vector<std::uint64_t>{28, 128, 44});
    CHECK(lengths(completions(100, 200, 128, 64)) == std::vector<std::uint64_t>{92, 108});
}

TEST_CASE("slow pcie: a read takes request, two ways, the cache and its completions") {
    const auto times = run_slow({}, {read_at(1us, 0, 1024)});
    // Two requests; the first one's data are there after 24 B, 135 and 120 ns; four completions of 276 bytes. The
    // forward grain of 512 bytes is in two of them.
    const Picoseconds first = 1us + ser(24) + 135ns + 120ns;
    CHECK(times[0].first == first + ser(2 * 276) + 135ns);
    CHECK(times[0].last == first + ser(4 * 276) + 135ns);
}

TEST_CASE("slow pcie: a write is visible after its TLPs, one way and the root complex") {
    const auto times = run_slow({}, {write_at(1us, 0, 257)});
    CHECK(times[0].first == 1us + ser(257 + 48));
    CHECK(times[0].last == 1us + ser(257 + 48) + 135ns + 80ns);
}

TEST_CASE("slow pcie: a write whose bytes are still coming starts so that the link does not run dry") {
    Transfer write = write_at(1us, 0, 4096);
    write.grain_in = 10ns;
    write.all_in = 1us;
    // Its last TLP of 280 bytes starts when all is there.
    CHECK(run_slow({}, {write})[0].first == 1us + 1us + ser(280));
    write.all_in = 11ns;
    CHECK(run_slow({}, {write})[0].first == 1us + 10ns + ser(4480));
}

TEST_CASE("slow pcie: a request without a tag leaves with the last byte of the first completion") {
    Setup setup;
    setup.pcie.tags = 2;
    const auto times = run_slow(setup, {read_at(0ns, 0, 512), read_at(0ns, 512, 512), read_at(0ns, 1024, 512)});
    const Picoseconds first = ser(24) + 255ns + ser(552) + 135ns;
    CHECK(times[0].last == first);
    CHECK(times[2].last == first + ser(24) + 255ns + ser(552) + 135ns);
    setup.pcie.tags = 256;
    setup.dma.dma_reads_in_flight = 2;
    CHECK(run_slow(setup, {read_at(0ns, 0, 1536)})[0].last == times[2].last);
}

TEST_CASE("slow pcie: each request brings its own credit back") {
    Setup setup;
    setup.pcie.nonposted_headers = 34;
    std::vector<Transfer> reads(36, read_at(0ns, 0, 4));
    const auto times = run_slow(setup, reads);
    // The credits of the first two are back UpdateFC and one way after each is at the root port.
    const Picoseconds back = 135ns + 30ns + 135ns;
    CHECK(times[34].last == ser(24) + back + ser(24) + 255ns + ser(24) + 135ns);
    CHECK(times[35].last == ser(48) + back + ser(24) + 255ns + ser(24) + 135ns);
}

TEST_CASE("slow pcie: each TLP of a write brings its own credits back") {
    Setup setup;
    setup.pcie.posted_headers = 34;
    std::vector<Transfer> writes(36, write_at(0ns, 0, 1));
    const Picoseconds back = 135ns + 80ns + 30ns + 135ns;
    const auto by_headers = run_slow(setup, writes);
    CHECK(by_headers[34].first == ser(25) + back + ser(25));
    CHECK(by_headers[35].first == ser(50) + back + ser(25));
    // 272 units of 16 bytes are 15 TLPs of 17 units, with 17 left, and one more of 16: 1 is left.
    setup.pcie.posted_headers = 128;
    setup.pcie.posted_data = 272;
    setup.pcie.mps = 512_B;
    writes.assign(15, write_at(0ns, 0, 272));
    writes.push_back(write_at(0ns, 0, 256));
    writes.push_back(write_at(0ns, 0, 17));
    const auto by_data = run_slow(setup, writes);
    CHECK(by_data[15].first == ser(15 * 296 + 280));
    CHECK(by_data[16].first == ser(296) + back + ser(41));
}

TEST_CASE("slow pcie: a write in flight ends when it has left") {
    Setup setup;
    setup.dma.dma_writes_in_flight = 1;
    const auto times = run_slow(setup, {write_at(0ns, 0, 4096), write_at(0ns, 4096, 4096)});
    CHECK(times[1].first == ser(2 * 4480));
}

TEST_CASE("slow pcie: requests and writes take turns of a grain and the rest of its last TLP") {
    // The request comes in the first TLP of 280 bytes; the second one uses up the grain of 512.
    const auto times = run_slow({}, {write_at(0ns, 0, 4096), read_at(1ns, 8192, 4)});
    CHECK(times[1].last == ser(560) + ser(24) + 255ns + ser(24) + 135ns);
    CHECK(times[0].first == ser(4480 + 24));
    // Between two writes a request need not wait, and 22 requests are more than a grain: the 23rd waits for a write.
    std::vector<Transfer> transfers(4, write_at(0ns, 0, 64));
    transfers.insert(transfers.end(), 23, read_at(1ns, 8192, 4));
    const auto turns = run_slow({}, transfers);
    CHECK(turns[0].first == ser(88));
    CHECK(turns[4].last == ser(88 + 24) + 255ns + ser(24) + 135ns);
    CHECK(turns[1].first == ser(88 + 22 * 24 + 88));
    CHECK(turns[26].last == ser(88 + 22 * 24 + 88 + 24) + 255ns + ser(24) + 135ns);
}

TEST_CASE("slow pcie: a write passes requests without credits, a request no earlier write without credits") {
    Setup setup;
    setup.pcie.nonposted_headers = 34;
    std::vector<Transfer> transfers(35, read_at(0ns, 0, 4));
    transfers.push_back(write_at(100ns, 8192, 64));
    CHECK(run_slow(setup, transfers).back().first == 100ns + ser(88));
    setup.pcie.posted_headers = 34;
    transfers.assign(35, write_at(0ns, 8192, 1));
    transfers.push_back(read_at(100ns, 0, 4));
    const auto times = run_slow(setup, transfers);
    const Picoseconds left = ser(25) + 135ns + 80ns + 30ns + 135ns + ser(25);
    CHECK(times[34].first == left);
    CHECK(times[35].last == left + ser(24) + 255ns + ser(24) + 135ns);
}

}  // namespace ndsim::reference::pcie::slow_pcie_test
