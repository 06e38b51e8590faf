// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_channel.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace ndsim {

namespace {

bool is_pending(const OVERLAPPED& overlapped) {
    return overlapped.Internal == WSS_OPERATION_IN_PROGRESS;
}

}  // namespace

WsdChannel::WsdChannel(const WsdContext& context, SOCKET socket)
    : context_(context),
      socket_(socket),
      send_buffers_(context.settings.buffers * kBuffer),
      receive_buffers_(context.settings.buffers * kBuffer),
      sends_(context.settings.buffers),
      receives_(context.settings.buffers) {}

int WsdChannel::open() {
    const auto length = static_cast<DWORD>(send_buffers_.size());
    int code = 0;
    if (context_.provider.WSPRegisterMemory(socket_, send_buffers_.data(), length, MEM_READ, &code) == nullptr ||
        context_.provider.WSPRegisterMemory(socket_, receive_buffers_.data(), length, MEM_WRITE, &code) == nullptr) {
        return code;
    }
    for (std::size_t i = 0; i < receives_.size() && code == 0; ++i) {
        code = post_receive(i);
    }
    return code;
}

int WsdChannel::post_receive(std::size_t index) {
    WSABUF buffer{kBuffer, reinterpret_cast<CHAR*>(receive_buffers_.data() + index * kBuffer)};
    OVERLAPPED& overlapped = receives_[index].overlapped = context_.overlapped();
    DWORD bytes = 0;
    DWORD flags = 0;
    int code = 0;
    (void)context_.provider.WSPRecv(socket_, &buffer, 1, &bytes, &flags, &overlapped, nullptr, nullptr, &code);
    receives_[index].busy = code == WSA_IO_PENDING;
    if (receives_[index].busy) {
        context_.step("post receive");
    }
    return receives_[index].busy ? 0 : code;
}

int WsdChannel::post_send(Slot& slot, WsdMessage message, std::span<const std::byte> payload) {
    const auto index = static_cast<std::size_t>(&slot - sends_.data());
    std::byte* const to = send_buffers_.data() + index * kBuffer;
    message.payload = static_cast<std::uint32_t>(payload.size());
    if (started_ && message.credits > 0) {
        context_.step("credits " + std::to_string(message.credits));
    }
    std::memcpy(to, &message, sizeof message);
    std::ranges::copy(payload, to + sizeof message);
    WSABUF buffer{static_cast<ULONG>(sizeof message + payload.size()), reinterpret_cast<CHAR*>(to)};
    slot.overlapped = context_.overlapped();
    DWORD bytes = 0;
    int code = 0;
    const int returned =
        context_.provider.WSPSend(socket_, &buffer, 1, &bytes, 0, &slot.overlapped, nullptr, nullptr, &code);
    slot.busy = returned != 0 && code == WSA_IO_PENDING;
    if (returned != 0 && !slot.busy) {
        return code;
    }
    context_.step(kWsdKindNames[static_cast<std::size_t>(message.kind)]);
    return 0;
}

// The result of an operation that is no longer pending.
int WsdChannel::outcome(OVERLAPPED& overlapped, DWORD& bytes) {
    DWORD flags = 0;
    int code = 0;
    const BOOL good = context_.provider.WSPGetOverlappedResult(socket_, &overlapped, &bytes, FALSE, &flags, &code);
    return good != FALSE ? 0 : code;
}

void WsdChannel::fail(int code) {
    if (error_ == 0) {
        error_ = code;
    }
}

// Whether anything has happened.
bool WsdChannel::look() {
    const bool received = take_received();
    const bool sent = take_sent();
    return_credits();
    return received || sent;
}

// Receives complete in the order of their posts (W58).
bool WsdChannel::take_received() {
    bool any = false;
    while (receives_[next_receive_].busy && !is_pending(receives_[next_receive_].overlapped)) {
        any = true;
        const std::size_t index = next_receive_;
        DWORD bytes = 0;
        receives_[index].busy = false;
        if (const int code = outcome(receives_[index].overlapped, bytes); code != 0) {
            fail(code);
            break;
        }
        read_message(index);
        next_receive_ = (index + 1) % receives_.size();
        if (const int code = post_receive(index); code != 0) {
            fail(code);  // messages received before can still be read
        }
        ++owed_;  // only now (W106)
    }
    receives_over_ = receives_over_ || !receives_[next_receive_].busy;
    return any;
}

void WsdChannel::read_message(std::size_t index) {
    const std::byte* const from = receive_buffers_.data() + index * kBuffer;
    WsdReceived received;
    std::memcpy(&received.header, from, sizeof received.header);
    const std::byte* const payload = from + sizeof received.header;
    received.payload.assign(payload, payload + received.header.payload);
    credits_ += received.header.credits;
    if (received.header.kind != WsdKind::credit) {
        inbox_.push_back(std::move(received));
    }
}

