// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_generator.hpp"

#include <algorithm>
#include <array>

#include "models/parts/ranks.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

enum State : std::size_t { kIdle, kBusy, kInFlight, kNoTag };
constexpr std::array kGeneratorStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time that the generator waited between two issues, as set"},
    EngineState{"in_flight", "time with the maximum number of transfers under way"},
    EngineState{"tags", "time with a read that the DMA engine did not accept"}};

}  // namespace

DmaGenerator::DmaGenerator(const sc_core::sc_module_name& name, Timeline& timeline, const DmaGeneratorParams& params,
                           Address window, std::uint64_t seed, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      window_(window),
      payloads_(payloads),
      random_(seed, this->name()),
      sink_(params.size.count),
      next_issue_(*this, timeline, kRankTransport),
      steps_(*this, timeline, kRankTransport),
      in_flight_(*this, kInFlightPool, params.in_flight),
      times_(*this, {}, kGeneratorStates) {
    transfers_.reserve(params.in_flight);
    free_transfers_.reserve(params.in_flight);
}

void DmaGenerator::issue() {
    // A refused read keeps its turn.
    while (issued_ < params_.count && in_flight_.available(now()) > 0 && refused_.empty()) {
        if (now() < not_before_) {
            next_issue_.set(not_before_);
            break;
        }
        not_before_ = now() + params_.issue;
        begin(params_.operation == DmaOperation::read_and_write ? issued_ % 2 == 1
                                                                : params_.operation != DmaOperation::read);
    }
    note();
}

void DmaGenerator::note() {
    if (now() < not_before_) {
        times_.enter(kBusy, now());
    }
    const State rest = !refused_.empty() ? kNoTag : issued_ == params_.count ? kIdle : kInFlight;
    times_.enter(rest, std::max(now(), not_before_));
}

void DmaGenerator::begin(bool with_write) {
    const std::uint32_t transfer = take_slot(transfers_, free_transfers_);
    transfers_[transfer] = {next_place(), now(), params_.operation == DmaOperation::write_read};
    in_flight_.take(1, now());
    ++issued_;
    if (with_write) {
        write(transfer);
    } else {
        read(transfer);
    }
}

Address DmaGenerator::next_place() {
    const std::uint64_t units = params_.units();
    const std::uint64_t unit = params_.access == DmaAccess::random ? random_.between(0, units - 1) : issued_ % units;
    return window_ + unit * params_.unit().count + params_.offset.count;
}

void DmaGenerator::read(std::uint32_t transfer) {
    if (!refused_.empty() || !try_read(transfer)) {
        refused_.push(transfer);
    }
}

bool DmaGenerator::try_read(std::uint32_t transfer) {
    const auto length = static_cast<std::uint32_t>(params_.size.count);
    const ReadPiece piece{transfers_[transfer].place, length, sink_.data()};
    if (!dma->try_read(ReadClass::payload, {&piece, 1}, transfer, {}, *this)) {
        return false;
    }
    read_bytes_ += length;
    return true;
}

void DmaGenerator::read_space(ReadClass) {
    while (!refused_.empty() && try_read(refused_.front())) {
        refused_.pop();
    }
    issue();
}

void DmaGenerator::write(std::uint32_t transfer) {
    WriteTrain train;
    train.to = transfers_[transfer].place;
    train.length = static_cast<std::uint32_t>(params_.size.count);
    train.payload = payloads_.take_for_message();
    train.last_use = true;
    train.ready = {now(), now()};
    train.token = transfer;
    train.use = TlpUse::payload;
    written_bytes_ += train.length;
    dma->write(train, this);
}

// A read that follows is issued behind the last byte of the write, and so pushes it.
void DmaGenerator::write_scheduled(std::uint32_t transfer, Picoseconds issued, Picoseconds visible) {
    steps_.push(std::max(now(), transfers_[transfer].read_follows ? issued : visible), transfer);
}

void DmaGenerator::go_on(const std::uint32_t& transfer) {
    if (transfers_[transfer].read_follows) {
        transfers_[transfer].read_follows = false;
        read(transfer);
        note();
        return;
    }
    const Interval span{transfers_[transfer].issued, now()};
    free_transfers_.push_back(transfer);
    in_flight_.give(1, now());
    ++ended_;
    if (observer_ != nullptr) {
        observer_->transfer_ended(span);
    }
    issue();
}

void DmaGenerator::report(StatSink& sink) const {
    sink.add("transfers", ended_, StatUnit::count, "transfers that have ended");
    sink.add("read_bytes", read_bytes_, StatUnit::bytes, "read from host memory");
    sink.add("written_bytes", written_bytes_, StatUnit::bytes, "written to host memory");
}

void DmaGenerator::check_idle() const {
    if (issued_ != ended_) {
        throw InvariantError(name(), now(), "transfers are still under way at the end");
    }
}

}  // namespace ndsim
