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

bool is_late(const Program& program, const Epoch&, const Step& step) {
    return program.infiniband && step.what == What::receive && step.late;
}

std::vector<std::size_t> order_of(const Program& program, const Epoch& epoch) {
    const auto rank = [&](const Step& step) {
        return step.what == What::receive      ? (is_late(program, epoch, step) ? 2 : 0)
               : step.what == What::disconnect ? 3
                                               : 1;
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
