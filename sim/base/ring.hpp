// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace ndsim {

// A queue in a power-of-two array. It grows when full and never shrinks, so a steady state allocates nothing.
template <class T>
class Ring {
public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& front() { return slots_[head_]; }
    [[nodiscard]] const T& front() const { return slots_[head_]; }
    [[nodiscard]] T& back() { return (*this)[size_ - 1]; }
    [[nodiscard]] T& operator[](std::size_t i) { return slots_[(head_ + i) & (capacity_ - 1)]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return slots_[(head_ + i) & (capacity_ - 1)]; }

    void push(const T& value) { add() = value; }
    void push(T&& value) { add() = std::move(value); }
    // Adds an element at the end, to be filled: it still has old contents.
    T& add() {
        if (size_ == capacity_) [[unlikely]] {
            grow();
        }
        return (*this)[size_++];
    }

    // Adds an element at the front, to be filled: it still has old contents.
    T& add_front() {
        if (size_ == capacity_) [[unlikely]] {
            grow();
        }
        head_ = (head_ - 1) & (capacity_ - 1);
        ++size_;
        return front();
    }

    T pop() {
        assert(size_ > 0);
        T value = std::move(front());
        drop(1);
        return value;
    }

    T pop_back() {
        assert(size_ > 0);
        return std::move((*this)[--size_]);
    }

    // The first elements, as far as they lie side by side.
    [[nodiscard]] std::span<const T> front_run() const { return {&slots_[head_], std::min(size_, capacity_ - head_)}; }
    // Removes so many elements from the front; they stay in place until the next push.
    void drop(std::size_t count) {
        assert(count <= size_);
        size_ -= count;
        // An empty ring begins anew: one that never holds much stays in few lines of the cache.
        head_ = size_ == 0 ? 0 : (head_ + count) & (capacity_ - 1);
    }
    void drop() { drop(1); }

    void clear() {
        while (!empty()) {
            pop();
        }
    }

private:
    // Apart from add(), which is inlined.
    [[gnu::noinline]] void grow() {
        const std::size_t larger = capacity_ == 0 ? 8 : 2 * capacity_;
        auto slots = std::make_unique<T[]>(larger);
        for (std::size_t i = 0; i < size_; ++i) {
            slots[i] = std::move((*this)[i]);
        }
        slots_ = std::move(slots);
        capacity_ = larger;
        head_ = 0;
    }

    std::unique_ptr<T[]> slots_;
    std::size_t capacity_ = 0;
    std::size_t head_ = 0;
    std::size_t size_ = 0;
};

}  // namespace ndsim
