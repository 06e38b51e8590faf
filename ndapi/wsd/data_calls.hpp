// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/descriptor.hpp"
#include "ndapi/wsd/transfers.hpp"

namespace ndsim::wsd {

// The arguments of a data call, whatever its kind of buffers.
template <class Entry>
struct DataCall {
    OperationKind kind{};
    const Entry* array = nullptr;
    DWORD count = 0;
    LPDWORD bytes = nullptr;
    DWORD flags = 0;
    LPWSAOVERLAPPED overlapped = nullptr;
    LPWSAOVERLAPPED_COMPLETION_ROUTINE routine = nullptr;
    RemoteRange remote{};
};

// The peer's memory, as an RDMA call names it.
struct Target {
    const VOID* descriptor = nullptr;
    DWORD length = 0;
    DWORD offset = 0;
};

// Begins the operation of a call. A code.
template <class Entry>
[[nodiscard]] int transfer(Setting& setting, Transfers& transfers, const DataCall<Entry>& call) {
    if (call.routine != nullptr) {
        setting.driver.consumer_error("a completion routine, which is never called");  // W12
    }
    if (const int code = transfers.may_start(call.flags, call.overlapped); code != 0) {
        return code;
    }
    Buffers buffers;
    if (!buffers.read(call.array, call.count)) {
        return WSAEFAULT;
    }
    Transfer transfer{call.kind, buffers, call.overlapped, call.remote, std::nullopt};
    const int code = transfers.start(transfer);
    if (code == 0 && call.bytes != nullptr) {
        *call.bytes = transfer.done_bytes.value_or(0);
    }
    return code;
}

[[nodiscard]] inline int rdma(Setting& setting, Transfers& transfers, DataCall<WSABUFEX> call, const Target& target) {
    if (call.kind == OperationKind::read && !setting.options.rdma_read) {
        return WSAEOPNOTSUPP;  // W81
    }
    const auto descriptor = descriptor_of(target.descriptor, target.length);
    if (!descriptor) {
        return WSAEINVAL;  // W83
    }
    // The peer's NIC refuses a range beyond the peer's memory (W82).
    call.remote = {Address{descriptor->address + target.offset}, MrKey{descriptor->key}};
    return transfer(setting, transfers, call);
}

}  // namespace ndsim::wsd
