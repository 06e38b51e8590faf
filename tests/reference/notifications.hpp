// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/completions.hpp"

namespace ndsim::reference {

// Notifications: what hosts change of their queues, and what they are notified of.
class Notifications {
public:
    Notifications(Scene& scene, Completions& completions, const Outcomes& outcomes)
        : scene_(scene), completions_(completions), outcomes_(outcomes) {}

    // An epoch begins.
    void begin();
    // A setting, by its step. False if it would have no certain outcome: it is not carried out.
    [[nodiscard]] bool set(std::size_t index, const Step& step);
    // The epoch is at rest, but nothing is polled yet: carries out the settings for that time.
    void notify(const Epoch& steps, std::vector<bool>& done);

    // Queues of which a notification must have come in this epoch.
    [[nodiscard]] const std::vector<std::string>& waits(std::size_t side) const { return waits_[side]; }
    [[nodiscard]] const std::array<Notified, kSides>& notified() const { return notified_; }
    // Settings that were refused.
    [[nodiscard]] std::uint32_t refused(std::size_t side) const { return refused_[side]; }

private:
    // What a completion queue is armed for.
    struct Arm {
        Wish wish = Wish::nothing;
        bool amid = false;                   // in this epoch, when completions may have come already
        bool uncertain = false;              // whether it is armed, from now on
        std::optional<std::size_t> at_rest;  // in this epoch, by this step
        std::optional<std::size_t> resized_at_rest;
    };
    // Whether a fall of a shared queue notifies.
    struct Watch {
        std::uint32_t limit = 0;  // a fall below it does; 0: none does
        bool uncertain = false;   // whether it will, from now on
    };
    // What a completion queue holds when all is at rest.
    struct Present {
        std::uint32_t completions = 0;  // of the epoch
        std::uint32_t entries = 0;      // of these, not polled
        bool told = false;              // the host was notified of the first
    };

    [[nodiscard]] static bool arm(std::size_t index, const Step& step, Arm& arm);
    [[nodiscard]] bool resize(std::size_t index, const Step& step, const std::string& name, Arm& arm);
    [[nodiscard]] bool modify(const Step& step, SharedQueue& srq, Watch& watch);
    void notify(const Epoch& steps, std::size_t side, const std::string& name, Arm& arm, std::vector<bool>& done);
    void notify(std::size_t side, const SharedQueue& srq, Watch& watch);
    [[nodiscard]] bool is_met(std::size_t side, const std::string& name, Arm& arm) const;
    void arm_at_rest(Wish wish, std::size_t side, const std::string& name, Arm& arm, const Present& present);
    void tell(std::size_t side, const std::string& name, Arm& arm);
    void tell(std::size_t side, Watch& watch);

    Scene& scene_;
    Completions& completions_;
    const Outcomes& outcomes_;
    std::array<std::map<std::string, Arm>, kSides> arms_;
    std::array<Watch, kSides> watches_;
    std::array<std::vector<std::string>, kSides> waits_;
    std::array<Notified, kSides> notified_;
    std::array<std::uint32_t, kSides> refused_{};
};

}  // namespace ndsim::reference
