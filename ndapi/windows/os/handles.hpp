// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ndapi/windows/os/kernel_object.hpp"

namespace ndsim::os {

// Handles: a program's table of what it has open. Values are multiples of four, as on Windows, so that the low bits are
// free for others' use.
class Handles {
public:
    [[nodiscard]] HANDLE add(std::shared_ptr<KernelObject> object) {
        object->opened();
        objects_.push_back(std::move(object));
        return handle_of(objects_.size() - 1);
    }
    // The object of this type that the handle stands for, or none.
    template <class Object = KernelObject>
    [[nodiscard]] std::shared_ptr<Object> find(HANDLE handle) const {
        const std::size_t index = index_of(handle);
        return index < objects_.size() ? std::dynamic_pointer_cast<Object>(objects_[index]) : nullptr;
    }
    // False if there is none. Its number is not used again, so that a stale handle is found.
    bool close(HANDLE handle) {
        const std::size_t index = index_of(handle);
        const auto object = index < objects_.size() ? std::exchange(objects_[index], nullptr) : nullptr;
        if (object != nullptr) {
            object->closed();
        }
        return object != nullptr;
    }

private:
    static constexpr std::size_t kStep = 4;

    [[nodiscard]] static HANDLE handle_of(std::size_t index) { return reinterpret_cast<HANDLE>((index + 1) * kStep); }
    [[nodiscard]] static std::size_t index_of(HANDLE handle) {
        return reinterpret_cast<std::size_t>(handle) / kStep - 1;  // that of a null handle is beyond all
    }

    std::vector<std::shared_ptr<KernelObject>> objects_;
};

}  // namespace ndsim::os
