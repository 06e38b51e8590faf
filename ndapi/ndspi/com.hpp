// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ndapi/core/blocking.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/ndspi/ndspi.h"
#include "ndapi/windows/os/process.hpp"

namespace ndsim::nd {

// The two versions of the interface, which share an implementation.
enum class Version : std::uint8_t { v1, v2 };

// Adapter: the state shared by all objects of an opened adapter. It lives until the last of them is gone.
struct Adapter {
    Adapter(os::Process& program, Version interface_version)
        : process(program), driver(program.driver()), version(interface_version), pd(program.driver()) {}

    os::Process& process;
    core::Driver& driver;
    const Version version;
    core::Pd pd;  // one for everything: the interface has no protection domains
};
using AdapterPtr = std::shared_ptr<Adapter>;

// Face: an object as the program sees it: counted references, and its interfaces. With the last reference it is taken
// down, which may outlast the call; at a program's end its remaining objects are taken down.
template <class Interface>
class Face : public Interface, public os::Owned {
public:
    Face(AdapterPtr adapter, std::vector<IID> interfaces) : adapter_(std::move(adapter)), iids_(std::move(interfaces)) {
        iids_.push_back(IID_IUnknown);
        adapter_->process.lifetime().adopt(*this);
    }
    virtual ~Face() = default;

    HRESULT QueryInterface(REFIID iid, VOID** out) final {
        if (out == nullptr) {
            return E_POINTER;
        }
        const bool has_it = std::find(iids_.begin(), iids_.end(), iid) != iids_.end();
        *out = has_it ? static_cast<Interface*>(this) : nullptr;
        references_ += has_it ? 1 : 0;
        return has_it ? ND_SUCCESS : E_NOINTERFACE;
    }
    ULONG AddRef() final { return ++references_; }
    ULONG Release() final {
        const ULONG left = --references_;
        if (left == 0) {
            core::catch_up(driver());
            adapter_->process.lifetime().disown(*this);
            leave();
        }
        return left;
    }
    void abandon() final { leave(); }

    [[nodiscard]] const AdapterPtr& adapter() const { return adapter_; }

protected:
    [[nodiscard]] core::Driver& driver() const { return adapter_->driver; }
    [[nodiscard]] os::Process& process() const { return adapter_->process; }
    // Takes the object down, and finally calls forget().
    virtual void leave() = 0;
    // The object is no longer needed.
    void forget() {
        const AdapterPtr last = adapter_;
        last->driver.drop(this);
    }
    // Closes the core's object, and forgets this one when it is no longer needed. Objects that it depends on are let go
    // last: they may be asked when this is unused.
    void close(core::Object& object) {
        object.close([this, &object](const std::function<void()>& let_go) {
            driver().callbacks().defer(driver().now(), [this, &object, let_go] {
                const AdapterPtr last = adapter_;  // an object let go may be of an adapter that goes with this one
                object.when_unused([this] { forget(); });
                let_go();
            });
        });
    }

private:
    const AdapterPtr adapter_;
    std::vector<IID> iids_;
    ULONG references_ = 1;
};

// Makes an object; the driver keeps it until it is forgotten.
template <class Object, class... Arguments>
[[nodiscard]] Object& make(core::Driver& driver, Arguments&&... arguments) {
    return driver.keep(std::make_unique<Object>(std::forward<Arguments>(arguments)...));
}

// Has the NIC create a new object, while the caller waits.
template <class Object>
void create_in_nic(core::Driver& driver, Object& object) {
    core::wait_for(driver, "the NIC to create an object", [&object](const auto& done) {
        object.core().create(done);
        return STATUS_PENDING;
    });
}

// Returns a new object as the requested interface. The reference from its creation is released.
template <class Object>
[[nodiscard]] HRESULT hand_out(Object& object, REFIID iid, VOID** out) {
    const HRESULT result = object.QueryInterface(iid, out);
    object.Release();
    return result;
}

// Our object of an interface, if it is ours and of this adapter; otherwise nullptr.
template <class Object, class Interface>
[[nodiscard]] Object* ours(Interface* object, const AdapterPtr& adapter) {
    auto* const found = dynamic_cast<Object*>(object);
    return found != nullptr && found->adapter() == adapter ? found : nullptr;
}

}  // namespace ndsim::nd
