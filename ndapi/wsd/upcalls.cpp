// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/upcalls.hpp"

#include <fmt/format.h>

namespace ndsim::wsd {

Upcalls::Upcalls(os::Process& process, const Options& options)
    : process_(process),
      delay_(options.upcall_delay),
      jitter_(options.upcall_jitter),
      chance_(options.seed, "wsd.upcalls") {}

void Upcalls::use(const WSPUPCALLTABLEEX& table, DWORD catalog_entry) {
    table_ = table;
    catalog_entry_ = catalog_entry;
}

SOCKET Upcalls::create_handle(SOCKET descriptor, int& error) {
    return table_.lpWPUCreateSocketHandle(catalog_entry_, descriptor, &error);
}

void Upcalls::close_handle(SOCKET handle) {
    int error = 0;
    if (!process_.lifetime().has_ended()) {
        (void)table_.lpWPUCloseSocketHandle(handle, &error);
    }
}

void Upcalls::later(std::function<void()> call) {
    core::Driver& driver = process_.driver();
    Picoseconds wait = delay_;
    if (jitter_ > Picoseconds{}) {
        wait += Picoseconds{static_cast<std::int64_t>(chance_.between(0, static_cast<std::uint64_t>(jitter_.count())))};
    }
    if (wait == Picoseconds{}) {
        driver.callbacks().defer(driver.core().clock(), std::move(call));
        return;
    }
    (void)driver.callbacks().set_deadline(
        wait, [&driver, call = std::move(call)] { driver.callbacks().defer(driver.now(), call); });
}

void Upcalls::complete(SOCKET handle, OVERLAPPED& overlapped, int error, DWORD bytes) {
    int refusal = 0;
    if (!process_.lifetime().has_ended() &&
        table_.lpWPUCompleteOverlappedRequest(handle, &overlapped, static_cast<DWORD>(error), bytes, &refusal) != 0) {
        process_.driver().consumer_error(fmt::format("the switch refuses a completion with error {}", refusal));
    }
}

}  // namespace ndsim::wsd
