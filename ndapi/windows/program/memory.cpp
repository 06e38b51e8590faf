// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/memory.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/heap.h"
#include "ndapi/windows/program/instance.hpp"

namespace {

constexpr std::size_t kGranularity = 65536;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kLargePage = 512 * kPage;
constexpr UINT kZeroed = 0x40;  // LMEM_ZEROINIT, GMEM_ZEROINIT

constexpr std::size_t rounded_up(std::size_t size, std::size_t step) {
    return (size + step - 1) / step * step;
}

// Stands directly before aligned memory.
struct Aligned {
    void* whole;
    std::size_t size;
};

Aligned& of(void* memory) {
    return static_cast<Aligned*>(memory)[-1];
}

}  // namespace

LPVOID VirtualAlloc(LPVOID address, SIZE_T size, DWORD type, DWORD) {
    if (size == 0 || (type & (MEM_COMMIT | MEM_RESERVE)) == 0) {
        ndsim::host().set_last_error(ERROR_INVALID_PARAMETER);
        return nullptr;
    }
    if (address != nullptr && (type & MEM_RESERVE) == 0) {
        return address;
    }
    const std::size_t whole = rounded_up(size, kGranularity);
    void* memory = address != nullptr || whole < size ? nullptr : std::aligned_alloc(kGranularity, whole);
    if (memory == nullptr) {
        ndsim::host().set_last_error(address != nullptr ? ERROR_INVALID_ADDRESS : ERROR_NOT_ENOUGH_MEMORY);
        return nullptr;
    }
    return std::memset(memory, 0, whole);
}
LPVOID VirtualAllocEx(HANDLE, LPVOID address, SIZE_T size, DWORD type, DWORD protection) {
    return VirtualAlloc(address, size, type, protection);
}
LPVOID VirtualAllocExNuma(HANDLE, LPVOID address, SIZE_T size, DWORD type, DWORD protection, DWORD) {
    return VirtualAlloc(address, size, type, protection);
}

BOOL VirtualFree(LPVOID address, SIZE_T size, DWORD type) {
    if (type == MEM_RELEASE && size != 0) {
        return ndsim::succeeded(ERROR_INVALID_PARAMETER);
    }
    if (type == MEM_RELEASE) {
        std::free(address);
    }
    return TRUE;
}
BOOL VirtualFreeEx(HANDLE, LPVOID address, SIZE_T size, DWORD type) {
    return VirtualFree(address, size, type);
}

BOOL VirtualProtect(LPVOID, SIZE_T, DWORD, LPDWORD old_protection) {
    *old_protection = PAGE_READWRITE;
    return TRUE;
}
BOOL VirtualLock(LPVOID, SIZE_T) {
    return TRUE;
}
BOOL VirtualUnlock(LPVOID, SIZE_T) {
    return TRUE;
}
SIZE_T VirtualQuery(LPCVOID address, PMEMORY_BASIC_INFORMATION information, SIZE_T size) {
    if (size < sizeof(*information)) {
        ndsim::host().set_last_error(ERROR_BAD_LENGTH);
        return 0;
    }
    auto* const page = reinterpret_cast<PVOID>(reinterpret_cast<std::uintptr_t>(address) / kPage * kPage);
    *information = {page, page, PAGE_READWRITE, 0, kPage, MEM_COMMIT, PAGE_READWRITE, MEM_PRIVATE};
    return sizeof(*information);
}
BOOL GlobalMemoryStatusEx(LPMEMORYSTATUSEX status) {
    constexpr DWORDLONG kAll = DWORDLONG{64} << 30;
    constexpr DWORDLONG kVirtual = DWORDLONG{128} << 40;
    *status = {sizeof(*status), 50, kAll, kAll / 2, kAll, kAll / 2, kVirtual, kVirtual - kAll / 2, 0};
    return TRUE;
}
SIZE_T GetLargePageMinimum() {
    return kLargePage;
}

void* _aligned_malloc(size_t size, size_t alignment) {
    if (!std::has_single_bit(alignment) || size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) {
        return nullptr;
    }
    void* whole = std::malloc(size + alignment + sizeof(Aligned));
    if (whole == nullptr) {
        return nullptr;
    }
    const auto least = std::bit_cast<std::uintptr_t>(whole) + sizeof(Aligned);
    void* memory = std::bit_cast<void*>(rounded_up(least, std::max(alignment, alignof(Aligned))));
    of(memory) = {whole, size};
    return memory;
}

void* _aligned_realloc(void* memory, size_t size, size_t alignment) {
    void* moved = size == 0 ? nullptr : _aligned_malloc(size, alignment);
    if (memory != nullptr && moved != nullptr) {
        std::memcpy(moved, memory, std::min(size, of(memory).size));
    }
    if (moved != nullptr || size == 0) {
        _aligned_free(memory);
    }
    return moved;
}

void _aligned_free(void* memory) {
    if (memory != nullptr) {
        std::free(of(memory).whole);
    }
}

HLOCAL LocalAlloc(UINT flags, SIZE_T bytes) {
    return HeapAlloc(GetProcessHeap(), (flags & kZeroed) != 0 ? HEAP_ZERO_MEMORY : 0, bytes);
}
HLOCAL LocalFree(HLOCAL memory) {
    HeapFree(GetProcessHeap(), 0, memory);
    return nullptr;
}
HLOCAL GlobalAlloc(UINT flags, SIZE_T bytes) {
    return LocalAlloc(flags, bytes);
}
HLOCAL GlobalFree(HLOCAL memory) {
    return LocalFree(memory);
}
LPVOID CoTaskMemAlloc(SIZE_T bytes) {
    return HeapAlloc(GetProcessHeap(), 0, bytes);
}
void CoTaskMemFree(LPVOID memory) {
    HeapFree(GetProcessHeap(), 0, memory);
}
