// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDAdapter of this provider.
class Adapter1 final : public Face<INDAdapter> {
public:
    explicit Adapter1(const AdapterPtr& adapter);

    [[nodiscard]] const Registrations& registrations() const { return shared_.registrations(); }

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

    Shared1 shared_;
    const HANDLE handle_;
};

}  // namespace ndsim::nd
