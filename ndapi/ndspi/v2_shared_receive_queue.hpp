// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/srq.hpp"
#include "ndapi/ndspi/v2_overlapped.hpp"

namespace ndsim::nd {

// IND2SharedReceiveQueue of this provider. Its Notify arms the NIC, so only a program that has asked is told.
class SharedReceiveQueue2 final : public Overlapped2<IND2SharedReceiveQueue> {
public:
    SharedReceiveQueue2(const AdapterPtr& adapter, std::shared_ptr<os::File> file, const core::SrqLimits& limits);

    [[nodiscard]] core::Srq& core() { return core_; }

    HRESULT GetNotifyAffinity(USHORT*, KAFFINITY*) override { return ND_NOT_SUPPORTED; }
    HRESULT Modify(ULONG depth, ULONG threshold) override;
    HRESULT Notify(OVERLAPPED* overlapped) override;
    HRESULT Receive(VOID* context, const ND2_SGE sge[], ULONG count) override;

private:
    void leave() override;
    void cancelled() override { notifies_.clear(); }
    void told();

    core::Srq core_;
    std::uint32_t threshold_;  // 0: it never notifies
    std::vector<OverlappedCalls::Id> notifies_;
};

}  // namespace ndsim::nd
