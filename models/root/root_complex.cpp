// SPDX-License-Identifier: Apache-2.0
#include "models/root/root_complex.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "models/parts/ranks.hpp"
#include "sim/base/invariant_error.hpp"

namespace ndsim {

namespace {

bool overlap(const ReadTrain& read, const WriteTrain& write) {
    return !write.interrupt && raw(read.from) < raw(write.to) + write.length &&
           raw(write.to) < raw(read.from) + read.length;
}

std::uint32_t device_ways(const RootParams& params) {
    return params.ddio ? std::min(params.ddio_ways, params.llc_ways) : 0;
}

std::uint64_t lines_of(const RootParams& params, std::uint32_t ways) {
    return params.llc_size.count / LastLevelCache::kLine * ways / params.llc_ways;
}

}  // namespace

RootComplex::RootComplex(const sc_core::sc_module_name& name, Timeline& timeline, const RootParams& params,
                         const IommuParams& iommu, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      payloads_(payloads),
      iommu_(*this, iommu),
      cache_(lines_of(params, params.llc_ways - device_ways(params)), lines_of(params, device_ways(params))),
      reads_(*this, timeline, kRankRoot),
      commits_(*this, timeline, kRankCommit) {
    if (params.strict_write_cap.bits_per_second > 0) {
        strict_writes_.emplace(ExactRate::per_byte(params.strict_write_cap));
    }
    port.bind(*this);
}

void RootComplex::read(const ReadTrain& train, Picoseconds arrives) {
    Picoseconds ready = iommu_.translated(IommuUse::read, train.from, train.length, arrives) + params_.llc_read;
    if (cache_.holds(train.from, train.length)) {
        ++llc_reads_;
    } else {
        ++dram_reads_;
        ready += params_.dram_extra;
    }
    if (params_.remote_socket) {
        ready += params_.numa_extra;
    }
    ready = std::max(ready, order_.settled(arrives));
    // The bytes of a write that the read entered arrive with the end of that write.
    if ((train.behind != QpNum{} && train.behind == entered_.qp) || overlap(train, entered_)) {
        ready = std::max(ready, entered_visible_);
    }
    reads_.push(ready, train);
}

void RootComplex::data_ready(const ReadTrain& train) {
    const std::byte* const data = memory->bytes(train.from, train.length);
    if (data == nullptr) {
        throw InvariantError(name(), now(),
                             "DMA read of " + std::to_string(train.length) + " bytes outside any region");
    }
    if (payloads_.has_bytes(train.into)) {
        std::memcpy(train.into, data, train.length);
    }
    link->read_ready(train);
}

Picoseconds RootComplex::write(const WriteTrain& train, Picoseconds arrives) {
    Picoseconds ready = train.interrupt ? arrives : stored(train, arrives);
    if (!train.relaxed) {
        ready = std::max(ready, capped(train.length, arrives));
    }
    const Picoseconds visible = order_.add(arrives, ready + params_.write_visible, train.relaxed);
    if (!train.express) {
        entered_ = train;
        entered_visible_ = visible;
    }
    commits_.push(visible, train);
    return visible;
}

// When a write to memory has its place. A write-back of displaced lines costs as much as a read of DRAM. A write to
// DRAM is visible as soon as the memory controller has it.
Picoseconds RootComplex::stored(const WriteTrain& train, Picoseconds at) {
    Picoseconds placed = iommu_.translated(IommuUse::write, train.to, train.length, at);
    if (params_.remote_socket) {
        placed += params_.numa_extra / 2;
    }
    if (!params_.ddio) {
        ++dram_writes_;
        cache_.passed_by(train.to, train.length);
    } else if (cache_.device_wrote(train.to, train.length)) {
        ++dram_writes_;
        placed += params_.dram_extra;
    } else {
        ++llc_writes_;
    }
    return placed;
}

Picoseconds RootComplex::capped(std::uint64_t bytes, Picoseconds at) {
    if (!strict_writes_) {
        return at;
    }
    const Interval served = strict_writes_->reserve(at, bytes);
    at_cap_ += served.end - served.start;
    return served.end;
}

void RootComplex::commit(const WriteTrain& train) {
    if (train.interrupt) {
        interrupts->interrupt(static_cast<std::uint32_t>(raw(train.to)), now());
        return;
    }
    std::byte* const data = memory->bytes(train.to, train.length);
    if (data == nullptr) {
        throw InvariantError(name(), now(),
                             "DMA write of " + std::to_string(train.length) + " bytes outside any region");
    }
    if (payloads_.has_bytes(train.payload)) {
        std::memcpy(data, payloads_.data(train.payload) + train.offset, train.length);
    }
    if (train.last_use) {
        payloads_.give(train.payload);
    }
    // Without DDIO, a spinning core sees the bytes when they come from DRAM.
    memory->written(train.to, train.length, now() + (params_.ddio ? Picoseconds{} : params_.dram_extra));
}

void RootComplex::report(StatSink& sink) const {
    sink.add("llc_reads", llc_reads_, StatUnit::count, "reads whose lines were in the last-level cache");
    sink.add("dram_reads", dram_reads_, StatUnit::count, "reads that had to wait for DRAM");
    sink.add("llc_writes", llc_writes_, StatUnit::count, "writes that found room in the last-level cache");
    sink.add("dram_writes", dram_writes_, StatUnit::count, "writes that went to DRAM, or evicted others to it");
    if (strict_writes_) {
        sink.add("strict_writes", static_cast<std::uint64_t>(at_cap_.count()), StatUnit::picoseconds,
                 "time in which strict writes became visible at their cap");
    }
    iommu_.report(sink);
}

}  // namespace ndsim
