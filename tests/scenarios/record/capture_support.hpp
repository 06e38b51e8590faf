// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/little_endian.hpp"

// What the tests of captured packets share: a file to look into, and what stands in it.
namespace ndsim::test {

// A file in the folder for temporary files, which goes with it.
class CaptureFile {
public:
    explicit CaptureFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-" + name)) {}
    CaptureFile(const CaptureFile&) = delete;
    CaptureFile& operator=(const CaptureFile&) = delete;
    ~CaptureFile() { std::filesystem::remove(path_); }

    [[nodiscard]] std::string path() const { return path_.string(); }
    [[nodiscard]] std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    std::filesystem::path path_;
};

// A packet of a file.
struct ReadPacket {
    std::uint32_t interface = 0;
    std::uint64_t nanoseconds = 0;
    std::uint32_t flags = 0;  // 1 inbound, 2 outbound
    std::uint64_t id = 0;
    std::string comment;
    std::string frame;
};

template <std::unsigned_integral T>
T number_at(const std::string& bytes, std::size_t at) {
    return load_le<T>(reinterpret_cast<const std::byte*>(bytes.data()) + at);
}

// The options of a packet, which begin at `at`.
inline void read_options(const std::string& bytes, std::size_t at, ReadPacket& packet) {
    while (const auto code = number_at<std::uint16_t>(bytes, at)) {
        const auto length = number_at<std::uint16_t>(bytes, at + 2);
        if (code == 1) {
            packet.comment = bytes.substr(at + 4, length);
        } else if (code == 2) {
            packet.flags = number_at<std::uint32_t>(bytes, at + 4);
        } else if (code == 5) {
            packet.id = number_at<std::uint64_t>(bytes, at + 4);
        }
        at += 4 + (std::size_t{length} + 3) / 4 * 4;
    }
}

// The packets of a file whose blocks are whole.
inline std::vector<ReadPacket> read_packets(const std::string& bytes) {
    std::vector<ReadPacket> packets;
    for (std::size_t at = 0; at < bytes.size(); at += number_at<std::uint32_t>(bytes, at + 4)) {
        if (number_at<std::uint32_t>(bytes, at) != 6) {
            continue;
        }
        ReadPacket packet;
        packet.interface = number_at<std::uint32_t>(bytes, at + 8);
        packet.nanoseconds =
            (std::uint64_t{number_at<std::uint32_t>(bytes, at + 12)} << 32U) | number_at<std::uint32_t>(bytes, at + 16);
        const auto length = number_at<std::uint32_t>(bytes, at + 20);
        packet.frame = bytes.substr(at + 28, length);
        read_options(bytes, at + 28 + (std::size_t{length} + 3) / 4 * 4, packet);
        packets.push_back(std::move(packet));
    }
    return packets;
}

}  // namespace ndsim::test
