// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/pcie_link.hpp"

#include <algorithm>

#include "models/parts/ranks.hpp"
#include "models/pcie/link_states.hpp"
#include "models/proto/tlp_cuts.hpp"
#include "sim/base/invariant_error.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kInterruptBytes = 4;

}  // namespace

PcieLink::PcieLink(const sc_core::sc_module_name& name, Timeline& timeline, const PcieParams& params)
    : Unit(name, timeline),
      params_(params),
      flight_(params.flight()),
      up_(params.tlp_rate(), params.arbiter_grain),
      up_free_(*this, timeline, kRankLink),
      read_credits_(*this, timeline, kRankLink),
      posted_(*this, params),
      nonposted_headers_(*this, kNonpostedHeadersPool, params.nonposted_headers),
      up_times_(*this, "up", kUpStates),
      down_(*this, timeline, params, bar, client) {
    device.bind(*this);
    root_events.bind(*this);
}

void PcieLink::read(const ReadTrain& train) {
    if (waiting_reads_.empty() && nonposted_headers_.available(now()) >= train.requests) {
        send_read(train);
        return;
    }
    ++credit_waits_;
    waiting_reads_.push({train, now()});
    up_times_.enter(kUpReads, std::max(now(), up_.bulk_free_at()));
    wait_for_read_credits();
}

// A read that waits for credits holds up later reads only.
void PcieLink::wait_for_read_credits() {
    if (!waiting_reads_.empty() && !read_credits_.due()) {
        const auto at = nonposted_headers_.when_available(waiting_reads_.front().train.requests, now());
        read_credits_.set(at.value_or(now()));
    }
}

void PcieLink::read_credits_there() {
    const WaitingRead first = waiting_reads_.pop();
    client->read_waited(first.train.token, {first.since, now()});
    send_read(first.train);
    wait_for_read_credits();
}

void PcieLink::send_read(const ReadTrain& train) {
    // A request never passes an earlier write, not even one that waits for credits.
    const Picoseconds at = std::max(now(), posted_.booked_until());
    if (at > now()) {
        ++credit_waits_;
        client->read_waited(train.token, {now(), at});
    }
    const Bytes total = train.requests * params_.read_header;
    const Interval sent = up_.express(at, total);
    note_up();
    const Picoseconds first_there = sent.start + up_.rate().time(params_.read_header) + flight_;
    nonposted_headers_.hold(train.requests, {at, sent.end + flight_ + params_.update_fc + flight_});
    up_bytes_ += total.count;
    read_requests_ += train.requests;
    up_express_.set(train.use, sent.start);
    up_express_.set(TlpUse::idle, sent.end);

    root->read(train, first_there);
}

void PcieLink::write(const WriteTrain& train) {
    if (train.express) {
        send_express(train);
        return;
    }
    if (waiting_up_.empty() && up_.train_until() <= now()) {
        send_bulk(train);
        return;
    }
    waiting_up_.push(train);
    wait_for_up();
}

void PcieLink::wait_for_up() {
    if (!waiting_up_.empty() && !up_free_.due()) {
        up_free_.set(up_.train_until());
    }
}

// Small writes and requests that have arrived are booked; later ones enter this train, or wait behind it.
void PcieLink::up_free() {
    send_bulk(waiting_up_.pop());  // the device may hand on the next train meanwhile
    wait_for_up();
}

void PcieLink::wait_for_posted(std::uint32_t token, Picoseconds since, const PostedCredits::Ready& ready) {
    const Interval wait{std::max(since, now()), ready.at};
    if (wait.end <= wait.start) {
        return;
    }
    if (const Picoseconds free = std::max(wait.start, up_.share().end); free < wait.end) {
        up_times_.enter(ready.data_last ? kUpData : kUpHeaders, free);
        up_times_.enter(up_rest(), wait.end);
    }
    ++credit_waits_;
    client->write_waited(token, wait);
}

// Notes the train just served, and what the upward direction does afterwards.
void PcieLink::note_up() {
    up_times_.enter(kUpBusy, up_.share().start);
    up_times_.enter(up_rest(), up_.share().end);
}

void PcieLink::stall(Picoseconds until) {
    hold(up_, up_times_, kUpStall, up_rest(), {now(), until});
    down_.stall(until);
}

void PcieLink::book_posted(Picoseconds at, std::uint32_t tlps, std::uint32_t bytes, Picoseconds visible) {
    // The root complex has drained the write when it is visible.
    posted_.book(at, tlps, bytes, visible + params_.update_fc + flight_);
}

void PcieLink::send_bulk(const WriteTrain& train) {
    const std::uint32_t length = train.interrupt ? kInterruptBytes : train.length;
    const std::uint32_t tlps =
        train.interrupt ? 1 : cut_count(train.to, length, static_cast<std::uint32_t>(params_.mps.count));
    const Bytes total = Bytes{length} + tlps * params_.write_header;
    const Bytes last = Bytes{std::min<std::uint64_t>(length, params_.mps.count)} + params_.write_header;
    const PostedCredits::Ready credits = posted_.ready(tlps, length, now());
    const Interval ready{std::max(train.ready.start, credits.at), std::max(train.ready.end, credits.at)};
    wait_for_posted(train.token, up_.data_start(train.ready, total, last), credits);
    const Interval sent = up_.bulk(ready, total, last);
    note_up();
    WriteTrain arriving = train;
    arriving.relaxed = train.relaxed && params_.relaxed_ordering;
    const Picoseconds visible = root->write(arriving, sent.end + flight_);
    book_posted(credits.at, tlps, length, visible);
    up_bytes_ += total.count;
    ++writes_;
    up_bulk_.set(train.use, sent.start);
    up_bulk_.set(TlpUse::idle, sent.end);
    client->write_scheduled(train.token, sent.end, visible);
}

void PcieLink::send_express(const WriteTrain& train) {
    const std::uint32_t length = train.interrupt ? kInterruptBytes : train.length;
    const Bytes total = Bytes{length} + params_.write_header;
    const PostedCredits::Ready credits = posted_.ready(1, length, now());
    wait_for_posted(train.token, train.ready.end, credits);
    const Interval sent = up_.express(std::max(train.ready.end, credits.at), total);
    note_up();
    const Picoseconds visible = root->write(train, sent.end + flight_);
    book_posted(credits.at, 1, length, visible);
    up_bytes_ += total.count;
    ++writes_;
    up_express_.set(train.use, sent.start);
    up_express_.set(TlpUse::idle, sent.end);
    client->write_scheduled(train.token, sent.end, visible);
}

void PcieLink::report(StatSink& sink) const {
    sink.add("up_bytes", up_bytes_, StatUnit::bytes, "TLP bytes from the NIC to the host");
    sink.add("down_bytes", down_.bytes(), StatUnit::bytes, "TLP bytes from the host to the NIC");
    sink.add("read_requests", read_requests_, StatUnit::count, "read requests of the NIC");
    sink.add("writes", writes_, StatUnit::count, "writes of the NIC");
    sink.add("stores", down_.stores(), StatUnit::count, "stores of the CPU to the NIC");
    sink.add("credit_waits", credit_waits_ + down_.credit_waits(), StatUnit::count,
             "transfers that waited for credits");
    sink.add("met_trains", up_.met_trains() + down_.direction().met_trains(), StatUnit::count,
             "small transfers that found a train in service");
}

void PcieLink::check_idle() const {
    if (!waiting_up_.empty() || !waiting_reads_.empty() || !down_.is_idle()) {
        throw InvariantError(name(), now(), "transfers are still waiting at the end");
    }
}

}  // namespace ndsim
