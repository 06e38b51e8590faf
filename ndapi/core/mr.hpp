// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "models/ports/protection.hpp"
#include "ndapi/core/driver.hpp"
#include "ndapi/core/object.hpp"

namespace ndsim::core {

class Mw;

// Pd: a protection domain, a number that queue pairs and regions must share.
class Pd final : public Object {
public:
    explicit Pd(Driver& driver) : driver_(driver), number_(driver.registry().new_pd()) {}
    [[nodiscard]] Driver& driver() { return driver_; }
    [[nodiscard]] PdNum number() const { return number_; }

private:
    Driver& driver_;
    PdNum number_;
};

// Mr: a region of the program's memory that the NIC may use. The buffer itself is the simulated memory.
class Mr final : public Object {
public:
    explicit Mr(Pd& pd);

    // Call while the region is free. `access` is of Access. `done` is called with the outcome.
    void register_memory(std::byte* data, std::uint64_t length, std::uint8_t access,
                         std::function<void(NTSTATUS)> done);
    void deregister(std::function<void(NTSTATUS)> done);

    [[nodiscard]] const Pd& pd() const { return pd_; }
    [[nodiscard]] bool registered() const { return state_ == State::registered; }
    // Not registered, and no registration is starting or ending.
    [[nodiscard]] bool is_free() const { return state_ == State::free; }
    // Changes with each registration.
    [[nodiscard]] MrKey key() const { return key_; }
    [[nodiscard]] std::uint8_t access() const { return access_; }
    // Whether the registration covers all these bytes, at least one.
    [[nodiscard]] bool covers(const std::byte* data, std::uint64_t length) const;
    // Whether windows are bound to it, or will be by Binds that have been posted.
    [[nodiscard]] bool has_windows();
    void window_opened(Mw& window);
    void window_closed(Mw& window);
    // The peers' address of a byte in this region: the program's own address, or the simulated one.
    [[nodiscard]] Address remote_address_of(const std::byte* data) const {
        return remote_base_ + static_cast<std::uint64_t>(data - data_);
    }
    // The simulated address of a byte; a byte outside the region is outside of it there, too.
    [[nodiscard]] Address address_of(const std::byte* data) const {
        return base_ + static_cast<std::uint64_t>(data - data_);
    }

private:
    enum class State : std::uint8_t { free, registering, registered, deregistering };

    void begin_close() override { (void)has_windows(); }
    void begin_destroy() override;
    [[nodiscard]] std::vector<Object*> antecedents() override { return {&pd_}; }

    Pd& pd_;
    MrKey key_;
    State state_ = State::free;
    std::uint8_t access_ = kLocalRead;
    std::vector<Mw*> windows_;  // one for each key of theirs that is not known to be over
    std::byte* data_ = nullptr;
    std::uint64_t length_ = 0;
    Address base_{};
    Address remote_base_{};
};

}  // namespace ndsim::core
