// SPDX-License-Identifier: Apache-2.0
#include "models/context/cache.hpp"

#include <algorithm>

#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

ContextCache::ContextCache(const sc_core::sc_module_name& name, Timeline& timeline, const ContextParams& params)
    : Unit(name, timeline),
      params_(params),
      scratch_(params.qp_context_bytes.count),
      arrivals_(*this, timeline, kRankContext),
      fetches_(*this, "fetches", "contexts on their way", params.qp_context_fetches),
      entries_(*this, "entries", "contexts held", params.qp_context_entries) {
    port.bind(*this);
    lifecycle.bind(*this);
}

// The command leaves the context in the NIC.
void ContextCache::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (contexts_.size() <= index) {
        contexts_.resize(index + 1);
    }
    take_in(index);
}

void ContextCache::connect_qp(QpNum qp, const QpConnection&) {
    take_in(qp_index(qp));
}

void ContextCache::take_in(std::uint32_t index) {
    last_used_ = index;
    if (held_.use(index) != nullptr) {
        return;
    }
    if (held_.size() == params_.qp_context_entries) {
        held_.take_oldest();
        entries_.give(1, now());
    }
    held_.insert(index, {});
    entries_.take(1, now());
}

bool ContextCache::use(QpNum qp, ContextClient& client) {
    const std::uint32_t index = qp_index(qp);
    Context& context = contexts_.at(index);
    if (!context.wanted && (index == last_used_ || held_.use(index) != nullptr)) {
        last_used_ = index;
        return true;
    }
    if (std::find(context.clients.begin(), context.clients.end(), &client) == context.clients.end()) {
        context.clients.push_back(&client);
    }
    if (!context.wanted) {
        context.wanted = true;
        ++misses_;
        waiting_.push(index);
        fetch();
    }
    return false;
}

void ContextCache::fetch() {
    while (!waiting_.empty() && fetches_.available(now()) > 0) {
        const std::uint32_t index = waiting_.front();
        const std::uint64_t bytes = scratch_.size();
        const Address from = table_ + index % (kTableBytes / bytes) * bytes;
        const ReadPiece piece{from, static_cast<std::uint32_t>(bytes), scratch_.data()};
        if (!dma->try_read(ReadClass::context, {&piece, 1}, index, {}, *this)) {
            return;  // read_space() follows
        }
        waiting_.pop();
        fetches_.take(1, now());
    }
}

void ContextCache::read_space(ReadClass) {
    fetch();
}

void ContextCache::read_arrives(std::uint32_t index, Interval data) {
    arrivals_.push(std::max(now(), data.end), index);
}

void ContextCache::arrived(const std::uint32_t& index) {
    fetches_.give(1, now());
    Context& context = contexts_[index];
    context.wanted = false;
    take_in(index);
    told_.swap(context.clients);
    for (ContextClient* const client : told_) {
        client->context_ready(QpNum{kFirstQp + index});
    }
    told_.clear();
    fetch();
}

void ContextCache::fail_qp(QpNum) {}

bool ContextCache::is_quiet(QpNum qp) const {
    return !contexts_.at(qp_index(qp)).wanted;
}

void ContextCache::destroy_qp(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    if (held_.look(index) != nullptr) {
        held_.erase(index);
        entries_.give(1, now());
    }
    if (last_used_ == index) {
        last_used_ = UINT32_MAX;
    }
}

void ContextCache::report(StatSink& sink) const {
    sink.add("misses", misses_, StatUnit::count, "contexts that had to be fetched");
}

void ContextCache::check_idle() const {
    if (!waiting_.empty() || !arrivals_.empty() || fetches_.occupancy().level() > 0) {
        throw InvariantError(name(), now(), "contexts are still being fetched at the end");
    }
}

}  // namespace ndsim
