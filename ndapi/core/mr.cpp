// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/mr.hpp"

#include <algorithm>

#include "ndapi/core/mw.hpp"
#include "ndapi/core/object_command.hpp"

namespace ndsim::core {

Mr::Mr(Pd& pd) : pd_(pd), key_(pd.driver().registry().new_key()) {
    pd_.hold();
}

void Mr::register_memory(std::byte* data, std::uint64_t length, std::uint8_t access,
                         std::function<void(NTSTATUS)> done) {
    Driver& driver = pd_.driver();
    state_ = State::registering;
    key_ = next_key(key_);
    data_ = data;
    length_ = length;
    access_ = access;
    base_ = driver.memory().attach(data, length);
    // A region's base address is the address of its memory [ndkpi.md 5.10], which differs from run to run.
    remote_base_ = driver.simulated_addresses() ? base_ : Address{reinterpret_cast<std::uintptr_t>(data)};
    driver.registry().add(*this);
    command_for(*this, driver, MemoryRegion{key_, pd_.number(), base_, length, access, remote_base_}, std::move(done),
                [this] { state_ = State::registered; });
}

void Mr::deregister(std::function<void(NTSTATUS)> done) {
    state_ = State::deregistering;
    command_for(*this, pd_.driver(), DestroyKey{key_}, std::move(done), [this] {
        state_ = State::free;
        pd_.driver().registry().remove(key_);
        pd_.driver().memory().remove(base_);
    });
}

bool Mr::covers(const std::byte* data, std::uint64_t length) const {
    const std::uint64_t offset = raw(address_of(data)) - raw(base_);  // wraps if `data` is before the region
    return registered() && length > 0 && length <= length_ && offset <= length_ - length;
}

// The NIC knows of ends that no completion has told: of silent Invalidates, and of what has not been polled.
bool Mr::has_windows() {
    for (Mw* const window : std::vector(windows_)) {
        window->forget_dead_keys();
    }
    return !windows_.empty();
}

void Mr::window_opened(Mw& window) {
    windows_.push_back(&window);
    hold();
}

void Mr::window_closed(Mw& window) {
    windows_.erase(std::ranges::find(windows_, &window));
    release();
}

void Mr::begin_destroy() {
    if (registered()) {
        deregister([](NTSTATUS) {});
    }
}

}  // namespace ndsim::core
