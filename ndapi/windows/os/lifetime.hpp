// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace ndsim::os {

// What a program has of an interface's objects, to be taken down when the program ends without having done so.
class Owned {
public:
    virtual void abandon() = 0;

protected:
    ~Owned() = default;
};

// Lifetime: whether a program has ended, how, and what its end takes down, the youngest first. Once it has ended,
// nobody hears of anything any more.
class Lifetime {
public:
    void adopt(Owned& owned) { owned_.push_back(&owned); }
    void disown(Owned& owned) { std::erase(owned_, &owned); }
    [[nodiscard]] bool has_open_objects() const { return !owned_.empty(); }

    [[nodiscard]] bool has_ended() const { return exit_code_.has_value(); }
    [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
    void end(int code) { exit_code_ = code; }
    void take_down() {
        while (!owned_.empty()) {
            Owned* const youngest = owned_.back();
            owned_.pop_back();
            youngest->abandon();
        }
    }

private:
    std::vector<Owned*> owned_;
    std::optional<int> exit_code_;
};

}  // namespace ndsim::os
