// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/program.hpp"

#include <algorithm>

namespace ndsim::reference {

std::string cq_name(const Program& program, std::size_t side, std::size_t connection, bool receive) {
    const Endpoint& end = program.endpoints[side][connection];
    const std::uint8_t shared = receive ? end.receive_cq : end.send_cq;
    return shared == 0 ? "q" + std::to_string(connection) + (receive ? ".receive" : ".send")
                       : "shared" + std::to_string(shared);
}

bool has_srq(const Program& program, const Step& step) {
    return program.endpoints[step.side][step.connection].srq;
}

bool is_late(const Program& program, const Step& step) {
    return step.what == What::receive && step.late && (program.infiniband || has_srq(program, step));
}

std::vector<std::size_t> order_of(const Program& program, const Epoch& epoch) {
    const auto rank = [&](const Step& step) {
        if (step.is_setting()) {
            return step.phase == Phase::start ? 0 : step.phase == Phase::amid ? 2 : 5;
        }
        return step.what == What::receive ? (is_late(program, step) ? 3 : 1) : step.what == What::disconnect ? 4 : 2;
    };
    std::vector<std::size_t> order(epoch.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(epoch[a]) < rank(epoch[b]); });
    return order;
}

}  // namespace ndsim::reference
