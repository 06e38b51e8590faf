// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace ndsim::core {

// Object: the lifetime that all objects of the interfaces share. An object that is closed while others still depend
// on it, or while work of its own is under way, stays until the last of them is gone [K199, K202].
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
    // What is told of a close, perhaps before close() returns. It calls `let_go` when whoever closed the object has
    // heard of it: only then may the objects go that this one depended on [K201].
    using Closed = std::function<void(std::function<void()> let_go)>;

    void close(Closed closed) {
        closed_ = std::move(closed);
        closing_ = true;
        hold();
        begin_close();
        release();
    }
    [[nodiscard]] bool closing() const { return closing_; }
    // Calls `forget` when nobody needs the closed object's memory any more.
    virtual void when_unused(const std::function<void()>& forget) { forget(); }

protected:
    // Starts what has to be done before the object can go; holds it for as long as that takes.
    virtual void begin_close() {}
    // Takes down what the object has.
    virtual void end_close() {}
    // What the object itself depends on; let go of after its close has been reported [K201].
    [[nodiscard]] virtual std::vector<Object*> antecedents() { return {}; }

private:
    void try_to_close() {
        if (closing_ && holds_ == 0) {
            closing_ = false;
            end_close();
            const std::vector<Object*> held = antecedents();
            std::exchange(closed_, nullptr)([held] {  // this object may be gone by then
                for (Object* const object : held) {
                    object->release();
                }
            });
        }
    }

    int holds_ = 0;
    bool closing_ = false;
    Closed closed_;
};

}  // namespace ndsim::core
