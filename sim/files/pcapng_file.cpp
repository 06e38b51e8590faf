// SPDX-License-Identifier: Apache-2.0
#include "sim/files/pcapng_file.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include "sim/base/little_endian.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kPacketBuffer = std::size_t{1} << 18U;

// Numbers of the format (draft-ietf-opsawg-pcapng). All our files and blocks are little endian.
constexpr std::uint32_t kSectionHeader = 0x0A0D'0D0A;
constexpr std::uint32_t kByteOrder = 0x1A2B'3C4D;
constexpr std::uint64_t kUnknownLength = UINT64_MAX;
constexpr std::uint32_t kInterfaceDescription = 1;
constexpr std::uint32_t kEnhancedPacket = 6;
constexpr std::uint16_t kEthernet = 1;  // link type
constexpr std::uint16_t kEndOfOptions = 0;
constexpr std::uint16_t kComment = 1;
constexpr std::uint16_t kSectionApplication = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kTimeResolution = 9;
constexpr std::uint16_t kPacketFlags = 2;
constexpr std::uint16_t kPacketId = 5;
constexpr std::uint32_t kInbound = 1;
constexpr std::uint32_t kOutbound = 2;

// Times are whole nanoseconds: Wireshark's 64-bit picoseconds overflow.
constexpr std::byte kNanoseconds{9};
constexpr std::int64_t kTick = 1000;

template <std::unsigned_integral T>
void put(std::vector<std::byte>& buffer, T value) {
    buffer.resize(buffer.size() + sizeof value);
    store_le(buffer.data() + buffer.size() - sizeof value, value);
}

template <std::unsigned_integral T>
std::array<std::byte, sizeof(T)> bytes_of(T value) {
    std::array<std::byte, sizeof(T)> bytes{};
    store_le(bytes.data(), value);
    return bytes;
}

}  // namespace

PcapngFile::PcapngFile(const std::string& path, Bytes max_size) : max_size_(max_size.count), file_(path) {
    if (!file_.is_open()) {
        throw std::system_error(errno, std::generic_category());
    }
    begin_block(kSectionHeader);
    put(buffer_, kByteOrder);
    put(buffer_, std::uint16_t{1});  // version 1.0
    put(buffer_, std::uint16_t{0});
    put(buffer_, kUnknownLength);
    text_option(kSectionApplication, "ndsim");
    end_options();
    end_block();
}

void PcapngFile::add_interface(std::string_view name) {
    begin_block(kInterfaceDescription);
    put(buffer_, kEthernet);
    put(buffer_, std::uint16_t{0});
    put(buffer_, std::uint32_t{0});  // whole packets
    text_option(kInterfaceName, name);
    option(kTimeResolution, {&kNanoseconds, 1});
    end_options();
    end_block();
}

bool PcapngFile::add(const CapturedFrame& frame) {
    const auto ticks = static_cast<std::uint64_t>(frame.at.count() / kTick);
    const auto length = static_cast<std::uint32_t>(frame.bytes.size());
    begin_block(kEnhancedPacket);
    put(buffer_, frame.interface);
    put(buffer_, static_cast<std::uint32_t>(ticks >> 32U));
    put(buffer_, static_cast<std::uint32_t>(ticks));
    put(buffer_, length);
    put(buffer_, length);
    buffer_.insert(buffer_.end(), frame.bytes.begin(), frame.bytes.end());
    pad();
    text_option(kComment, frame.comment);
    option(kPacketFlags, bytes_of(frame.outbound ? kOutbound : kInbound));
    option(kPacketId, bytes_of(frame.packet));
    end_options();
    end_block();
    if (on_disk_ + buffer_.size() > max_size_) {
        buffer_.resize(block_);
        return false;
    }
    if (buffer_.size() >= kPacketBuffer) {
        drain();
    }
    return true;
}

void PcapngFile::close() {
    if (!file_.is_open()) {
        return;
    }
    drain();
    if (!file_.close()) {
        throw std::system_error(errno, std::generic_category());
    }
}

void PcapngFile::begin_block(std::uint32_t type) {
    block_ = buffer_.size();
    put(buffer_, type);
    put(buffer_, std::uint32_t{0});  // its length, filled in by end_block()
}

void PcapngFile::end_block() {
    const auto length = static_cast<std::uint32_t>(buffer_.size() + 4 - block_);
    store_le(buffer_.data() + block_ + 4, length);
    put(buffer_, length);
}

void PcapngFile::option(std::uint16_t code, std::span<const std::byte> value) {
    put(buffer_, code);
    put(buffer_, static_cast<std::uint16_t>(value.size()));
    buffer_.insert(buffer_.end(), value.begin(), value.end());
    pad();
}

void PcapngFile::text_option(std::uint16_t code, std::string_view text) {
    option(code, std::as_bytes(std::span{text.data(), text.size()}));
}

void PcapngFile::end_options() {
    put(buffer_, kEndOfOptions);
    put(buffer_, std::uint16_t{0});
}

// Everything in a block begins at a multiple of 4, and so does each block.
void PcapngFile::pad() {
    buffer_.resize((buffer_.size() + 3) / 4 * 4);
}

void PcapngFile::drain() {
    if (const Written written = file_.write(buffer_.data(), buffer_.size()); written.error != 0) {
        fail(written.error, written.bytes);
    }
    on_disk_ += buffer_.size();
    buffer_.clear();
}

void PcapngFile::fail(int error, std::size_t written) {
    // Half a block would make the file unreadable: cut it back to the last whole one.
    std::size_t kept = 0;
    while (kept + 8 <= written) {
        const std::size_t next = kept + load_le<std::uint32_t>(buffer_.data() + kept + 4);
        if (next > written) {
            break;
        }
        kept = next;
    }
    file_.cut_back(on_disk_ + kept);
    throw std::system_error(error, std::generic_category());
}

}  // namespace ndsim
