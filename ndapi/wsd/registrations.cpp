// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/registrations.hpp"

#include <algorithm>

#include "ndapi/core/blocking.hpp"
#include "ndapi/core/closing.hpp"

namespace ndsim::wsd {

int Registrations::make(const MemoryRange& range, std::uint8_t access, bool for_peer, Registration*& made) {
    if (!make_room()) {
        return WSAENOBUFS;
    }
    if (closed_) {
        return WSAENOTSOCK;
    }
    all_.push_back({setting_.new_handle(), std::make_unique<core::Mr>(pd_), range, access, for_peer,
                    Registration::State::beginning, 0});
    Registration& fresh = all_.back();
    core::wait_for(setting_.driver, "the NIC to register memory", [&](const auto& done) {
        fresh.mr->register_memory(range.data, range.length, access, done);
        return STATUS_PENDING;
    });
    if (closed_) {
        return WSAENOTSOCK;
    }
    fresh.state = Registration::State::live;
    made = &fresh;
    return 0;
}

// A registration that is only cached gives way.
bool Registrations::make_room() {
    if (all_.size() < setting_.options.registrations) {
        return true;
    }
    const auto cached = std::ranges::find(all_, Registration::State::cached, &Registration::state);
    if (cached == all_.end()) {
        return false;
    }
    drop(cached);
    return true;
}

// Returns when the NIC has let go of the memory.
void Registrations::drop(Place which) {
    core::Driver& driver = setting_.driver;
    core::Mr& mr = driver.keep(std::move(which->mr));
    all_.erase(which);
    core::wait_for(driver, "the NIC to deregister memory", [&](const auto& done) {
        mr.close([&driver, &mr, done](const std::function<void()>& let_go) {
            let_go();
            driver.callbacks().defer(driver.now(), [&driver, &mr, done] {
                driver.drop(&mr);
                done(STATUS_SUCCESS);
            });
        });
        return STATUS_PENDING;
    });
}

Registrations::Place Registrations::find(HANDLE handle, bool for_peer) {
    return std::ranges::find_if(all_, [=](const Registration& each) {
        return each.handle == handle && each.for_peer == for_peer && each.state == Registration::State::live;
    });
}

Registrations::Place Registrations::find_cached(const MemoryRange& range, std::uint8_t access) {
    return std::ranges::find_if(all_, [&](const Registration& each) {
        return each.state == Registration::State::cached && each.range == range && each.access == access;
    });
}

int Registrations::add(const MemoryRange& range, std::uint8_t access, HANDLE& handle) {
    if (const auto cached = find_cached(range, access); cached != all_.end()) {
        cached->state = Registration::State::live;
        handle = cached->handle = setting_.new_handle();
        return 0;
    }
    Registration* made = nullptr;
    const int code = make(range, access, false, made);
    handle = code == 0 ? made->handle : nullptr;
    return code;
}

int Registrations::remove(HANDLE handle) {
    const auto found = find(handle, false);
    if (found == all_.end() || found->uses > 0) {
        return WSAEINVAL;
    }
    if (setting_.options.cache_callback) {
        found->state = Registration::State::cached;
    } else {
        drop(found);
    }
    return 0;
}

int Registrations::open(const MemoryRange& range, std::uint8_t access, Descriptor& descriptor) {
    Registration* made = nullptr;
    if (const int code = make(range, access, true, made); code != 0) {
        return code;
    }
    descriptor = {raw(made->mr->remote_address_of(range.data)), static_cast<UINT32>(range.length), raw(made->mr->key()),
                  reinterpret_cast<UINT64>(made->handle)};
    return 0;
}

// Memory open to the peer is never cached: its access ends with this call (W72).
int Registrations::shut(const Descriptor& descriptor) {
    const auto found = find(reinterpret_cast<HANDLE>(descriptor.registration), true);
    if (found == all_.end() || raw(found->mr->key()) != descriptor.key) {
        return WSAEINVAL;
    }
    drop(found);
    return 0;
}

// Memory registered for the peer is never cached, so it does not count (W76).
Registrations::Dropped Registrations::drop_cached(const MemoryRange& range) {
    const auto cached = [&range](const Registration& each) {
        return each.state == Registration::State::cached && each.range.is_in(range);
    };
    Dropped result = Dropped::nothing;
    for (auto found = std::ranges::find_if(all_, cached); found != all_.end();
         found = std::ranges::find_if(all_, cached)) {
        drop(found);
        result = Dropped::all;
    }
    const bool some_in_use = std::ranges::any_of(
        all_, [&range](const Registration& each) { return each.is_local() && each.range.is_in(range); });
    return some_in_use ? Dropped::not_all : result;
}

Registration* Registrations::covering(const MemoryRange& range, std::uint8_t access) {
    const auto found = std::ranges::find_if(all_, [&](const Registration& each) {
        return each.is_local() && range.is_in(each.range) && (each.access & access) == access;
    });
    return found == all_.end() ? nullptr : &*found;
}

Registration* Registrations::of(HANDLE handle, const MemoryRange& range, std::uint8_t access) {
    const auto found = find(handle, false);
    const bool good = found != all_.end() && range.is_in(found->range) && (found->access & access) == access;
    return good ? &*found : nullptr;
}

void Registrations::close() {
    for (Registration& each : all_) {
        core::close_and_forget(setting_.driver, std::move(each.mr));
    }
    all_.clear();
}

}  // namespace ndsim::wsd
