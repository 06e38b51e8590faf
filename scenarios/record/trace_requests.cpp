// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "scenarios/format/status_name.hpp"
#include "scenarios/record/recorder.hpp"

namespace ndsim {

namespace {

std::uint64_t owner_of(HostId host, std::uint32_t request) {
    return (std::uint64_t{raw(host)} + 1) << 32U | request;
}

const Ledger& ledger_of(Ledgers& ledgers, std::uint64_t owner) {
    const HostId host{static_cast<std::uint16_t>((owner >> 32U) - 1)};
    return *ledgers.of(host).find(static_cast<std::uint32_t>(owner));
}

}  // namespace

TraceRequests::TraceRequests(TraceStream& stream, std::vector<std::string> hosts)
    : stream_(stream), hosts_(std::move(hosts)) {
    stream_.wait_for([this] { return earliest(); });
}

void TraceRequests::add_queue(const Unit& watch, bool of_receives, std::uint32_t track) {
    (of_receives ? receives_ : sends_)[&watch] = track;
}

void TraceRequests::posted(HostId host, const core::Posted& request) {
    if (!stream_.takes(request.begun)) {
        return;
    }
    const bool receives = request.kind == OperationKind::receive;
    const auto& tracks = receives ? receives_ : sends_;
    const std::string name = fmt::format("{}.{}", hosts_[raw(host)], request.request);
    std::string text = fmt::format(R"("name":{},"cat":"request","args":{{"request":{},"operation":"{}")",
                                   trace_text(fmt::format("{} {}", name_of(request.kind), name)), trace_text(name),
                                   name_of(request.kind));
    if (request.qp) {
        fmt::format_to(std::back_inserter(text), R"(,"qp":"{:#x}")", raw(*request.qp));
    }
    text += '}';
    requests_[owner_of(host, request.request)] = {
        tracks.at(request.watch), request.begun,  request.begun, {}, 0, false, receives,
        request.qp.has_value(),   std::move(text)};
}

// A message may have waited for its Receive for longer than the trace waits for events.
void TraceRequests::taken(const Ledger& ledger, Picoseconds at) {
    const auto found = requests_.find(owner_of(ledger.id.host, ledger.id.number));
    if (found != requests_.end()) {
        found->second.waits = false;
        found->second.begun = std::max(at, stream_.written_until());
        found->second.recorded = found->second.begun;
    }
}

void TraceRequests::charges(const Ledger& ledger) {
    const auto found = requests_.find(owner_of(ledger.id.host, ledger.id.number));
    if (found != requests_.end() && !found->second.waits && !ledger.sent_again) {
        record(found->first, found->second, ledger);
        found->second.number = stream_.new_number();
    }
}

// Records the stays of the ledger that are not recorded yet.
void TraceRequests::record(std::uint64_t owner, Request& request, const Ledger& ledger) {
    const std::vector<Stay>& path = *ledger.path;
    auto stay = path.end();
    while (stay != path.begin() && std::prev(stay)->until > request.recorded) {
        --stay;
    }
    for (; stay != path.end(); ++stay) {
        const auto seen = stream_.within({request.recorded, stay->until});
        if (seen) {
            show(owner, request, seen->start);
            request.until = seen->end;
        }
        request.recorded = stay->until;
        if (seen) {
            stream_.slice(
                request.track, *seen, owner,
                fmt::format(R"("name":"{}","cat":"account")", account_names()[static_cast<std::size_t>(stay->account)]),
                request.number);
        }
    }
}

// The slice begins with the first interval in the window.
void TraceRequests::show(std::uint64_t owner, Request& request, Picoseconds at) {
    if (!std::exchange(request.shown, true)) {
        stream_.begin(request.track, at, owner, std::move(request.text), request.number);
    }
}

std::string TraceRequests::ending(const Request& request, const core::Retired& retired) {
    std::string text = fmt::format(R"("status":"{}","bytes":{})", status_name(retired.status), retired.bytes);
    if (!request.names_qp) {
        fmt::format_to(std::back_inserter(text), R"(,"qp":"{:#x}")", raw(retired.qp));
    }
    return text + (retired.silent ? R"(,"silent":true)" : "");
}

void TraceRequests::retired(HostId host, const core::Retired& retired) {
    const std::uint64_t owner = owner_of(host, retired.request);
    const auto found = requests_.find(owner);
    if (found == requests_.end()) {
        return;
    }
    Request& request = found->second;
    if (!request.waits) {
        record(owner, request, *retired.ledger);
    }
    const Picoseconds last = retired.ledger->last;
    if (request.shown) {
        const auto seen = stream_.within({request.begun, last});
        stream_.end(request.track, std::max(request.until, seen ? seen->end : last), owner,
                    fmt::format(R"("args":{{{}}})", ending(request, retired)));
    } else {
        request.text.pop_back();
        stream_.slice(request.track, {last, last}, owner,
                      fmt::format("{},{}}}", request.text, ending(request, retired)));
    }
    requests_.erase(found);
}

void TraceRequests::close(Picoseconds end, Ledgers& ledgers) {
    std::vector<std::pair<std::uint64_t, Request*>> left;
    for (auto& [owner, request] : requests_) {
        left.emplace_back(owner, &request);
    }
    std::sort(left.begin(), left.end());
    for (auto& [owner, request] : left) {
        if (request->waits) {
            continue;
        }
        const Ledger& ledger = ledger_of(ledgers, owner);
        record(owner, *request, ledger);
        const auto seen = stream_.within({request->begun, std::max(end, ledger.last)});
        if (seen && seen->start < seen->end) {
            show(owner, *request, seen->start);
            stream_.end(request->track, std::max(seen->end, request->until), owner,
                        R"("args":{"status":"not completed"})");
        }
    }
    requests_.clear();
}

Picoseconds TraceRequests::earliest() const {
    Picoseconds earliest = Picoseconds::max();
    for (const auto& [owner, request] : requests_) {
        earliest = request.waits ? earliest : std::min(earliest, request.recorded);
    }
    return earliest;
}

}  // namespace ndsim
