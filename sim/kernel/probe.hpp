// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "sim/base/units.hpp"

namespace ndsim {

class Unit;
class ProbeBase;

// Whoever records what probes show. Times of one probe never go back, those of different probes may: a unit can
// tell at once when a reservation it makes now begins and ends.
class WaveSink {
public:
    virtual ~WaveSink() = default;
    virtual void change(const ProbeBase& probe, Picoseconds at, std::uint64_t value) = 0;
};

// ProbeBase: one thing of a unit that a person watches; declared once with its name and its sentence.
class ProbeBase {
public:
    // `states` names the values 0, 1, 2 ... of a state; empty for a number.
    ProbeBase(Unit& owner, std::string_view name, std::string_view sentence, unsigned bits,
              std::span<const std::string_view> states);
    ProbeBase(const ProbeBase&) = delete;
    ProbeBase& operator=(const ProbeBase&) = delete;

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::string_view sentence() const { return sentence_; }
    [[nodiscard]] unsigned bits() const { return bits_; }
    [[nodiscard]] std::span<const std::string_view> states() const { return states_; }
    [[nodiscard]] std::uint64_t shown() const { return shown_; }

    // From now on changes go to `sink`, which knows this probe by `signal`.
    void attach(WaveSink& sink, std::uint32_t signal) {
        sink_ = &sink;
        signal_ = signal;
    }
    void detach() { sink_ = nullptr; }
    [[nodiscard]] std::uint32_t signal() const { return signal_; }

protected:
    ~ProbeBase() = default;
    void show(std::uint64_t value, Picoseconds at) {
        const bool changed = value != shown_;
        shown_ = value;
        if (sink_ != nullptr && changed) {
            sink_->change(*this, at, value);
        }
    }

private:
    std::string_view name_;
    std::string_view sentence_;
    unsigned bits_;
    std::span<const std::string_view> states_;
    WaveSink* sink_ = nullptr;
    std::uint64_t shown_ = 0;
    std::uint32_t signal_ = 0;
};

// Probe: a number, a flag or a state (an enum with its name table) as it changes over time.
template <class T>
class Probe final : public ProbeBase {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);

public:
    Probe(Unit& owner, std::string_view name, std::string_view sentence, std::span<const std::string_view> states = {})
        : ProbeBase(owner, name, sentence, std::is_same_v<T, bool> ? 1 : 8 * sizeof(T), states) {}

    void set(T value, Picoseconds at) { show(static_cast<std::uint64_t>(value), at); }
    [[nodiscard]] T get() const { return static_cast<T>(shown()); }
};

}  // namespace ndsim
