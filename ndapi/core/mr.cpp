// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/mr.hpp"

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
    hold();
    driver.command(MemoryRegion{key_, pd_.number(), base_, length, access, remote_base_},
                   [this, done = std::move(done)] {
                       state_ = State::registered;
                       pd_.driver().callbacks().defer(pd_.driver().now(), [this, done] {
                           done(STATUS_SUCCESS);
                           release();
                       });
                   });
}

void Mr::deregister(std::function<void(NTSTATUS)> done) {
    Driver& driver = pd_.driver();
    state_ = State::deregistering;
    hold();
    driver.command(DestroyKey{key_}, [this, done = std::move(done)] {
        Driver& same = pd_.driver();
        state_ = State::free;
        same.registry().remove(key_);
        same.memory().remove(base_);
        same.callbacks().defer(same.now(), [this, done] {
            done(STATUS_SUCCESS);
            release();
        });
    });
}

bool Mr::covers(const std::byte* data, std::uint64_t length) const {
    const std::uint64_t offset = raw(address_of(data)) - raw(base_);  // wraps if `data` is before the region
    return registered() && length > 0 && length <= length_ && offset <= length_ - length;
}

void Mr::window_opened() {
    ++windows_;
    hold();
}

void Mr::window_closed() {
    --windows_;
    release();
}

void Mr::begin_destroy() {
    if (registered()) {
        deregister([](NTSTATUS) {});
    }
}

}  // namespace ndsim::core
