// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/object_command.hpp"

#include <utility>

namespace ndsim::core {

// Callbacks belong to the callback core, so nobody is told from within the command's answer.
void command_for(Object& object, Driver& driver, Command command, std::function<void(NTSTATUS)> told,
                 std::function<void()> answered) {
    object.hold();
    const auto tell = [&object, told = std::move(told)] {
        if (told) {
            told(STATUS_SUCCESS);
        }
        object.release();
    };
    driver.command(std::move(command), [&driver, tell, answered = std::move(answered)] {
        if (answered) {
            answered();
        }
        driver.callbacks().defer(driver.now(), tell);
    });
}

}  // namespace ndsim::core
