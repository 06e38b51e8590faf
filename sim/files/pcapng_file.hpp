// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/files/write_all.hpp"

namespace ndsim {

// A frame as an interface saw it.
struct CapturedFrame {
    std::uint32_t interface = 0;
    bool outbound = false;
    Picoseconds at{};
    std::uint64_t packet = 0;  // a packet has the same number at each interface
    std::string_view comment;
    std::span<const std::byte> bytes;  // without FCS
};

// PcapngFile: packets in Wireshark's format, in a file of at most `max_size` that holds whole packets only: a packet
// that no longer fits, or that a full disk cuts, is left out entirely. A failed write throws std::system_error.
class PcapngFile {
public:
    PcapngFile(const std::string& path, Bytes max_size);

    // An Ethernet port; interfaces count from 0.
    void add_interface(std::string_view name);
    // False if the frame does not fit.
    [[nodiscard]] bool add(const CapturedFrame& frame);
    // Writes everything to the disk. A file that is not closed lacks the rest.
    void close();

private:
    void begin_block(std::uint32_t type);
    void end_block();
    void option(std::uint16_t code, std::span<const std::byte> value);
    void text_option(std::uint16_t code, std::string_view text);
    void end_options();
    void pad();
    void drain();
    [[noreturn]] void fail(int error, std::size_t written);

    std::uint64_t max_size_;
    OutputFile file_;
    std::vector<std::byte> buffer_;
    std::size_t block_ = 0;  // start of the block in the buffer
    std::uint64_t on_disk_ = 0;
};

}  // namespace ndsim
