// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_blocks.hpp"

#include <algorithm>
#include <array>

namespace ndsim {

namespace {

CHAR* chars(const std::byte* data) {
    return reinterpret_cast<CHAR*>(const_cast<std::byte*>(data));  // NOLINT: the provider takes no other pointer
}

}  // namespace

int WsdBlocks::send(std::span<const std::byte> data) {
    int code = 0;
    while (code == 0 && !data.empty()) {
        const auto part = data.first(std::min<std::size_t>(data.size(), most_));
        code = channel_.peer_can_read() ? offer_for_reading(part) : write(part);
        data = data.subspan(part.size());
    }
    context_.step("complete");
    return code;
}

// Opens memory to the peer, and puts the descriptor that the peer needs into the message. The first call asks for its
// length.
int WsdBlocks::open_to_peer(const std::byte* data, DWORD length, DWORD rights, WsdMessage& message) {
    int code = 0;
    DWORD needed = 0;
    (void)context_.provider.WSPRegisterRdmaMemory(socket(), chars(data), length, rights, nullptr, &needed, &code);
    if (code != WSAEFAULT || needed > WsdMessage::kMostDescriptor) {
        return why_not_registered(code);
    }
    message.length = length;
    message.descriptor_length = needed;
    context_.step("register");
    const int returned = context_.provider.WSPRegisterRdmaMemory(socket(), chars(data), length, rights,
                                                                 message.descriptor.data(), &needed, &code);
    return returned == 0 ? 0 : why_not_registered(code);
}

// The provider refuses memory of a connection that is over; that is no lack of resources (W67, W110).
int WsdBlocks::why_not_registered(int code) {
    const int failure = code == WSAENOTCONN ? channel_.await_failure() : channel_.failure();
    return failure != 0 ? failure : WSAENOBUFS;
}

void WsdBlocks::shut(const WsdMessage& message) {
    int code = 0;
    std::array<std::byte, WsdMessage::kMostDescriptor> descriptor = message.descriptor;
    context_.step("deregister");
    (void)context_.provider.WSPDeregisterRdmaMemory(socket(), descriptor.data(), message.descriptor_length, &code);
}

// --- the sender

int WsdBlocks::offer_for_reading(std::span<const std::byte> data) {
    WsdMessage announcement;
    announcement.kind = WsdKind::announce;
    if (const int code = open_to_peer(data.data(), static_cast<DWORD>(data.size()), MEM_READ, announcement);
        code != 0) {
        return code;
    }
    WsdReceived answer;
    int code = channel_.send(announcement);
    if (code == 0) {
        code = channel_.next_of({WsdKind::done, WsdKind::refused}, answer);
    }
    shut(announcement);
    return code == 0 && answer.header.kind == WsdKind::refused ? WSAENOBUFS : code;
}

int WsdBlocks::write(std::span<const std::byte> data) {
    int code = 0;
    const HANDLE handle = context_.provider.WSPRegisterMemory(socket(), chars(data.data()),
                                                              static_cast<DWORD>(data.size()), MEM_READ, &code);
    if (handle == nullptr) {
        return why_not_registered(code);
    }
    code = channel_.say(WsdKind::announce, data.size());
    if (code == 0) {
        code = write_parts(data, handle);
    }
    int ignored = 0;
    (void)context_.provider.WSPDeregisterMemory(socket(), handle, &ignored);
    return code;
}

// The receiver opens its memory part by part.
int WsdBlocks::write_parts(std::span<const std::byte> data, HANDLE handle) {
    while (!data.empty()) {
        WsdReceived answer;
        if (const int code = channel_.next_of({WsdKind::target, WsdKind::refused}, answer); code != 0) {
            return code;
        }
        if (answer.header.kind == WsdKind::refused) {
            return WSAENOBUFS;
        }
        const auto part = data.first(std::min<std::size_t>(data.size(), answer.header.length));
        if (const int code = write_part(part, handle, answer.header); code != 0) {
            return code;
        }
        data = data.subspan(part.size());
    }
    return 0;
}

int WsdBlocks::write_part(std::span<const std::byte> part, HANDLE handle, const WsdMessage& target) {
    WSABUFEX buffer{static_cast<ULONG>(part.size()), chars(part.data()), handle};
    std::array<std::byte, WsdMessage::kMostDescriptor> descriptor = target.descriptor;
    OVERLAPPED overlapped = context_.overlapped();
    DWORD bytes = 0;
    int code = 0;
    context_.step("write");
    (void)context_.provider.WSPRdmaWrite(socket(), &buffer, 1, descriptor.data(), target.descriptor_length, 0, &bytes,
                                         0, &overlapped, nullptr, nullptr, &code);
    if (code != WSA_IO_PENDING) {
        return code;
    }
    code = channel_.await(overlapped);
    context_.step("written");
    return code != 0 ? code : channel_.say(WsdKind::done, part.size());
}

// --- the receiver

void WsdBlocks::announced(const WsdMessage& announcement) {
    const auto descriptor = std::span(announcement.descriptor).first(announcement.descriptor_length);
    block_ = Block{announcement.length, 0, {descriptor.begin(), descriptor.end()}};
}

std::optional<WsdBlocks::Part> WsdBlocks::take(std::byte* buffer, std::size_t room) {
    const std::uint64_t count = std::min<std::uint64_t>({room, block_->length - block_->taken, most_});
    const auto length = static_cast<DWORD>(count);
    const int code = block_->descriptor.empty() ? have_written(buffer, length) : read_part(buffer, length);
    if (code == WSAENOBUFS) {  // the sender is told; data behind the block may still come (W110)
        block_.reset();
        const int said = channel_.say(WsdKind::refused);
        return said != 0 ? std::optional(Part{said, 0}) : std::nullopt;
    }
    if (code != 0) {
        return Part{code, 0};
    }
    block_->taken += length;
    if (block_->taken == block_->length) {
        block_.reset();
    }
    return Part{0, length};
}

int WsdBlocks::read_part(std::byte* buffer, DWORD length) {
    int code = 0;
    context_.step("register");
    const HANDLE handle = context_.provider.WSPRegisterMemory(socket(), buffer, length, MEM_WRITE, &code);
    if (handle == nullptr) {
        return why_not_registered(code);
    }
    WSABUFEX target{length, chars(buffer), handle};
    OVERLAPPED overlapped = context_.overlapped();
    DWORD bytes = 0;
    context_.step("read");
    (void)context_.provider.WSPRdmaRead(
        socket(), &target, 1, block_->descriptor.data(), static_cast<DWORD>(block_->descriptor.size()),
        static_cast<DWORD>(block_->taken), &bytes, 0, &overlapped, nullptr, nullptr, &code);
    if (code == WSA_IO_PENDING) {
        code = channel_.await(overlapped);
    }
    if (code == 0 && block_->taken + length == block_->length) {
        code = channel_.say(WsdKind::done, block_->length);
    }
    int ignored = 0;
    (void)context_.provider.WSPDeregisterMemory(socket(), handle, &ignored);
    return code;
}

int WsdBlocks::have_written(std::byte* buffer, DWORD length) {
    WsdMessage target;
    target.kind = WsdKind::target;
    if (const int code = open_to_peer(buffer, length, MEM_WRITE, target); code != 0) {
        return code;
    }
    WsdReceived answer;
    int code = channel_.send(target);
    if (code == 0) {
        code = channel_.next_of({WsdKind::done}, answer);
    }
    shut(target);
    return code;
}

}  // namespace ndsim
