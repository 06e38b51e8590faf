// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <utility>

namespace ndsim {

// The C++ exceptions that software is handling and those in flight, in the layout of the Itanium C++ ABI. The C++
// library keeps them per thread of the operating system, and all cores run on one thread.
struct ExceptionState {
    void* handled;
    unsigned under_way;
};

// A core takes its exceptions away while it waits, and puts them back.
inline ExceptionState exchange_exceptions(const ExceptionState& next) {
    return std::exchange(*reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals()), next);
}

}  // namespace ndsim
