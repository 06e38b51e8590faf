// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/mw.hpp"
#include "ndapi/ndspi/v2_overlapped.hpp"

namespace ndsim::nd {

// IND2MemoryRegion of this provider.
class MemoryRegion2 final : public Overlapped2<IND2MemoryRegion> {
public:
    MemoryRegion2(const AdapterPtr& adapter, std::shared_ptr<os::File> file);

    [[nodiscard]] core::Mr& core() { return core_; }

    HRESULT Register(const VOID* buffer, SIZE_T length, ULONG flags, OVERLAPPED* overlapped) override;
    HRESULT Deregister(OVERLAPPED* overlapped) override;
    UINT32 GetLocalToken() override { return raw(core_.key()); }
    UINT32 GetRemoteToken() override;

private:
    void leave() override;

    core::Mr core_;
};

// IND2MemoryWindow of this provider.
class MemoryWindow2 final : public Face<IND2MemoryWindow> {
public:
    explicit MemoryWindow2(const AdapterPtr& adapter);

    [[nodiscard]] core::Mw& core() { return core_; }

    UINT32 GetRemoteToken() override;

private:
    void leave() override { close(core_); }

    core::Mw core_;
};

}  // namespace ndsim::nd
