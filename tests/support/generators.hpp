// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <utility>
#include <vector>

// Generators of random values, whatever their size is meant to be.
namespace ndsim::test {

template <class T>
rc::Gen<T> below(T end) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, end));
}

inline rc::Gen<bool> one_in(std::size_t n) {
    return rc::gen::weightedElement<bool>({{n - 1, false}, {1, true}});
}

// At most `most` of them.
template <class T>
rc::Gen<std::vector<T>> list_of(int most, rc::Gen<T> item) {
    return rc::gen::resize(most,
                           rc::gen::container<std::vector<T>>(rc::gen::resize(rc::kNominalSize, std::move(item))));
}

}  // namespace ndsim::test
