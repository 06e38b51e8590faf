// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/exact_rate.hpp"
#include "sim/base/work.hpp"

namespace ndsim {

class Unit;

// Records the work of units. It knows each probe by a number that it gives. Times may lie ahead of the simulation,
// never behind it; but a piece of work that has begun may end much later.
class WorkSink {
public:
    virtual ~WorkSink() = default;
    virtual void begun(std::uint32_t probe, std::uint32_t slot, Picoseconds at, const Work& work) = 0;
    virtual void ended(std::uint32_t probe, std::uint32_t slot, Picoseconds at) = 0;
    virtual void dropped(std::uint32_t probe, std::uint32_t slot) = 0;
    virtual void done(std::uint32_t probe, Interval when, const Work& work) = 0;
};

// WorkProbe: pieces of a unit's work, several at a time, each from begin to end. Slots distinguish the pieces under
// way. A piece is described only if there is a sink.
class WorkProbe {
public:
    WorkProbe(Unit& owner, std::string_view name, std::string_view sentence);
    WorkProbe(const WorkProbe&) = delete;
    WorkProbe& operator=(const WorkProbe&) = delete;

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::string_view sentence() const { return sentence_; }

    // From now on work also goes to `sink`, which knows this probe by `number`.
    void attach(WorkSink& sink, std::uint32_t number) {
        sink_ = &sink;
        number_ = number;
    }
    void detach() { sink_ = nullptr; }

    template <class Describe>
    void begin(std::uint32_t slot, Picoseconds at, Describe&& describe) {
        if (sink_ != nullptr) {
            sink_->begun(number_, slot, at, describe());
        }
    }
    void end(std::uint32_t slot, Picoseconds at) {
        if (sink_ != nullptr) {
            sink_->ended(number_, slot, at);
        }
    }
    // The piece of work is dropped.
    void drop(std::uint32_t slot) {
        if (sink_ != nullptr) {
            sink_->dropped(number_, slot);
        }
    }
    // A piece of work with known times.
    template <class Describe>
    void done(Interval when, Describe&& describe) {
        if (sink_ != nullptr) {
            sink_->done(number_, when, describe());
        }
    }

private:
    std::string_view name_;
    std::string_view sentence_;
    WorkSink* sink_ = nullptr;
    std::uint32_t number_ = 0;
};

}  // namespace ndsim
