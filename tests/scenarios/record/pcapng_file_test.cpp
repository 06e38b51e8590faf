// SPDX-License-Identifier: Apache-2.0
#include "sim/files/pcapng_file.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <system_error>

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::pcapng_file_test {

std::string hex_of(const std::string& bytes) {
    std::string hex;
    for (const char byte : bytes) {
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return hex;
}

// Section header: type, 8 + 16 + 12 + 4 + 4 = 44 bytes, byte order, version 1.0, length unknown, option 4 (application)
// of 5 bytes, end of options, 44 bytes.
const std::string kSection =
    "0a0d0d0a"
    "2c000000"
    "4d3c2b1a01000000ffffffffffffffff"
    "040005006e6473696d000000"
    "00000000"
    "2c000000";
// Interface: type 1, 8 + 8 + 12 + 8 + 4 + 4 = 44 bytes, link type 1 (Ethernet), whole packets, option 2 (name) of 5
// bytes, option 9 (resolution) 10^-9.
const std::string kPort =
    "01000000"
    "2c000000"
    "0100000000000000"
    "02000500412e6e6963000000"
    "0900010009000000"
    "00000000"
    "2c000000";

constexpr std::array kTwoBytes{std::byte{0xAA}, std::byte{0xBB}};
constexpr std::uint64_t kHeaders = 2 * 44;
constexpr std::uint64_t kPacket = 68;  // of the packet below

// 2^32 + 7 ns and 999 ps.
const CapturedFrame kFrame{0, true, Picoseconds{4'294'967'303'999}, 42, "hi", kTwoBytes};

TEST_CASE("pcapng: every byte of a file with a port and a packet") {
    const CaptureFile file("bytes.pcapng");
    PcapngFile pcapng(file.path(), 1_MiB);
    pcapng.add_interface("A.nic");
    CHECK(pcapng.add(kFrame));
    pcapng.close();
    // Type 6, 8 + 20 + 4 + 8 + 8 + 12 + 4 + 4 = 68 bytes; interface, time in ns (upper half first), lengths captured
    // and original, frame with pad; options 1 (comment), 2 (flags: outbound), 5 (packet).
    CHECK(hex_of(file.bytes()) == kSection + kPort +
                                      "06000000"
                                      "44000000"
                                      "00000000"
                                      "0100000007000000"
                                      "0200000002000000"
                                      "aabb0000"
                                      "0100020068690000"
                                      "0200040002000000"
                                      "050008002a00000000000000"
                                      "00000000"
                                      "44000000");
}

TEST_CASE("pcapng: a packet that does not fit into the size limit is not there at all") {
    for (const std::uint64_t missing : {0U, 1U}) {
        const CaptureFile file("limit.pcapng");
        PcapngFile pcapng(file.path(), Bytes{kHeaders + 2 * kPacket - missing});
        pcapng.add_interface("A.nic");
        CHECK(pcapng.add(kFrame));
        CHECK(pcapng.add(kFrame) == (missing == 0));
        CHECK_FALSE(pcapng.add(kFrame));
        pcapng.close();
        CHECK(file.bytes().size() == kHeaders + (2 - missing) * kPacket);
        CHECK(read_packets(file.bytes()).size() == 2 - missing);
    }
}

TEST_CASE("pcapng: what a full disk cut in two is taken back to the last whole packet") {
    const CaptureFile file("full.pcapng");
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t most = 1'000'000;
    const rlimit limit{most, most};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    PcapngFile pcapng(file.path(), Bytes{1ULL << 30U});
    pcapng.add_interface("A.nic");
    bool fits = true;
    const auto fill = [&] {
        for (std::uint64_t i = 0; i * kPacket < 2 * most; ++i) {
            fits = pcapng.add(kFrame) && fits;
        }
    };
    CHECK_THROWS_AS(fill(), std::system_error);
    CHECK(fits);
    // (1,000,000 - 88) / 68 = 14,704.6
    CHECK(file.bytes().size() == kHeaders + 14'704 * kPacket);
    CHECK(read_packets(file.bytes()).size() == 14'704);
    pcapng.close();  // has nothing left to do
}

TEST_CASE("pcapng: a file that cannot be opened, and a disk that is full, are reported") {
    CHECK_THROWS_WITH(PcapngFile("/nowhere/packets.pcapng", 1_MiB), "No such file or directory");
    PcapngFile pcapng("/dev/full", 1_MiB);
    CHECK_THROWS_WITH(pcapng.close(), "No space left on device");
}

}  // namespace ndsim::test::pcapng_file_test
