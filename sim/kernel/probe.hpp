// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

class Unit;

// Records the changes of probes, each known by a number that the sink gives it. Times of one probe never go back; those
// of different probes may: a unit can tell at once when a reservation made now begins and ends.
class WaveSink {
public:
    virtual ~WaveSink() = default;
    virtual void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) = 0;
};

// ProbeBase: one thing of a unit to watch; declared once with its name and its sentence.
class ProbeBase {
public:
    // `states` names the values 0, 1, 2 ... of a state; empty for others. A value that `shows_requests` has the host
    // above 32 bits for the number; 0 is no request.
    ProbeBase(Unit& owner, std::string_view name, std::string_view sentence, unsigned bits,
              std::span<const std::string_view> states, bool shows_requests = false);
    ProbeBase(const ProbeBase&) = delete;
    ProbeBase& operator=(const ProbeBase&) = delete;

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::string_view sentence() const { return sentence_; }
    [[nodiscard]] unsigned bits() const { return bits_; }
    [[nodiscard]] std::span<const std::string_view> states() const { return states_; }
    [[nodiscard]] bool shows_requests() const { return shows_requests_; }
    [[nodiscard]] std::uint64_t shown() const { return shown_; }

    // From now on changes also go to `sink`, which knows this probe by `signal`.
    void attach(WaveSink& sink, std::uint32_t signal) {
        listeners_.push_back({&sink, signal});
        is_watched_ = true;
    }
    void detach(const WaveSink& sink) {
        std::erase_if(listeners_, [&sink](const Listener& listener) { return listener.sink == &sink; });
        is_watched_ = !listeners_.empty();
    }

protected:
    ~ProbeBase() = default;
    [[nodiscard]] bool is_watched() const { return is_watched_; }
    void show(std::uint64_t value, Picoseconds at) {
        if (is_watched_) [[unlikely]] {
            tell(value, at);
        } else {
            shown_ = value;
        }
    }

private:
    // A sink, and its number for this probe.
    struct Listener {
        WaveSink* sink = nullptr;
        std::uint32_t signal = 0;
    };

    void tell(std::uint64_t value, Picoseconds at);  // unless it is shown already

    std::string_view name_;
    std::string_view sentence_;
    unsigned bits_;
    bool shows_requests_;
    bool is_watched_ = false;  // there are listeners
    std::span<const std::string_view> states_;
    std::vector<Listener> listeners_;
    std::uint64_t shown_ = 0;
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
