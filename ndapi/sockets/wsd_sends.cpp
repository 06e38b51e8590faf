// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_sends.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace ndsim {

WsdSends::WsdSends(const WsdContext& context, SOCKET socket)
    : context_(context),
      socket_(socket),
      buffers_(context.settings.buffers * kWsdBuffer),
      slots_(context.settings.buffers) {}

int WsdSends::open() {
    int code = 0;
    const HANDLE handle = context_.provider.WSPRegisterMemory(socket_, buffers_.data(),
                                                              static_cast<DWORD>(buffers_.size()), MEM_READ, &code);
    return handle != nullptr ? 0 : code;
}

bool WsdSends::has_room() const {
    return std::ranges::find(slots_, false, &Slot::busy) != slots_.end();
}

int WsdSends::post(WsdMessage message, std::span<const std::byte> payload) {
    const auto slot = std::ranges::find(slots_, false, &Slot::busy);
    std::byte* const to = buffers_.data() + static_cast<std::size_t>(slot - slots_.begin()) * kWsdBuffer;
    message.payload = static_cast<std::uint32_t>(payload.size());
    if (message.kind != WsdKind::session && message.credits > 0) {
        context_.step("credits " + std::to_string(message.credits));
    }
    std::memcpy(to, &message, sizeof message);
    std::ranges::copy(payload, to + sizeof message);
    WSABUF buffer{static_cast<ULONG>(sizeof message + payload.size()), reinterpret_cast<CHAR*>(to)};
    slot->overlapped = context_.overlapped();
    slot->kind = message.kind;
    DWORD bytes = 0;
    int code = 0;
    const int returned =
        context_.provider.WSPSend(socket_, &buffer, 1, &bytes, 0, &slot->overlapped, nullptr, nullptr, &code);
    slot->busy = returned != 0 && code == WSA_IO_PENDING;
    if (returned != 0 && !slot->busy) {
        return code;
    }
    any_was_done_at_once_ = any_was_done_at_once_ || returned == 0;
    context_.step(kWsdKindNames[static_cast<std::size_t>(message.kind)]);
    return 0;
}

bool WsdSends::look() {
    bool any = false;
    for (Slot& slot : slots_) {
        if (slot.busy && !is_pending(slot.overlapped)) {
            DWORD bytes = 0;
            any = true;
            slot.busy = false;
            ended(slot.kind, context_.outcome(socket_, slot.overlapped, bytes));
        }
    }
    return any;
}

// Credits matter only as long as messages come.
void WsdSends::ended(WsdKind kind, int code) {
    if (code != 0) {
        failure_ = failure_ != 0 ? failure_ : code;
        end_is_lost_ = end_is_lost_ || kind == WsdKind::end;
        content_is_lost_ = content_is_lost_ || (kind != WsdKind::end && kind != WsdKind::credit);
    }
}

OVERLAPPED* WsdSends::first_not_ended() {
    const auto found = std::ranges::find(slots_, true, &Slot::busy);
    return found == slots_.end() ? nullptr : &found->overlapped;
}

bool WsdSends::are_in_use() const {
    return std::ranges::any_of(slots_, [](const Slot& slot) { return slot.busy && is_pending(slot.overlapped); });
}

}  // namespace ndsim
