// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_channel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ndsim {

namespace {

constexpr std::string_view kMessage = "a message of its peer";

}  // namespace

WsdChannel::WsdChannel(const WsdContext& context, SOCKET socket)
    : context_(context),
      socket_(socket),
      sends_(context, socket),
      receive_buffers_(context.settings.buffers * kWsdBuffer),
      receives_(context.settings.buffers) {}

int WsdChannel::open() {
    int code = sends_.open();
    if (code != 0) {
        return code;
    }
    const auto length = static_cast<DWORD>(receive_buffers_.size());
    if (context_.provider.WSPRegisterMemory(socket_, receive_buffers_.data(), length, MEM_WRITE, &code) == nullptr) {
        return code;
    }
    for (std::size_t i = 0; i < receives_.size() && code == 0; ++i) {
        code = post_receive(i);
    }
    return code;
}

int WsdChannel::post_receive(std::size_t index) {
    WSABUF buffer{kWsdBuffer, reinterpret_cast<CHAR*>(buffer_of(index))};
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

void WsdChannel::fail(int code) {
    if (error_ == 0) {
        error_ = code;
    }
}

// Whether anything has happened.
bool WsdChannel::look() {
    const bool received = take_received();
    const bool sent = sends_.look();
    fail(sends_.failure());
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
        if (const int code = context_.outcome(socket_, receives_[index].overlapped, bytes); code != 0) {
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
    const std::byte* const from = buffer_of(index);
    WsdReceived received;
    std::memcpy(&received.header, from, sizeof received.header);
    const std::byte* const payload = from + sizeof received.header;
    received.payload.assign(payload, payload + received.header.payload);
    credits_ += received.header.credits;
    taken_ += received.header.kind == WsdKind::session ? 0 : received.header.credits;
    peer_ended_ = peer_ended_ || received.header.kind == WsdKind::end;
    if (received.header.kind != WsdKind::credit) {
        inbox_.push_back(std::move(received));
    }
}

// Until something has happened. A polling switch asks for one operation, which makes the provider look for all of them.
void WsdChannel::wait(OVERLAPPED& overlapped, std::string_view what) {
    if (!context_.settings.polls) {
        (void)context_.os.wait(&context_.done, 1, false, INFINITE);
        (void)look();
        return;
    }
    DWORD bytes = 0;
    (void)context_.outcome(socket_, overlapped, bytes);
    if (!look() && is_pending(overlapped)) {
        context_.driver.spinners().look_until_changed(context_.driver.core(), what);
    }
}

// Once half of the receives are used, if no other message returns the credits.
void WsdChannel::return_credits() {
    if (!started_ || error_ != 0 || owed_ < receives_.size() / 2 || credits_ == 0 || !sends_.has_room()) {
        return;
    }
    WsdMessage message;
    message.kind = WsdKind::credit;
    message.credits = std::exchange(owed_, 0);
    --credits_;
    count_sent(message.kind);
    if (const int code = sends_.post(message, {}); code != 0) {
        fail(code);
    }
}

int WsdChannel::send(const WsdMessage& message, std::span<const std::byte> payload) {
    const auto may_send = [this] { return sends_.has_room() && (context_.settings.ignores_credits || credits_ > 1); };
    (void)look();
    while (error_ == 0 && !may_send()) {
        wait("its peer to take messages");
    }
    if (error_ != 0) {
        return error_;
    }
    WsdMessage sent = message;
    sent.credits = std::exchange(owed_, 0);
    credits_ -= credits_ > 0 ? 1 : 0;
    const int code = sends_.post(sent, payload);
    if (code == 0) {
        count_sent(message.kind);
    }
    fail(code);
    return code;
}

int WsdChannel::start(bool active) {
    WsdMessage session;
    session.kind = WsdKind::session;
    session.credits = static_cast<std::uint32_t>(receives_.size());
    session.can_read = can_read_ ? 1 : 0;
    WsdReceived theirs;
    int code = active ? sends_.post(session, {}) : 0;
    if (code == 0) {
        code = next_of({WsdKind::session}, theirs);
    }
    peer_can_read_ = theirs.header.can_read != 0;
    if (code == 0 && !active) {
        owed_ = 0;  // its receive is posted again, and counted in this message
        --credits_;
        count_sent(session.kind);
        code = sends_.post(session, {});
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
        wait(kMessage);
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
        wait(kMessage);
    }
}

int WsdChannel::await(OVERLAPPED& overlapped) {
    while (is_pending(overlapped)) {
        wait(overlapped, "an RDMA transfer of its socket");
    }
    DWORD bytes = 0;
    return context_.outcome(socket_, overlapped, bytes);
}

int WsdChannel::failure() {
    (void)look();
    return error_;
}

int WsdChannel::await_failure() {
    while (failure() == 0 && !receives_over_) {
        wait(kMessage);
    }
    return error_;
}

void WsdChannel::count_sent(WsdKind kind) {
    ++sent_;
    if (kind != WsdKind::session && kind != WsdKind::credit && kind != WsdKind::end) {
        content_ = sent_;
    }
}

// The credit of a message that was done at once tells that it has arrived, and so does the success of a later message.
bool WsdChannel::is_lost() const {
    return sends_.content_is_lost() || (sends_.any_was_done_at_once() && taken_ < content_);
}

// A provider that is done with short messages at once is not done with the longest one before all have arrived:
// messages arrive in order.
int WsdChannel::end() {
    WsdMessage last;
    last.kind = WsdKind::end;
    const std::vector<std::byte> padding(sends_.any_was_done_at_once() ? WsdMessage::kPayload : 0);
    int code = send(last, padding);
    (void)look();
    while (OVERLAPPED* const pending = sends_.first_not_ended()) {
        wait(*pending, "its messages to be sent");
    }
    if (code == 0 && (sends_.end_is_lost() || sends_.content_is_lost())) {
        code = sends_.failure();
    }
    while (code == WSAECONNRESET && !receives_over_) {  // the peer's end may be among what has come
        wait(kMessage);
    }
    return code == WSAECONNRESET && peer_ended_ && !is_lost() ? 0 : code;
}

void WsdChannel::wait_for_release() {
    const auto in_use = [](const Receive& each) { return each.busy && is_pending(each.overlapped); };
    while (sends_.are_in_use() || std::ranges::any_of(receives_, in_use)) {
        context_.os.sleep(0);
    }
}

}  // namespace ndsim
