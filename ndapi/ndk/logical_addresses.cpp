// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "ndapi/core/logical_mapping.hpp"
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/mdl_chain.hpp"

namespace ndsim::ndk {

// Completes at once: no callback follows. The adapter stays open until the mapping is released.
NTSTATUS build_lam(NDK_ADAPTER* object, MDL* mdl, SIZE_T length, NDK_FN_REQUEST_COMPLETION, PVOID,
                   NDK_LOGICAL_ADDRESS_MAPPING* lam, ULONG* size, ULONG* first_byte) {
    std::byte* const data = contiguous(mdl, length);
    if (data == nullptr) {
        return STATUS_INVALID_PARAMETER;
    }
    const ULONG pages = ADDRESS_AND_SIZE_TO_SPAN_PAGES(data, length);
    const ULONG there = lam == nullptr ? 0 : *size;
    *size = static_cast<ULONG>(offsetof(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray) +
                               pages * sizeof(NDK_LOGICAL_ADDRESS));
    if (there < *size) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    AdapterFace& adapter = face<AdapterFace>(object);
    core::LogicalMapping& mapping =
        adapter.driver.keep(std::make_unique<core::LogicalMapping>(adapter.driver.memory(), data, length));
    adapter.hold();
    lam->AdapterContext = &mapping;
    lam->AdapterPageCount = pages;
    NDK_LOGICAL_ADDRESS* page = lam->AdapterPageArray;
    for (const Address address : mapping.pages()) {
        page->QuadPart = static_cast<LONGLONG>(raw(address));
        ++page;
    }
    *first_byte = mapping.first_byte();
    return STATUS_SUCCESS;
}

VOID release_lam(NDK_ADAPTER* object, NDK_LOGICAL_ADDRESS_MAPPING* lam) {
    AdapterFace& adapter = face<AdapterFace>(object);
    adapter.driver.drop(lam->AdapterContext);
    lam->AdapterContext = nullptr;
    adapter.release();
}

}  // namespace ndsim::ndk
