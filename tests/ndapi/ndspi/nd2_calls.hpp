// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ostream>

#include "tests/ndapi/ndspi/nd2_pair.hpp"

// What programs of the tests of NDSPI 2 have in common beside the pair itself.
namespace ndsim::test {

inline constexpr ND2_REQUEST_TYPE kReceive = Nd2RequestTypeReceive;
inline constexpr ND2_REQUEST_TYPE kSend = Nd2RequestTypeSend;
inline constexpr ND2_REQUEST_TYPE kBind = Nd2RequestTypeBind;
inline constexpr ND2_REQUEST_TYPE kInvalidate = Nd2RequestTypeInvalidate;
inline constexpr ND2_REQUEST_TYPE kRead = Nd2RequestTypeRead;
inline constexpr ND2_REQUEST_TYPE kWrite = Nd2RequestTypeWrite;

inline constexpr ULONG kRemoteRights =
    ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE;

// A request's context: the number that the test gives it.
inline void* context(std::uintptr_t number) {
    return reinterpret_cast<void*>(number);  // NOLINT: a value of the program's
}

// A result, as far as it is defined for every request (R32).
struct Ended {
    ND2_REQUEST_TYPE type{};
    HRESULT status = ND_PENDING;
    std::uintptr_t request = 0;

    bool operator==(const Ended&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Ended& ended) {
        return out << "{type " << ended.type << ", status " << std::hex << static_cast<ULONG>(ended.status) << std::dec
                   << ", request " << ended.request << "}";
    }
};
using Endings = std::vector<Ended>;

inline Ended ended(const ND2_RESULT& result) {
    return {result.RequestType, result.Status, reinterpret_cast<std::uintptr_t>(result.RequestContext)};
}

// Those of Receives, and those of all else: between the two there is no order (R60).
inline Endings received(Endings all) {
    std::erase_if(all, [](const Ended& each) { return each.type != kReceive; });
    return all;
}
inline Endings initiated(Endings all) {
    std::erase_if(all, [](const Ended& each) { return each.type == kReceive; });
    return all;
}

// All results that the queue has now.
inline Endings poll_of(IND2CompletionQueue& cq) {
    Endings all;
    for (ND2_RESULT result{}; cq.GetResults(&result, 1) == 1;) {
        all.push_back(ended(result));
    }
    return all;
}
// The next results, so many of which come.
inline Endings next_of(IND2CompletionQueue& cq, std::size_t count) {
    Endings all;
    for (int polls = 0; all.size() < count; ++polls) {
        expect(polls < 10000, "results come");
        ND2_RESULT result{};
        if (cq.GetResults(&result, 1) == 1) {
            all.push_back(ended(result));
        }
    }
    return all;
}
inline Endings next(Nd2Party& party, std::size_t count = 1) {
    return next_of(*party.cq.get(), count);
}
inline Endings poll(Nd2Party& party) {
    return poll_of(*party.cq.get());
}

// An overlapped request with an event of its own. It must not end before the request does.
struct Nd2Call {
    explicit Nd2Call(ProgramHost& os) { overlapped.hEvent = os.create_event(true, false); }
    Nd2Call(const Nd2Call&) = delete;
    Nd2Call& operator=(const Nd2Call&) = delete;

    HRESULT now(IND2Overlapped& object) { return object.GetOverlappedResult(&overlapped, FALSE); }
    HRESULT end(IND2Overlapped& object) { return object.GetOverlappedResult(&overlapped, TRUE); }

    OVERLAPPED overlapped{};
};

// Another connection of a party, whose objects it uses.
struct Nd2Link {
    explicit Nd2Link(Nd2Party& of, const Nd2Sizes& sizes = {}) : party(of) {
        party.make_qp(qp, sizes);
        party.make_connector(connector);
    }
    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 5000) {
        const sockaddr_in to = party.address(peer, port);
        expect(party.finish(*connector.get(), connector->Connect(qp.get(), reinterpret_cast<const sockaddr*>(&to),
                                                                 sizeof to, 4, 4, nullptr, 0, &party.overlapped)) ==
                   ND_SUCCESS,
               "another connect is accepted");
        expect(party.finish(*connector.get(), connector->CompleteConnect(&party.overlapped)) == ND_SUCCESS,
               "another connect is completed");
    }
    // The party listens already.
    void be_passive() {
        expect(party.next_request(*connector.get()) == ND_SUCCESS, "another connect request comes");
        expect(party.finish(*connector.get(), connector->Accept(qp.get(), 4, 4, nullptr, 0, &party.overlapped)) ==
                   ND_SUCCESS,
               "another connection is accepted");
    }
    HRESULT send(ULONG length, std::uintptr_t request = 0, ULONG flags = 0) {
        const ND2_SGE sge = party.piece(length);
        return qp->Send(context(request), &sge, 1, flags);
    }
    HRESULT receive(ULONG length, std::uintptr_t request = 0) {
        const ND2_SGE sge = party.piece(length);
        return qp->Receive(context(request), &sge, 1);
    }

    Nd2Party& party;
    Ref<IND2QueuePair> qp;
    Ref<IND2Connector> connector;
};

inline ND2_ADAPTER_INFO info_of(Nd2Party& party) {
    ND2_ADAPTER_INFO info{};
    info.InfoVersion = 1;
    ULONG size = sizeof info;
    expect(party.adapter->Query(&info, &size) == ND_SUCCESS, "the adapter tells its limits");
    return info;
}

inline void make_window(Nd2Party& party, Ref<IND2MemoryWindow>& created) {
    expect(party.adapter->CreateMemoryWindow(IID_IND2MemoryWindow, created.out()) == ND_SUCCESS, "a window");
}

// Opens a window onto a part of a party's buffer.
inline HRESULT bind(Nd2Party& party, IND2QueuePair& qp, IND2MemoryWindow& window, std::size_t offset, SIZE_T length,
                    ULONG flags, std::uintptr_t request = 0) {
    return qp.Bind(context(request), party.region.get(), &window, party.buffer.data() + offset, length, flags);
}
// What a peer calls that part.
inline Nd2Place place_of(Nd2Party& party, IND2MemoryWindow& window, std::size_t offset) {
    return {reinterpret_cast<UINT64>(party.buffer.data() + offset), window.GetRemoteToken()};
}

// Whether a part of a party's buffer holds this value everywhere.
inline bool holds(const Nd2Party& party, std::size_t offset, std::size_t length, unsigned char value) {
    const auto begin = party.buffer.begin() + static_cast<std::ptrdiff_t>(offset);
    return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(length),
                       [value](std::byte byte) { return byte == std::byte{value}; });
}

}  // namespace ndsim::test
