// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/v1_registrations.hpp"

namespace ndsim::nd {

// INDAdapter of this provider. It also has the state that its objects share: the file of their overlapped calls, the
// registered memory, and the places for results of windows that peers invalidate.
class Adapter1 final : public Face<INDAdapter> {
public:
    explicit Adapter1(const AdapterPtr& adapter);

    [[nodiscard]] const std::shared_ptr<os::File>& file() const { return file_; }
    [[nodiscard]] const Registrations& registrations() const { return *registrations_; }
    void add_window(MrKey key, ND_RESULT* invalidated) { windows_[key_index(key)] = invalidated; }
    void remove_window(MrKey key) { windows_.erase(key_index(key)); }
    // The result of the window that has this key, or had it; nullptr if it has been released.
    [[nodiscard]] ND_RESULT* invalidation_result(MrKey key) const;

    HRESULT CancelOverlappedRequests() override;
    HRESULT GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) override;
    HANDLE GetFileHandle() override { return handle_; }
    HRESULT Query(DWORD version, ND_ADAPTER_INFO* info, SIZE_T* length) override;
    HRESULT Control(DWORD code, const VOID* in, SIZE_T in_length, VOID* out, SIZE_T out_length, SIZE_T* returned,
                    OVERLAPPED* overlapped) override;
    HRESULT CreateCompletionQueue(SIZE_T depth, INDCompletionQueue** out) override;
    HRESULT RegisterMemory(const VOID* buffer, SIZE_T length, OVERLAPPED* overlapped, ND_MR_HANDLE* handle) override;
    HRESULT DeregisterMemory(ND_MR_HANDLE handle, OVERLAPPED* overlapped) override;
    HRESULT CreateMemoryWindow(ND_RESULT* invalidated, INDMemoryWindow** out) override;
    HRESULT CreateConnector(INDConnector** out) override;
    HRESULT Listen(SIZE_T backlog, INT protocol, USHORT port, USHORT* assigned, INDListen** out) override;

private:
    void leave() override;

    const std::shared_ptr<os::File> file_;
    const HANDLE handle_;
    const std::shared_ptr<Registrations> registrations_;
    std::unordered_map<std::uint32_t, ND_RESULT*> windows_;  // by key_index(); never iterated
};

// Part1: an object of an adapter of version 1. The adapter stays open as long as its objects.
template <class Interface>
class Part1 : public Face<Interface> {
protected:
    Part1(Adapter1& owner, std::vector<IID> interfaces)
        : Face<Interface>(owner.adapter(), std::move(interfaces)), owner_(owner) {
        owner_.AddRef();
    }
    [[nodiscard]] Adapter1& owner() const { return owner_; }
    // As leave(), for this object alone.
    virtual void take_down() = 0;

private:
    void leave() final {
        Adapter1& owner = owner_;  // this object may be gone afterwards
        take_down();
        owner.Release();
    }

    Adapter1& owner_;
};

// How calls of version 1 report the bytes that an overlapped call moved: always 0.
[[nodiscard]] inline HRESULT result_of(OverlappedCalls& requests, const OVERLAPPED& overlapped, SIZE_T* bytes,
                                       BOOL wait) {
    if (bytes != nullptr) {
        *bytes = 0;
    }
    return requests.result(overlapped, wait != FALSE);
}

// Whether IANA's number is that of a protocol that connections may name.
[[nodiscard]] constexpr bool is_protocol(INT number) {
    constexpr INT kTcp = 6;
    constexpr INT kUdp = 17;
    return number == kTcp || number == kUdp;
}

}  // namespace ndsim::nd
