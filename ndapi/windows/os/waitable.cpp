// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/waitable.hpp"

#include "ndapi/windows/os/wait.hpp"

namespace ndsim::os {

void Waitable::wake(core::Driver& driver, Picoseconds ready) const {
    for (Wait* const wait : waits_) {
        if (wait->end()) {
            wait->wake(ready + driver.params().cpu.event_wakeup);
        }
    }
    driver.spinners().changed(driver.now(), ready);
}

}  // namespace ndsim::os
