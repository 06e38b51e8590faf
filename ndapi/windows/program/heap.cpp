// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/heap.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/heap.hpp"
#include "ndapi/windows/program/instance.hpp"

using ndsim::Heap;
using ndsim::HeapBlock;

namespace {

Heap& heap_of(HANDLE handle) {
    return *static_cast<Heap*>(handle);
}

// Another thread may keep the heap to itself for a while. It costs nothing if none does.
void wait_for_lock(Heap& heap) {
    if (heap.lock.RecursionCount > 0 && heap.lock.OwningThread != ndsim::host().thread_id()) {
        EnterCriticalSection(&heap.lock);
        LeaveCriticalSection(&heap.lock);
    }
}

void link(HeapBlock& block, Heap& heap) {
    block.next = &heap.ring;
    block.previous = heap.ring.previous;
    block.previous->next = &block;
    heap.ring.previous = &block;
}

// Memory that begins at a multiple of its size, or of a page's. So the place of a block in its pages, which decides how
// a NIC reads it, does not depend on what the process has allocated before.
void* take(std::size_t size) {
    constexpr std::size_t kPage = 4096;
    const std::size_t alignment = std::min(kPage, std::bit_ceil(size));
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void release(HeapBlock* block) {
    block->previous->next = block->next;
    block->next->previous = block->previous;
    std::free(block);
}

}  // namespace

HANDLE GetProcessHeap() {
    return &ndsim::instance().heap;
}

HANDLE HeapCreate(DWORD, SIZE_T, SIZE_T) {
    return new (std::nothrow) Heap;
}

BOOL HeapDestroy(HANDLE handle) {
    if (handle == nullptr || handle == GetProcessHeap()) {
        return ndsim::succeeded(ERROR_INVALID_HANDLE);
    }
    Heap& heap = heap_of(handle);
    while (heap.ring.next != &heap.ring) {
        release(heap.ring.next);
    }
    DeleteCriticalSection(&heap.lock);
    delete &heap;
    return TRUE;
}

LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T bytes) {
    if (bytes > SIZE_MAX / 2) {
        return nullptr;
    }
    wait_for_lock(heap_of(heap));
    void* memory = take(sizeof(HeapBlock) + bytes);
    if (memory == nullptr) {
        return nullptr;
    }
    auto* block = new (memory) HeapBlock;
    if ((flags & HEAP_ZERO_MEMORY) != 0) {
        std::memset(static_cast<void*>(block + 1), 0, bytes);
    }
    block->size = bytes;
    link(*block, heap_of(heap));
    return block + 1;
}

LPVOID HeapReAlloc(HANDLE heap, DWORD flags, LPVOID memory, SIZE_T bytes) {
    LPVOID moved = memory == nullptr ? nullptr : HeapAlloc(heap, flags, bytes);
    if (moved != nullptr) {
        std::memcpy(moved, memory, std::min(bytes, HeapSize(heap, 0, memory)));
        HeapFree(heap, 0, memory);
    }
    return moved;
}

SIZE_T HeapSize(HANDLE, DWORD, LPCVOID memory) {
    return (static_cast<const HeapBlock*>(memory) - 1)->size;
}

BOOL HeapFree(HANDLE heap, DWORD, LPVOID memory) {
    if (memory != nullptr) {
        wait_for_lock(heap_of(heap));
        release(static_cast<HeapBlock*>(memory) - 1);
    }
    return TRUE;
}

BOOL HeapLock(HANDLE heap) {
    EnterCriticalSection(&heap_of(heap).lock);
    return TRUE;
}
BOOL HeapUnlock(HANDLE heap) {
    LeaveCriticalSection(&heap_of(heap).lock);
    return TRUE;
}
BOOL HeapWalk(HANDLE handle, LPPROCESS_HEAP_ENTRY entry) {
    Heap& heap = heap_of(handle);
    HeapBlock* const last = entry->lpData == nullptr ? &heap.ring : static_cast<HeapBlock*>(entry->lpData) - 1;
    HeapBlock* const block = last->next;
    if (block == &heap.ring) {
        return ndsim::succeeded(ERROR_NO_MORE_ITEMS);
    }
    *entry = {};
    entry->lpData = block + 1;
    entry->cbData = static_cast<DWORD>(block->size);
    entry->cbOverhead = sizeof(HeapBlock);
    entry->wFlags = PROCESS_HEAP_ENTRY_BUSY;
    return TRUE;
}
