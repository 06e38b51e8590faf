// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic.hpp"

namespace ndsim {

Nic::Nic(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, const NicParams& params,
         const PcieParams& pcie, Ledgers& ledgers, PayloadPool& payloads)
    : sc_module(name),
      doorbell("doorbell", timeline, params.doorbell, payloads),
      wqe("wqe", timeline, params.wqe, host, ledgers, payloads),
      rq("rq", timeline, params.wqe, host, ledgers, payloads),
      dma("dma", timeline, params.dma, pcie, params.port.forward_grain, ledgers),
      context("context", timeline, params.context),
      translation("translation", timeline, params.translation),
      protection("protection", timeline),
      read_responses("read_responses", timeline, params.transport.read_buffer, host, ledgers, payloads),
      local_operations("local_operations", timeline, params.transport.key_update),
      retransmit_buffer("retransmit_buffer", timeline, params.transport.retransmit_buffer, payloads),
      psn_windows(params.transport.psn_window),
      send_gate("send_gate", timeline, read_responses),
      completer("completer", timeline, params.transport, host, ledgers, psn_windows, send_gate, read_responses,
                local_operations, retransmit_buffer),
      requester("requester", timeline, params.transport, params.port.tx_pipe,
                ForwardGrain::of_reads(params.port.forward_grain, pcie), host, ledgers, payloads, completer,
                psn_windows, send_gate, read_responses, local_operations, retransmit_buffer),
      read_responder("read_responder", timeline, params.transport, params.port.tx_pipe,
                     ForwardGrain::of_reads(params.port.forward_grain, pcie), ledgers, payloads),
      responder("responder", timeline, params.transport, params.port.tx_pipe,
                static_cast<std::uint8_t>(params.queues.rnr_timer), host, ledgers, payloads, read_responder),
      receiver("receiver", timeline, ledgers, responder, completer),
      cq("cq", timeline, params.queues, host, ledgers, payloads),
      tx("tx", timeline, params.port, host, ledgers),
      rx("rx", timeline, params.port, payloads),
      control("control", timeline, params.control, params.port.tx_pipe, payloads) {
    doorbell.send_queues.bind(wqe.doorbells);
    doorbell.receive_queues.bind(rq.doorbells);
    doorbell.completion_queues.bind(cq.doorbells);
    doorbell.dma.bind(dma.port);

    wqe.dma.bind(dma.port);
    wqe.requester.bind(requester.port);
    wqe.gate.bind(send_gate.port);
    send_gate.work.bind(wqe.work);
    wqe.context.bind(context.port);
    context.dma.bind(dma.port);
    dma.translation.bind(translation.port);
    translation.dma.bind(dma.port);
    rq.dma.bind(dma.port);
    rq.responder.bind(responder.receive_events);
    rq.completions.bind(cq.completions);
    rq.limits.bind(control.srq_limits);
    rq.records.bind(doorbell.records);

    requester.dma.bind(dma.port);
    requester.egress.bind(tx.port);
    tx.sent.bind(requester.sent);
    requester.protection.bind(protection.port);
    requester.work.bind(wqe.work);
    read_responses.dma.bind(dma.port);
    read_responses.rx_buffer.bind(rx.buffer);
    read_responses.protection.bind(protection.port);
    read_responder.dma.bind(dma.port);
    read_responder.egress.bind(tx.port);
    read_responder.protection.bind(protection.port);
    local_operations.keys.bind(protection.keys);
    completer.keys.bind(protection.keys);
    responder.keys.bind(protection.keys);
    completer.completions.bind(cq.completions);
    completer.work.bind(wqe.work);
    completer.faults.bind(control.qp_faults);
    responder.dma.bind(dma.port);
    responder.egress.bind(tx.port);
    responder.rx_buffer.bind(rx.buffer);
    responder.receives.bind(rq.receives);
    responder.completions.bind(cq.completions);
    responder.protection.bind(protection.port);
    responder.faults.bind(control.qp_faults);
    receiver.rx_buffer.bind(rx.buffer);
    receiver.context.bind(context.port);
    receiver.datagrams.bind(control.datagrams);

    cq.dma.bind(dma.port);
    cq.faults.bind(control.cq_faults);
    tx.acks.bind(responder.acks);
    tx.waiters.bind(wqe.room);
    tx.waiters.bind(read_responder.room);
    rx.transport.bind(receiver.in);

    // A failed queue pair first flushes requests under way, then those that have not begun.
    control.queue_pairs.bind(context.lifecycle);
    control.queue_pairs.bind(completer.lifecycle);
    control.queue_pairs.bind(requester.lifecycle);
    control.queue_pairs.bind(wqe.lifecycle);
    control.queue_pairs.bind(responder.lifecycle);
    control.queue_pairs.bind(rq.lifecycle);
    control.queue_pairs.bind(doorbell.lifecycle);
    control.completion_queues.bind(cq.lifecycle);
    control.shared_receive_queues.bind(rq.shared);
    control.protection.bind(protection.admin);
    control.protection.bind(translation.admin);
    control.egress.bind(tx.port);
    control.dma.bind(dma.port);
}

}  // namespace ndsim