bool WsdChannel::take_sent() {
    bool any = false;
    for (Slot& slot : sends_) {
        if (slot.busy && !is_pending(slot.overlapped)) {
            DWORD bytes = 0;
            any = true;
            slot.busy = false;
            if (const int code = outcome(slot.overlapped, bytes); code != 0) {
                fail(code);
            }
        }
    }
    return any;
}

// A polling switch asks for one operation, which makes the provider look for all of them.
void WsdChannel::wait(OVERLAPPED& overlapped) {
    DWORD bytes = 0;
    if (context_.settings.polls) {
        (void)outcome(overlapped, bytes);
    } else {
        (void)context_.os.wait(&context_.done, 1, false, INFINITE);
    }
}

// Once half of the receives are used, if no other message returns the credits.
void WsdChannel::return_credits() {
    Slot* const slot = free_slot();
    if (!started_ || error_ != 0 || owed_ < receives_.size() / 2 || credits_ == 0 || slot == nullptr) {
        return;
    }
    WsdMessage message;
    message.kind = WsdKind::credit;
    message.credits = std::exchange(owed_, 0);
    --credits_;
    if (const int code = post_send(*slot, message, {}); code != 0) {
        fail(code);
    }
}

WsdChannel::Slot* WsdChannel::free_slot() {
    const auto found = std::ranges::find(sends_, false, &Slot::busy);
    return found == sends_.end() ? nullptr : &*found;
}

int WsdChannel::send(const WsdMessage& message, std::span<const std::byte> payload) {
    const auto may_send = [this] {
        return free_slot() != nullptr && (context_.settings.ignores_credits || credits_ > 1);
    };
    (void)look();
    while (error_ == 0 && !may_send()) {
        wait();
        (void)look();
    }
    if (error_ != 0) {
        return error_;
    }
    WsdMessage sent = message;
    sent.credits = std::exchange(owed_, 0);
    credits_ -= credits_ > 0 ? 1 : 0;
    const int code = post_send(*free_slot(), sent, payload);
    if (code != 0) {
        fail(code);
    }
    return code;
}

int WsdChannel::start(bool active) {
    WsdMessage session;
    session.kind = WsdKind::session;
    session.credits = static_cast<std::uint32_t>(receives_.size());
    session.can_read = can_read_ ? 1 : 0;
    WsdReceived theirs;
    int code = active ? post_send(sends_.front(), session, {}) : 0;
    if (code == 0) {
        code = next_of({WsdKind::session}, theirs);
    }
    peer_can_read_ = theirs.header.can_read != 0;
    if (code == 0 && !active) {
        owed_ = 0;  // its receive is posted again, and counted in this message
        --credits_;
        code = post_send(*free_slot(), session, {});
    }
    started_ = code == 0;
    return code;
}

int WsdChannel::say(WsdKind kind, std::uint64_t length) {
    WsdMessage message;
    message.kind = kind;
    message.length = length;
    return send(message);
}

int WsdChannel::next(WsdReceived& received) {
    (void)look();
    while (inbox_.empty() && !receives_over_) {
        wait();
        (void)look();
    }
    if (inbox_.empty()) {
        return error_;
    }
    received = std::move(inbox_.front());
    inbox_.pop_front();
    return 0;
}

int WsdChannel::next_of(std::initializer_list<WsdKind> kinds, WsdReceived& received) {
    for (;;) {
        (void)look();
        const auto found = std::ranges::find_if(inbox_, [kinds](const WsdReceived& each) {
            return std::ranges::find(kinds, each.header.kind) != kinds.end();
        });
        if (found != inbox_.end()) {
            received = std::move(*found);
            inbox_.erase(found);
            return 0;
        }
        if (receives_over_) {
            return error_;
        }
        wait();
    }
}

int WsdChannel::await(OVERLAPPED& overlapped) {
    while (is_pending(overlapped)) {
        wait(overlapped);
        (void)look();
    }
    DWORD bytes = 0;
    return outcome(overlapped, bytes);
}

int WsdChannel::failure() {
    (void)look();
    return error_;
}

int WsdChannel::finish() {
    const auto is_sent = [this] { return std::ranges::find(sends_, true, &Slot::busy) == sends_.end(); };
    (void)look();
    while (error_ == 0 && !is_sent()) {
        wait();
        (void)look();
    }
    return error_;
}

void WsdChannel::wait_for_release() {
    const auto in_use = [](const Slot& slot) { return slot.busy && is_pending(slot.overlapped); };
    while (std::ranges::any_of(sends_, in_use) || std::ranges::any_of(receives_, in_use)) {
        context_.os.sleep(0);
    }
}

}  // namespace ndsim
