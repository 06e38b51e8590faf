// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_stream.hpp"

#include <algorithm>

namespace ndsim {

WsdStream::WsdStream(const WsdContext& context, SOCKET socket)
    : context_(context), channel_(context, socket), blocks_(context, channel_) {}

int WsdStream::start(bool active) {
    threshold_ = context_.settings.threshold.value_or(option(SO_RDMA_THRESHOLD_SIZE));
    blocks_.limit(option(SO_MAX_RDMA_SIZE));
    channel_.can_read(provider_reads());
    if (!active && context_.settings.posts_late_ms > 0) {
        context_.os.sleep(context_.settings.posts_late_ms);
    }
    const int code = channel_.open();
    return code != 0 ? code : channel_.start(active);
}

DWORD WsdStream::option(int name) const {
    DWORD value = 0;
    int length = sizeof value;
    int code = 0;
    (void)context_.provider.WSPGetSockOpt(channel_.socket(), SOL_SOCKET, name, reinterpret_cast<CHAR*>(&value), &length,
                                          &code);
    return value;
}

bool WsdStream::provider_reads() const {
    GUID id = WSAID_RDMAREAD;
    VOID* function = nullptr;
    DWORD bytes = 0;
    int code = 0;
    return context_.provider.WSPIoctl(channel_.socket(), SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof id, &function,
                                      sizeof function, &bytes, nullptr, nullptr, nullptr, &code) == 0;
}

int WsdStream::send(const std::byte* data, std::size_t length, int flags) {
    const std::span bytes(data, length);
    if ((flags & MSG_OOB) != 0) {
        return send_messages(WsdKind::urgent, bytes);  // the provider's flags stay 0 (W107)
    }
    return length <= threshold_ ? send_messages(WsdKind::data, bytes) : blocks_.send(bytes);
}

int WsdStream::send_messages(WsdKind kind, std::span<const std::byte> data) {
    WsdMessage message;
    message.kind = kind;
    int code = 0;
    while (code == 0 && !data.empty()) {
        const auto part = data.first(std::min(data.size(), WsdMessage::kPayload));
        code = channel_.send(message, part);
        data = data.subspan(part.size());
    }
    return code;
}

WsdStream::Received WsdStream::receive(std::byte* buffer, std::size_t room) {
    while (stream_.empty() && !blocks_.is_there() && !ended_) {
        WsdReceived received;
        if (const int code = channel_.next(received); code != 0) {
            return {code, 0};
        }
        take(received);
    }
    if (!stream_.empty()) {
        const std::size_t count = std::min(room, stream_.size());
        std::copy_n(stream_.begin(), count, buffer);
        stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(count));
        return {0, count};
    }
    if (!blocks_.is_there() || room == 0) {
        return {};
    }
    const auto part = blocks_.take(buffer, room);
    return part ? *part : receive(buffer, room);  // data behind a refused block may still come
}

void WsdStream::take(WsdReceived& received) {
    const WsdMessage& header = received.header;
    switch (header.kind) {
        case WsdKind::data:
            stream_ = std::move(received.payload);
            break;
        case WsdKind::urgent:
            urgent_.insert(urgent_.end(), received.payload.begin(), received.payload.end());
            break;
        case WsdKind::announce:
            blocks_.announced(header);
            break;
        case WsdKind::end:
            ended_ = true;
            break;
        default:
            break;  // answers to a call that no longer waits
    }
}

int WsdStream::close() {
    const int code = channel_.end();
    int closed = 0;
    (void)context_.provider.WSPCloseSocket(channel_.socket(), &closed);
    channel_.wait_for_release();
    return code;
}

}  // namespace ndsim
