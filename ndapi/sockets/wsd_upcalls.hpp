// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <systemc>

#include "ndapi/core/driver.hpp"
#include "ndapi/wsd/ws2san.h"

namespace ndsim {

// WsdUpcalls: the functions that a switch gives its provider: handles for sockets, and the ends of operations. Upcalls
// are plain functions, so they find their switch by the host on whose core they run: a host has one at a time.
class WsdUpcalls {
public:
    explicit WsdUpcalls(core::Driver& driver);
    WsdUpcalls(const WsdUpcalls&) = delete;
    WsdUpcalls& operator=(const WsdUpcalls&) = delete;
    ~WsdUpcalls();

    [[nodiscard]] WSPUPCALLTABLEEX table() const;

    // The end of an operation, as the provider reports it.
    struct Completion {
        SOCKET handle = 0;
        OVERLAPPED* overlapped = nullptr;
        DWORD error = 0;
        DWORD bytes = 0;
    };
    // `told` is called when an operation has ended, after its structure says so.
    void on_complete(std::function<void(const Completion&)> told) { told_ = std::move(told); }
    // Refuses further handles.
    void refuse_handles(bool refuse) { refuses_ = refuse; }
    [[nodiscard]] bool is_open(SOCKET handle) const { return handles_.contains(handle); }
    [[nodiscard]] std::size_t open_handles() const { return handles_.size(); }
    // The provider's descriptor of a handle.
    [[nodiscard]] SOCKET descriptor_of(SOCKET handle) const { return handles_.at(handle); }

    // The number of calls by the provider.
    struct Calls {
        std::uint64_t created = 0;
        std::uint64_t closed = 0;
        std::uint64_t completed = 0;
        std::uint64_t refused = 0;  // completions without a socket
        std::uint64_t others = 0;
    };
    [[nodiscard]] const Calls& calls() const { return calls_; }

private:
    [[nodiscard]] static WsdUpcalls& current();
    static SOCKET create_socket_handle(DWORD catalog_entry, DWORD_PTR context, LPINT error);
    static int close_socket_handle(SOCKET handle, LPINT error);
    static int complete_overlapped_request(SOCKET handle, LPWSAOVERLAPPED overlapped, DWORD status, DWORD bytes,
                                           LPINT error);
    static int queue_apc(LPWSATHREADID thread, LPWSAUSERAPC routine, DWORD_PTR context, LPINT error);

    sc_core::sc_object& host_;
    sc_core::sc_attribute<WsdUpcalls*> place_;
    std::map<SOCKET, SOCKET> handles_;  // and the provider's descriptors
    SOCKET next_handle_ = 0x10000;
    std::function<void(const Completion&)> told_;
    bool refuses_ = false;
    Calls calls_;
};

}  // namespace ndsim
