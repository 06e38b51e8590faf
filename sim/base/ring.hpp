// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

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
    [[nodiscard]] T& operator[](std::size_t i) { return slots_[(head_ + i) & (slots_.size() - 1)]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return slots_[(head_ + i) & (slots_.size() - 1)]; }

    void push(T value) {
        if (size_ == slots_.size()) {
            grow();
        }
        (*this)[size_++] = std::move(value);
    }

    T pop() {
        assert(size_ > 0);
        T value = std::move(slots_[head_]);
        head_ = (head_ + 1) & (slots_.size() - 1);
        --size_;
        return value;
    }

    void clear() {
        while (!empty()) {
            pop();
        }
    }

private:
    void grow() {
        std::vector<T> larger(slots_.empty() ? 8 : slots_.size() * 2);
        for (std::size_t i = 0; i < size_; ++i) {
            larger[i] = std::move((*this)[i]);
        }
        slots_ = std::move(larger);
        head_ = 0;
    }

    std::vector<T> slots_;
    std::size_t head_ = 0;
    std::size_t size_ = 0;
};

}  // namespace ndsim
