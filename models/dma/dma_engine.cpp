// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_engine.hpp"

#include "sim/base/invariant_error.hpp"

namespace ndsim {

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, Timeline& timeline, const DmaParams& params,
                     const PcieParams& pcie, Bytes forward_grain, Ledgers& ledgers)
    : Unit(name, timeline),
      pools_(*this, params, pcie.tags),
      reader_(*this, timeline, params, pcie, pools_, forward_grain, ledgers, link, translation),
      writer_(*this, timeline, pools_.writes, link, translation) {
    port.bind(*this);
    link_events.bind(*this);
}

bool DmaEngine::try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                         ReadClient& client) {
    return reader_.try_read(cls, pieces, token, request, client, {});
}

bool DmaEngine::try_read_behind_writes(QpNum qp, std::span<const ReadPiece> pieces, std::uint32_t token,
                                       RequestId request, ReadClient& client) {
    return reader_.try_read(ReadClass::payload, pieces, token, request, client, {qp, writer_.last_write_of(qp)});
}

void DmaEngine::write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) {
    const DmaWriter::Client client = writer_.scheduled(token, issued, visible);
    reader_.writes_gone(writer_.gone(), issued);
    if (client.client != nullptr) {
        client.client->write_scheduled(client.token, issued, visible);
    }
}

void DmaEngine::write_waited(std::uint32_t token, Interval wait) {
    if (const DmaWriter::Client& client = writer_.client_of(token); client.client != nullptr) {
        client.client->write_waited(client.token, wait);
    }
}

std::optional<Picoseconds> DmaEngine::settled(const DmaMark& mark) const {
    return reader_.has_unanswered(mark.reads) ? std::nullopt : writer_.visible(mark.writes);
}

void DmaEngine::report(StatSink& sink) const {
    sink.add("wqe_bytes", reader_.bytes(ReadClass::wqe), StatUnit::bytes, "read as send WQEs");
    sink.add("receive_wqe_bytes", reader_.bytes(ReadClass::receive_wqe), StatUnit::bytes, "read as receive WQEs");
    sink.add("payload_bytes", reader_.bytes(ReadClass::payload), StatUnit::bytes, "read as payload");
    sink.add("context_bytes", reader_.bytes(ReadClass::context), StatUnit::bytes, "read as contexts of queue pairs");
    sink.add("translation_bytes", reader_.bytes(ReadClass::translation), StatUnit::bytes, "read as translations");
    sink.add("written_bytes", writer_.bytes(), StatUnit::bytes, "written to host memory");
    sink.add("read_waits", reader_.waits(), StatUnit::count, "reads that could not be sent in one go");
}

void DmaEngine::check_idle() const {
    if (!reader_.is_idle() || !writer_.is_idle()) {
        throw InvariantError(name(), now(), "reads or writes are still in flight at the end");
    }
}

}  // namespace ndsim
