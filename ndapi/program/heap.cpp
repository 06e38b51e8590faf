// SPDX-License-Identifier: Apache-2.0
#include "ndapi/win/heap.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "ndapi/program/instance.hpp"
#include "ndapi/win/constants.h"

namespace {

// Stands before each allocation, in the ring of its heap. 32 bytes, so that the memory behind it stays aligned.
struct alignas(16) Block {
    Block* previous = this;
    Block* next = this;
    std::size_t size = 0;
};
static_assert(sizeof(Block) == 32);

struct Heap {
    Block ring;  // of all its allocations, and itself
};

// The process's own heap is never destroyed, so its blocks are in no ring but their own.
bool is_process_heap(HANDLE heap) {
    return heap == GetProcessHeap();
}

void link(Block& block, Heap& heap) {
    block.next = &heap.ring;
    block.previous = heap.ring.previous;
    block.previous->next = &block;
    heap.ring.previous = &block;
}

void release(Block* block) {
    block->previous->next = block->next;
    block->next->previous = block->previous;
    std::free(block);
}

}  // namespace

HANDLE GetProcessHeap() {
    return &ndsim::instance();
}

HANDLE HeapCreate(DWORD, SIZE_T, SIZE_T) {
    return new (std::nothrow) Heap;
}

BOOL HeapDestroy(HANDLE handle) {
    if (handle == nullptr || is_process_heap(handle)) {
        return ndsim::succeeded(ERROR_INVALID_HANDLE);
    }
    auto* heap = static_cast<Heap*>(handle);
    while (heap->ring.next != &heap->ring) {
        release(heap->ring.next);
    }
    delete heap;
    return TRUE;
}

LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T bytes) {
    if (bytes > SIZE_MAX - sizeof(Block)) {
        return nullptr;
    }
    const std::size_t size = sizeof(Block) + bytes;
    void* memory = (flags & HEAP_ZERO_MEMORY) != 0 ? std::calloc(1, size) : std::malloc(size);
    if (memory == nullptr) {
        return nullptr;
    }
    auto* block = new (memory) Block;
    block->size = bytes;
    if (!is_process_heap(heap)) {
        link(*block, *static_cast<Heap*>(heap));
    }
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
    return (static_cast<const Block*>(memory) - 1)->size;
}

BOOL HeapFree(HANDLE, DWORD, LPVOID memory) {
    if (memory != nullptr) {
        release(static_cast<Block*>(memory) - 1);
    }
    return TRUE;
}
