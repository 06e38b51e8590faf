// SPDX-License-Identifier: Apache-2.0
// Memory descriptor lists, as far as a program outside the kernel needs them (ndkpi.md 3.6), with the kernel's own
// names for the functions that look into one.
#pragma once

#ifndef __cplusplus
typedef struct _MDL MDL;  // only passed on
typedef MDL* PMDL;
#else

#include <vector>

#include "ndapi/windows/abi/types.h"

using PFN_NUMBER = ULONG_PTR;

constexpr ULONG PAGE_SHIFT = 12;
constexpr ULONG PAGE_SIZE = 1U << PAGE_SHIFT;

// One virtually contiguous piece of a buffer, and the page frames behind it. Whoever reads an MDL takes the virtual
// address for an index into the frames and never dereferences it.
struct MDL {
    MDL* Next = nullptr;
    PVOID VirtualAddress = nullptr;
    ULONG ByteCount = 0;
    std::vector<PFN_NUMBER> PageFrames;  // one for each page that the piece touches, in order
};
using PMDL = MDL*;

[[nodiscard]] inline PVOID MmGetMdlVirtualAddress(const MDL* mdl) {
    return mdl->VirtualAddress;
}
[[nodiscard]] inline ULONG MmGetMdlByteCount(const MDL* mdl) {
    return mdl->ByteCount;
}
[[nodiscard]] inline const PFN_NUMBER* MmGetMdlPfnArray(const MDL* mdl) {
    return mdl->PageFrames.data();
}

// Where in its first page the piece begins.
[[nodiscard]] inline ULONG MmGetMdlByteOffset(const MDL* mdl) {
    return static_cast<ULONG>(reinterpret_cast<ULONG_PTR>(mdl->VirtualAddress) & (PAGE_SIZE - 1));
}

// How many pages `length` bytes from `address` touch.
[[nodiscard]] inline ULONG ADDRESS_AND_SIZE_TO_SPAN_PAGES(const VOID* address, SIZE_T length) {
    const ULONG_PTR offset = reinterpret_cast<ULONG_PTR>(address) & (PAGE_SIZE - 1);
    return static_cast<ULONG>((offset + length + PAGE_SIZE - 1) >> PAGE_SHIFT);
}

#endif
