// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/account_words.hpp"

#include <algorithm>
#include <array>

namespace ndsim::inspect {

namespace {

// Words in which {here}, {peer} and {queue} stand for the request's places. docs/ledger.md explains the accounts.
struct Words {
    Account account;
    std::string_view operation;  // empty: all without their own row
    std::string_view text;
};

constexpr std::array kWords{
    Words{Account::slot, "", "it was wanted, but no slot of {queue} was free, or none of its generator's window"},
    Words{Account::post, "", "{here}'s software came to it and built the WQE"},
    Words{Account::doorbell, "", "its doorbell went over PCIe into {here}.nic.doorbell and was decoded"},
    Words{Account::arbitration, "", "it waited for its turn at {here}.nic.wqe"},
    Words{Account::arbitration, "read", "it waited for its turn at {here}.nic.wqe, or at {peer}.nic.read_responder"},
    Words{Account::wqe_cache, "", "{here}.nic.wqe.cache had no room for its WQE"},
    Words{Account::wqe_fetch, "", "{here}.nic.wqe read its WQE from host memory"},
    Words{Account::wqe_fetch, "receive", "{here}.nic.rq read its WQE from host memory"},
    Words{Account::context, "", "a NIC, {here}'s or {peer}'s, fetched a context or a translation that it lacked"},
    Words{Account::context, "bind", "{here}.nic.local_operations changed its key"},
    Words{Account::context, "fast_register", "{here}.nic.local_operations changed its key"},
    Words{Account::context, "invalidate", "{here}.nic.local_operations changed its key"},
    Words{Account::fence, "", "a fence held it at {here}.nic.wqe until earlier Reads or changes of keys were done"},
    Words{Account::read_limit, "", "it waited at {here}.nic.wqe until fewer Reads were outstanding"},
    Words{Account::tags, "", "its payload waited at {here}.nic.dma for PCIe tags, or for earlier reads"},
    Words{Account::tags, "read", "its payload waited at {peer}.nic.dma for PCIe tags, or for earlier reads"},
    Words{Account::credits, "", "PCIe had no credits for its payload or for its CQE"},
    Words{Account::payload_read, "", "{here}.nic.dma read the last packet's payload from host memory"},
    Words{Account::payload_read, "read", "{peer}.nic.dma read the last packet's payload from host memory"},
    Words{Account::tx, "", "its packets were built and waited at {here}.nic.tx, for room or for the lane"},
    Words{Account::tx, "read", "the request at {here}.nic.tx, or its responses at {peer}.nic.tx, waited for the lane"},
    Words{Account::wire, "", "the last packet was on the lane to {peer} and in flight"},
    Words{Account::wire, "read", "the request, or the last response, was on the lane and in flight"},
    Words{Account::switch_, "", "the last packet waited in the queue of a switch, behind others for the same port"},
    Words{Account::switch_, "read", "the request, or the last response, waited in the queue of a switch"},
    Words{Account::pause, "", "the other end held the lane"},
    Words{Account::rx_buffer, "", "{peer}.nic.rx took the last packet in"},
    Words{Account::rx_buffer, "read", "{peer}.nic.rx took the request in, or {here}.nic.rx the last response"},
    Words{Account::rnr, "", "{peer} had no receive for it, or for one before it"},
    Words{Account::retransmit, "", "what was sent was in vain, until {here}.nic.requester sent it again or gave up"},
    Words{Account::receive_wqe, "", "its receive was posted at {peer}, but not yet fetched"},
    Words{Account::message, "", "it waited in {queue} until it was next, and for its message"},
    Words{Account::dma_write, "", "{peer}.nic.dma wrote its payload to host memory, up to the acknowledge point"},
    Words{Account::dma_write, "read", "{here}.nic.dma wrote the data to host memory, until it was visible"},
    Words{Account::dma_write, "receive", "{here}.nic.dma wrote the payload to host memory, until it was visible"},
    Words{Account::ack_return, "", "its ACK or NAK was built at {peer} and came back, perhaps behind others"},
    Words{Account::cqe, "", "{here}.nic.cq wrote its CQE, until that was visible"},
    Words{Account::poll, "", "{here}'s software came to poll, until the poll returned it"},
};

constexpr bool has_row(Account account) {
    return std::ranges::any_of(kWords,
                               [&](const Words& row) { return row.account == account && row.operation.empty(); });
}
static_assert([] {
    for (std::size_t account = 0; account < kAccounts; ++account) {
        if (!has_row(static_cast<Account>(account))) {
            return false;
        }
    }
    return true;
}());

void fill_in(std::string& text, std::string_view word, const std::string& name) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + name.size())) {
        text.replace(at, word.size(), name);
    }
}

}  // namespace

std::string account_words(Account account, std::string_view operation, const Places& places) {
    const auto row_of = [&](std::string_view kind) {
        return std::ranges::find_if(kWords,
                                    [&](const Words& row) { return row.account == account && row.operation == kind; });
    };
    const auto own = row_of(operation);
    std::string text(own == kWords.end() ? row_of("")->text : own->text);
    fill_in(text, "{here}", places.host);
    fill_in(text, "{peer}", places.peer);
    fill_in(text, "{queue}", places.queue);
    return text;
}

}  // namespace ndsim::inspect
