// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tests/reference/model_run.hpp"

namespace ndsim::reference {

// Moves the bytes.
void Model::carry(std::size_t epoch) {
    std::vector<Transfer> transfers;
    for (std::size_t number = 0; number < kConnections; ++number) {
        const Connection& connection = connections_[number];
        const Course& course = courses_[number];
        for (std::size_t from = 0; from < kSides && connection.state == State::alive; ++from) {
            const Queue& sends = connection.sends[from];
            std::size_t taken = 0;
            for (std::size_t i = 0; i < sends.announced; ++i) {
                const std::optional<Failure>& failure = course.failures[from];
                const bool fails = failure && failure->at == i;
                const Step& step = step_of(sends.open[i]);
                if (fails && !failure->receive) {
                    break;  // nothing of it arrives
                }
                if (step.is_local() || step.length() == 0) {
                    if (fails) {
                        break;
                    }
                    taken += step.is_send() ? 1 : 0;
                    continue;
                }
                Transfer transfer;
                transfer.from = from;
                transfer.stream = number * kSides + from;
                transfer.source = step.pieces;
                if (const auto captured = captured_.find(sends.open[i]); captured != captured_.end()) {
                    transfer.captured = captured->second;
                }
                const Span remote{step.is_send() ? 0 : remote_.at(sends.open[i]),
                                  static_cast<std::uint32_t>(step.length())};
                if (step.what == What::read) {
                    transfer.from = 1 - from;
                    transfer.stream += kConnections * kSides;
                    transfer.source = {remote};
                    transfer.target = step.pieces;
                } else if (step.what == What::write) {
                    transfer.target = {remote};
                } else {
                    transfer.target = step_of(connection.receives[1 - from].open[taken++]).pieces;
                }
                transfer.certain = !fails && !course.is_uncertain(from);
                transfers.push_back(std::move(transfer));
                if (fails) {
                    break;
                }
            }
        }
    }
    memories_.apply(transfers);
    // An inline message is what its post took, however long it is deferred [K99].
    for (const Connection& connection : connections_) {
        for (std::size_t side = 0; side < kSides; ++side) {
            for (const std::size_t request : connection.sends[side].open) {
                const Step& step = step_of(request);
                if (step.inlined && result_.requests[request].epoch == epoch) {
                    captured_[request] = memories_.taken(side, step.pieces);
                }
            }
        }
    }
}

}  // namespace ndsim::reference
