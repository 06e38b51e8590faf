// SPDX-License-Identifier: Apache-2.0
// Calls interfaces as programs in C do: through the table that an object points at, by the number of the slot and with
// the object in front. So a test sees where the compiler has put a method.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "ndapi/windows/abi/unknown.h"
#include "tests/support/catch.hpp"

// What a method returns that only has to say that it was called: nothing, as any type.
struct Nothing {
    template <class Value>
    operator Value() const {
        return Value{};
    }
};

// An object whose methods write down their own numbers; those of IUnknown are the first three.
template <class Interface>
class Noting : public Interface {
public:
    HRESULT QueryInterface(REFIID, VOID**) override { return note(0); }
    ULONG AddRef() override { return note(1); }
    ULONG Release() override { return note(2); }

    [[nodiscard]] std::size_t called() const { return called_; }

protected:
    ~Noting() = default;

    Nothing note(std::size_t method) {
        called_ = method;
        return {};
    }

private:
    std::size_t called_ = 0;
};

// Calls what is in the slot. Only the types are taken from `method`; all arguments are zeros.
template <class Object, class Interface, class Result, class... Parameters>
void call_slot(Object& object, std::size_t slot, Result (Interface::*)(Parameters...)) {
    using Function = Result (*)(Interface*, Parameters...);
    Interface* const self = &object;
    const VOID* const begin = self;
    const Function* table = nullptr;
    std::memcpy(&table, begin, sizeof(table));  // no cast, as the optimiser knows what may point at a table
    table[slot](self, std::remove_cvref_t<Parameters>{}...);
}

// Slot i calls the method with the number i, for IUnknown's three and for `methods`, which follow in order.
template <class Object, class... Methods>
void check_slots(Methods... methods) {
    Object object;
    std::size_t slot = 0;
    const auto check = [&](auto method) {
        CAPTURE(slot);
        call_slot(object, slot, method);
        CHECK(object.called() == slot);
        ++slot;
    };
    check(&IUnknown::QueryInterface);
    check(&IUnknown::AddRef);
    check(&IUnknown::Release);
    (check(methods), ...);
}

// The object is a pointer to its table, without a slot for destruction.
template <class Interface>
constexpr bool is_interface =
    sizeof(Interface) == sizeof(VOID*) && std::is_abstract_v<Interface>&& std::is_base_of_v<IUnknown, Interface> &&
    !std::has_virtual_destructor_v<Interface>;
