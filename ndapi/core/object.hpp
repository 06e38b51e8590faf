// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace ndsim::core {

// Object: the lifetime shared by all objects of the interfaces. An object closed while others depend on it, or while
// its own work is under way, stays until the last of those is gone [K199, K202].
class Object {
public:
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;

    void hold() { ++holds_; }
    void release() {
        --holds_;
        try_to_close();
    }
    // Reports a close, perhaps before close() returns. It calls `let_go` when the closer has heard of it: only then may
    // the objects go that this one depended on [K201].
    using Closed = std::function<void(std::function<void()> let_go)>;

    void close(Closed closed) {
        closed_ = std::move(closed);
        closing_ = true;
        hold();
        begin_close();
        release();
    }
    [[nodiscard]] bool closing() const { return closing_; }
    // Calls `forget` when the closed object's memory is no longer needed.
    virtual void when_unused(const std::function<void()>& forget) { forget(); }

protected:
    // Starts the work needed before the object can go, and holds the object meanwhile.
    virtual void begin_close() {}
    // As begin_close(), when no other object depends on this one any more.
    virtual void begin_destroy() {}
    // Takes down the object's resources.
    virtual void end_close() {}
    // The objects that this one depends on; let go after its close has been reported [K201].
    [[nodiscard]] virtual std::vector<Object*> antecedents() { return {}; }

private:
    void try_to_close() {
        if (!closing_ || holds_ != 0) {
            return;
        }
        if (!std::exchange(destroying_, true)) {
            hold();
            begin_destroy();
            release();
            return;
        }
        closing_ = false;
        end_close();
        const std::vector<Object*> held = antecedents();
        std::exchange(closed_, nullptr)([held] {  // this object may be gone by then
            for (Object* const object : held) {
                object->release();
            }
        });
    }

    int holds_ = 0;
    bool closing_ = false;
    bool destroying_ = false;
    Closed closed_;
};

}  // namespace ndsim::core
