// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "ndapi/core/driver.hpp"
#include "ndapi/core/object.hpp"

namespace ndsim::core {

// Closes an object that no caller can name any more; it goes when it has no work under way.
template <class Kind>
void close_and_forget(Driver& driver, std::unique_ptr<Kind> object) {
    Kind& kept = driver.keep(std::move(object));
    kept.close([&driver, &kept](const std::function<void()>& let_go) {
        driver.callbacks().defer(driver.now(), [&driver, &kept, let_go] {
            kept.when_unused([&driver, &kept] { driver.drop(&kept); });
            let_go();
        });
    });
}

}  // namespace ndsim::core
