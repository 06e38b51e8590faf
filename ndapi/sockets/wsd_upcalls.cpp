// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_upcalls.hpp"

#include <stdexcept>
#include <string>

namespace ndsim {

namespace {

const std::string kPlace = "wsd_upcalls";

}  // namespace

WsdUpcalls::WsdUpcalls(core::Driver& driver) : host_(*driver.memory().get_parent_object()), place_(kPlace, this) {
    if (!host_.add_attribute(place_)) {
        throw std::logic_error(std::string(host_.name()) + " has a switch already");
    }
}

WsdUpcalls::~WsdUpcalls() {
    host_.remove_attribute(kPlace);
}

// The host contains the running core.
WsdUpcalls& WsdUpcalls::current() {
    const sc_core::sc_object* at = sc_core::sc_get_current_process_handle().get_process_object();
    while (at != nullptr) {
        if (const auto* const place =
                dynamic_cast<const sc_core::sc_attribute<WsdUpcalls*>*>(at->get_attribute(kPlace))) {
            return *place->value;
        }
        at = at->get_parent_object();
    }
    throw std::logic_error("an upcall where there is no switch");
}

WSPUPCALLTABLEEX WsdUpcalls::table() const {
    WSPUPCALLTABLEEX table{};
    table.lpWPUCreateSocketHandle = create_socket_handle;
    table.lpWPUCloseSocketHandle = close_socket_handle;
    table.lpWPUQueueApc = queue_apc;
    table.lpWPUCompleteOverlappedRequest = complete_overlapped_request;
    return table;
}

SOCKET WsdUpcalls::create_socket_handle(DWORD, DWORD_PTR context, LPINT error) {
    WsdUpcalls& upcalls = current();
    if (upcalls.refuses_) {
        *error = WSAENOBUFS;
        return INVALID_SOCKET;
    }
    ++upcalls.calls_.created;
    upcalls.handles_[upcalls.next_handle_] = context;
    return std::exchange(upcalls.next_handle_, upcalls.next_handle_ + 4);
}

int WsdUpcalls::close_socket_handle(SOCKET handle, LPINT error) {
    WsdUpcalls& upcalls = current();
    if (upcalls.handles_.erase(handle) == 0) {
        *error = WSAENOTSOCK;
        return SOCKET_ERROR;
    }
    ++upcalls.calls_.closed;
    return 0;
}

// The number of bytes is written before the field that threads poll (W48).
int WsdUpcalls::complete_overlapped_request(SOCKET handle, LPWSAOVERLAPPED overlapped, DWORD status, DWORD bytes,
                                            LPINT error) {
    WsdUpcalls& upcalls = current();
    if (!upcalls.is_open(handle)) {
        ++upcalls.calls_.refused;
        *error = WSAEINVAL;
        return SOCKET_ERROR;
    }
    ++upcalls.calls_.completed;
    overlapped->InternalHigh = bytes;
    overlapped->Internal = 0;
    if (upcalls.told_) {
        upcalls.told_({handle, overlapped, status, bytes});
    }
    return 0;
}

int WsdUpcalls::queue_apc(LPWSATHREADID, LPWSAUSERAPC, DWORD_PTR, LPINT error) {
    ++current().calls_.others;
    *error = WSAEINVAL;
    return SOCKET_ERROR;
}

}  // namespace ndsim
