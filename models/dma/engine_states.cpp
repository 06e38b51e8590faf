// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "models/dma/engine.hpp"

// What reads and writes do, or wait for, as an engine each.
namespace ndsim {

namespace {

enum ReadState : std::size_t { kReadsIdle, kReadsBusy, kTags, kReadsInFlight, kBehindWrites };
constexpr std::string_view kNoRequest = "time with a read that waited for tags or reads in flight";
constexpr std::array kReadStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with reads under way and none waiting"},
    EngineState{"tags", kNoRequest, "reads_blocked"}, EngineState{"reads_in_flight", kNoRequest, "reads_blocked"},
    EngineState{"dma_write", "time with only reads that go behind a write"}};

enum WriteState : std::size_t { kWritesIdle, kWritesBusy, kWritesInFlight, kTranslation };
constexpr std::array kWriteStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with writes under way and none waiting"},
    EngineState{"writes_in_flight", "time with a write that waited for a place among those in flight",
                "writes_blocked"},
    EngineState{"translation", "time with a write that waited for its translation", "writes_translate"}};

}  // namespace

std::span<const EngineState> DmaEngine::read_states() {
    return kReadStates;
}

std::span<const EngineState> DmaEngine::write_states() {
    return kWriteStates;
}

void DmaEngine::note_reads() {
    if (waiting_reads_ > 0) {
        // Both are taken and given back together, so the smaller number is what is missing.
        read_times_.enter(tags_.capacity() <= reads_.capacity() ? kTags : kReadsInFlight, now());
        return;
    }
    const bool under_way = trains_.size() > free_trains_.size();
    if (under_way || data_until_ > now()) {
        read_times_.enter(kReadsBusy, now());
    }
    if (!under_way) {
        read_times_.enter(behind_writes_.empty() ? kReadsIdle : kBehindWrites, std::max(now(), data_until_));
    }
}

void DmaEngine::note_writes() {
    if (!waiting_express_.empty() || !waiting_writes_.empty()) {
        const bool lacks_translation = waiting_express_.empty() && waiting_writes_.front().missing > 0;
        write_times_.enter(lacks_translation ? kTranslation : kWritesInFlight, now());
        return;
    }
    const bool under_way = write_owners_.size() > free_owners_.size();
    if (under_way || issued_until_ > now()) {
        write_times_.enter(kWritesBusy, now());
    }
    if (!under_way) {
        write_times_.enter(kWritesIdle, std::max(now(), issued_until_));
    }
}

}  // namespace ndsim
