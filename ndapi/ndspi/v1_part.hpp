// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/v1_registrations.hpp"

namespace ndsim::nd {

// Shared1: the state that the objects of an adapter of version 1 share: the file of their overlapped calls, the
// registered memory, and the places for results of windows that peers invalidate.
class Shared1 {
public:
    // `face` is the adapter as the program sees it.
    Shared1(AdapterPtr adapter, IUnknown& face)
        : adapter_(std::move(adapter)),
          face_(face),
          file_(std::make_shared<os::File>()),
          registrations_(std::make_shared<Registrations>(adapter_, file_)) {}

    [[nodiscard]] const AdapterPtr& adapter() const { return adapter_; }
    [[nodiscard]] IUnknown& face() const { return face_; }
    [[nodiscard]] const std::shared_ptr<os::File>& file() const { return file_; }
    [[nodiscard]] Registrations& registrations() const { return *registrations_; }
    void add_window(MrKey key, ND_RESULT* invalidated) { windows_[key_index(key)] = invalidated; }
    void remove_window(MrKey key) { windows_.erase(key_index(key)); }
    // The result of the window that has this key, or had it; nullptr if it has been released.
    [[nodiscard]] ND_RESULT* invalidation_result(MrKey key) const {
        const auto found = windows_.find(key_index(key));
        return found == windows_.end() ? nullptr : found->second;
    }

private:
    const AdapterPtr adapter_;
    IUnknown& face_;
    const std::shared_ptr<os::File> file_;
    const std::shared_ptr<Registrations> registrations_;
    std::unordered_map<std::uint32_t, ND_RESULT*> windows_;  // by key_index(); never iterated
};

// Part1: an object of an adapter of version 1. The adapter stays open as long as its objects.
template <class Interface>
class Part1 : public Face<Interface> {
protected:
    Part1(Shared1& owner, std::vector<IID> interfaces)
        : Face<Interface>(owner.adapter(), std::move(interfaces)), owner_(owner) {
        owner_.face().AddRef();
    }
    [[nodiscard]] Shared1& owner() const { return owner_; }
    // As leave(), for this object alone.
    virtual void take_down() = 0;

private:
    void leave() final {
        IUnknown& adapter = owner_.face();  // this object may be gone afterwards
        take_down();
        adapter.Release();
    }

    Shared1& owner_;
};

// How calls of version 1 report the bytes that an overlapped call moved: always 0.
[[nodiscard]] inline HRESULT result_of(OverlappedCalls& requests, const OVERLAPPED& overlapped, SIZE_T* bytes,
                                       BOOL wait) {
    if (bytes != nullptr) {
        *bytes = 0;
    }
    return requests.result(overlapped, wait != FALSE);
}

// Overlapped1: such an object whose calls complete later.
template <class Interface>
class Overlapped1 : public Overlapping<Part1<Interface>> {
public:
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) final {
        return result_of(this->requests(), *overlapped, bytes, wait);
    }

protected:
    Overlapped1(Shared1& owner, const IID& interface)
        : Overlapping<Part1<Interface>>(owner, owner.file(), {interface, IID_INDOverlapped}) {}
};

// Whether IANA's number is that of a protocol that connections may name.
[[nodiscard]] constexpr bool is_protocol(INT number) {
    constexpr INT kTcp = 6;
    constexpr INT kUdp = 17;
    return number == kTcp || number == kUdp;
}

}  // namespace ndsim::nd
