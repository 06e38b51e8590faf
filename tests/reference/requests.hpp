// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model.hpp"

namespace ndsim::reference {

// Requests: all that hosts have posted, by number, what becomes of each, and the steps that leave that to chance.
class Requests {
public:
    explicit Requests(const Program& program) : program_(program) {}

    std::size_t add(Request request) {
        all_.push_back(std::move(request));
        return all_.size() - 1;
    }
    [[nodiscard]] const Request& operator[](std::size_t request) const { return all_[request]; }
    [[nodiscard]] Request& operator[](std::size_t request) { return all_[request]; }
    [[nodiscard]] std::vector<Request>& all() { return all_; }
    [[nodiscard]] const Step& step_of(std::size_t request) const {
        const Request& r = all_[request];
        return program_.epochs[r.epoch][r.step];
    }
    void give(std::size_t request, int fates, const std::string& failure = {}) {
        all_[request].fates = static_cast<std::uint8_t>(fates);
        all_[request].failure = failure;
    }
    void doubt(std::size_t request, Doubt::Remedy remedy) {
        doubts_.push_back({all_[request].epoch, all_[request].step, remedy});
    }
    [[nodiscard]] std::vector<Doubt>& doubts() { return doubts_; }

private:
    const Program& program_;
    std::vector<Request> all_;
    std::vector<Doubt> doubts_;
};

}  // namespace ndsim::reference
