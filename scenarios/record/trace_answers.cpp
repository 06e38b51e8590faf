// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_answers.hpp"

#include <algorithm>

namespace ndsim {

void TraceAnswers::came(std::size_t host, const Packet& packet, const TracePoint& here) {
    Queue& queue = queues_[key(host, packet.destination)];
    if (queue.size() == kMost) {
        queue.erase(queue.begin());
    }
    queue.push_back({packet.psn, packet.opcode == Opcode::read_request, here});
}

std::optional<TracePoint> TraceAnswers::take(std::size_t host, const Packet& packet, Picoseconds made) {
    const OpcodeInfo& kind = info(packet.opcode);
    const bool is_data = kind.operation == Operation::read_response && kind.first;
    const auto found = queues_.find(key(host, packet.source));
    if ((!is_data && packet.opcode != Opcode::acknowledge) || found == queues_.end()) {
        return std::nullopt;
    }
    Queue& queue = found->second;
    const auto answered = is_data ? asked(queue, packet.psn, made) : covered(queue, packet.psn, made);
    if (queue.empty()) {
        queues_.erase(found);
    }
    return answered;
}

// Of a Read that is repeated, the receiver or the responder may have dropped the earlier requests. Those that came
// before the one that is answered are done with.
std::optional<TracePoint> TraceAnswers::asked(Queue& queue, Psn psn, Picoseconds made) {
    const auto last = std::find_if(queue.rbegin(), queue.rend(), [&](const Waiting& each) {
        return each.is_read && each.psn == psn && each.point.at <= made;
    });
    if (last == queue.rend()) {
        return std::nullopt;
    }
    const TracePoint point = last->point;
    std::erase_if(queue, [&](const Waiting& each) { return each.is_read && each.point.at <= point.at; });
    return point;
}

std::optional<TracePoint> TraceAnswers::covered(Queue& queue, Psn psn, Picoseconds made) {
    const auto is_covered = [&](const Waiting& each) { return each.point.at <= made && each.psn.ahead_of(psn) <= 0; };
    std::optional<TracePoint> last;
    std::optional<TracePoint> newest;
    for (const Waiting& each : queue) {
        newest = each.point.at <= made ? each.point : newest;
        last = is_covered(each) ? each.point : last;
    }
    std::erase_if(queue, is_covered);
    return last ? last : newest;
}

Picoseconds TraceAnswers::earliest() const {
    Picoseconds earliest = Picoseconds::max();
    for (const auto& [key, queue] : queues_) {
        for (const Waiting& each : queue) {
            earliest = std::min(earliest, each.point.at);
        }
    }
    return earliest;
}

}  // namespace ndsim
