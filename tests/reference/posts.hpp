// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/completions.hpp"

namespace ndsim::reference {

// Posts: what a host's calls do to its queue pairs. A call is false if it would have no certain outcome: it is not
// carried out.
class Posts {
public:
    Posts(Scene& scene, Completions& completions) : scene_(scene), completions_(completions) {}

    // An epoch begins.
    void begin();
    [[nodiscard]] bool post(std::size_t epoch, std::size_t index);
    [[nodiscard]] bool poll(const Step& step);
    [[nodiscard]] bool disconnect(const Step& step);

    // Posts that were refused.
    [[nodiscard]] std::uint32_t refused(std::size_t side) const { return refused_[side]; }

private:
    bool touch(const Step& step);

    Scene& scene_;
    Completions& completions_;
    std::array<std::uint32_t, kSides> labels_{};
    std::array<std::uint32_t, kSides> refused_{};
    // In this epoch, the side that uses or changes an object: of a connection, of a side.
    std::array<std::array<std::array<std::optional<std::uint8_t>, kObjects>, kSides>, kConnections> touched_;
};

}  // namespace ndsim::reference
