// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "ndapi/windows/os/process.hpp"
#include "ndapi/windows/os/waits.hpp"
#include "ndapi/wsd/ws2san.h"

namespace ndsim::wsd {

// NetworkEvents: the events of a socket since the switch last asked, and the event object that it wants set for them.
class NetworkEvents {
public:
    explicit NetworkEvents(os::Process& process) : process_(process) {}

    // From now on these events set `event`; it is set at once if one of them has occurred.
    void select(WSAEVENT event, LONG mask) {
        event_ = event;
        mask_ = mask;
        signal();
    }
    void occurred(int bit, int error) {
        happened_.lNetworkEvents |= LONG{1} << bit;
        happened_.iErrorCode[bit] = error;
        core::Driver& driver = process_.driver();
        driver.spinners().changed(driver.now(), driver.core().clock());
        signal();
    }
    // A request has been accepted: the event is reset, and set again if there is another request (W94).
    void accepted(bool another) {
        happened_.lNetworkEvents &= ~FD_ACCEPT;
        (void)process_.reset_event(event_);
        if (another) {
            occurred(FD_ACCEPT_BIT, 0);
        }
    }
    // Returns the events so far, and forgets them; resets `event`, if there is one.
    void take(WSAEVENT event, WSANETWORKEVENTS& result) {
        if (happened_.lNetworkEvents == 0) {
            os::look_in_vain(process_.driver(), this);
        }
        result = std::exchange(happened_, {});
        if (event != nullptr) {
            (void)process_.reset_event(event);
        }
    }

private:
    void signal() {
        if ((happened_.lNetworkEvents & mask_) != 0) {
            (void)process_.set_event(event_);
        }
    }

    os::Process& process_;
    WSAEVENT event_ = nullptr;
    LONG mask_ = 0;
    WSANETWORKEVENTS happened_{};
};

}  // namespace ndsim::wsd
