// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/cargo.hpp"

namespace ndsim::reference {

namespace {

std::size_t stream_of_reads(std::size_t connection, std::size_t from) {
    return (kConnections + connection) * kSides + from;
}

}  // namespace

void Cargo::carry(std::size_t epoch) {
    std::vector<Transfer> transfers;
    for (std::size_t number = 0; number < kConnections; ++number) {
        const Connection& connection = scene_.connections[number];
        const Course& course = scene_.courses[number];
        for (std::size_t from = 0; from < kSides && connection.state == State::alive; ++from) {
            const Queue& sends = connection.sends[from];
            std::size_t taken = course.first[from];
            std::size_t fenced = 0;
            for (std::size_t i = 0; i < sends.announced && course.reaches(from, i); ++i) {
                const std::optional<Failure>& failure = course.failures[from];
                const bool fails = failure && failure->at == i;
                if (fails && !failure->receive) {
                    break;  // nothing of it arrives
                }
                const Step& step = scene_.requests.step_of(sends.open[i]);
                fenced = step.fence ? transfers.size() : fenced;
                if (auto moved = transfer(sends.open[i], number, taken)) {
                    // What is inline was taken at the post, and a Read's source is at the peer.
                    moved->sees = step.inlined || step.what == What::read ? 0 : fenced;
                    moved->reads = stream_of_reads(number, from);
                    moved->certain = moved->certain && !fails && !course.is_uncertain(from);
                    transfers.push_back(*std::move(moved));
                }
            }
        }
    }
    memories_.apply(transfers);
    // An inline message is what its post took, however long it is deferred [K99].
    for (const Connection& connection : scene_.connections) {
        for (std::size_t side = 0; side < kSides; ++side) {
            for (const std::size_t request : connection.sends[side].open) {
                const Step& step = scene_.requests.step_of(request);
                if (scene_.requests[request].epoch == epoch && step.what != What::read) {
                    (step.inlined ? captured_ : posted_)[request] = memories_.taken(side, step.pieces);
                }
            }
        }
    }
}

// Nothing if it has no bytes, though a message takes a receive nevertheless.
std::optional<Transfer> Cargo::transfer(std::size_t request, std::size_t number, std::size_t& taken) const {
    const Step& step = scene_.requests.step_of(request);
    const std::size_t from = step.side;
    const std::size_t receive = step.is_send() ? taken++ : 0;
    const bool by_chance = step.is_send() && scene_.endpoint(1 - from, number).srq && scene_.srqs[1 - from].contested;
    if (step.is_local() || (step.length() == 0 && !by_chance)) {
        return std::nullopt;
    }
    Transfer transfer;
    transfer.from = from;
    transfer.stream = number * kSides + from;
    transfer.source = step.pieces;
    if (const auto captured = captured_.find(request); captured != captured_.end()) {
        transfer.captured = captured->second;
    }
    if (const auto posted = posted_.find(request); posted != posted_.end()) {
        transfer.posted = posted->second;
    }
    if (step.is_send()) {
        transfer.target = scene_.requests.step_of(scene_.receives_of(1 - from, number).open[receive]).pieces;
        if (by_chance) {  // another message may be in its receive
            transfer.stream = 2 * kConnections * kSides + from;
            transfer.certain = false;
        }
        return transfer;
    }
    const Span remote{scene_.courses[number].remote.at(request), static_cast<std::uint32_t>(step.length())};
    if (step.what == What::write) {
        transfer.target = {remote};
        return transfer;
    }
    transfer.from = 1 - from;
    transfer.stream = stream_of_reads(number, from);
    transfer.source = {remote};
    transfer.target = step.into_region ? std::vector<Span>{scene_.courses[number].sinks.at(request)} : step.pieces;
    return transfer;
}

}  // namespace ndsim::reference
