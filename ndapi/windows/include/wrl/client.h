// SPDX-License-Identifier: Apache-2.0
// A reference to an interface that releases it at its end.
#pragma once

#include <cstddef>
#include <utility>

#include "ndapi/windows/include/windows.h"

namespace Microsoft {
namespace WRL {

template <class T>
class ComPtr {
public:
    ComPtr() = default;
    ComPtr(std::nullptr_t) {}
    ComPtr(T* other) : object_(other) { add_reference(); }
    ComPtr(const ComPtr& other) : ComPtr(other.object_) {}
    ComPtr(ComPtr&& other) noexcept : object_(other.Detach()) {}
    ComPtr& operator=(ComPtr other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~ComPtr() { Reset(); }

    [[nodiscard]] T* Get() const { return object_; }
    T* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    [[nodiscard]] T** GetAddressOf() { return &object_; }
    [[nodiscard]] T** ReleaseAndGetAddressOf() {
        Reset();
        return &object_;
    }
    T** operator&() { return ReleaseAndGetAddressOf(); }
    ULONG Reset() {
        T* const object = Detach();
        return object == nullptr ? 0 : object->Release();
    }
    void Attach(T* object) {
        Reset();
        object_ = object;
    }
    [[nodiscard]] T* Detach() { return std::exchange(object_, nullptr); }

private:
    void add_reference() {
        if (object_ != nullptr) {
            object_->AddRef();
        }
    }

    T* object_ = nullptr;
};

}  // namespace WRL
}  // namespace Microsoft
