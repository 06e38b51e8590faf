// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/com.hpp"

namespace ndsim::nd {

// IND2Adapter of this provider.
class Adapter2 final : public Face<IND2Adapter> {
public:
    explicit Adapter2(const AdapterPtr& adapter) : Face(adapter, {IID_IND2Adapter}) {}

    HRESULT CreateOverlappedFile(HANDLE* file) override;
    HRESULT Query(ND2_ADAPTER_INFO* info, ULONG* length) override;
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* length) override;
    HRESULT CreateCompletionQueue(REFIID iid, HANDLE file, ULONG depth, USHORT group, KAFFINITY affinity,
                                  VOID** out) override;
    HRESULT CreateMemoryRegion(REFIID iid, HANDLE file, VOID** out) override;
    HRESULT CreateMemoryWindow(REFIID iid, VOID** out) override;
    HRESULT CreateSharedReceiveQueue(REFIID iid, HANDLE file, ULONG depth, ULONG sges, ULONG threshold, USHORT group,
                                     KAFFINITY affinity, VOID** out) override;
    HRESULT CreateQueuePair(REFIID iid, IUnknown* receive_cq, IUnknown* initiator_cq, VOID* context,
                            ULONG receive_depth, ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges,
                            ULONG inline_bytes, VOID** out) override;
    HRESULT CreateQueuePairWithSrq(REFIID iid, IUnknown* receive_cq, IUnknown* initiator_cq, IUnknown* srq,
                                   VOID* context, ULONG initiator_depth, ULONG initiator_sges, ULONG inline_bytes,
                                   VOID** out) override;
    HRESULT CreateConnector(REFIID iid, HANDLE file, VOID** out) override;
    HRESULT CreateListener(REFIID iid, HANDLE file, VOID** out) override;

private:
    void leave() override { forget(); }
    [[nodiscard]] std::shared_ptr<os::File> file_of(HANDLE file) const;
};

}  // namespace ndsim::nd
