// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/resting_numbers.hpp"
#include "sim/base/slots.hpp"

namespace ndsim::core {

// NumberTable: a driver's objects of one kind by number. Its size follows the number of present objects, not of all
// that there ever were.
template <class Object>
class NumberTable {
public:
    // The object of a number now, and how many had it before.
    struct Place {
        Object* object = nullptr;
        std::uint32_t lives = 0;  // objects that have had the number
    };

    [[nodiscard]] std::uint32_t add(Object& object) {
        const std::uint32_t number = numbers_.take();
        grown(places_, number).object = &object;
        ++places_[number].lives;
        return number;
    }
    void remove(std::uint32_t number) {
        places_[number].object = nullptr;
        numbers_.give(number);
    }
    [[nodiscard]] Object* find(std::uint32_t number) const {
        return number < places_.size() ? places_[number].object : nullptr;
    }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }

private:
    RestingNumbers numbers_;
    std::vector<Place> places_;
};

}  // namespace ndsim::core
