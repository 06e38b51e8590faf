// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ndapi/ndspi/nd1_pair.hpp"

namespace ndsim::test {

// Another connection of a party, which uses the party's CQs, memory and blocks.
struct Nd1Link {
    explicit Nd1Link(Nd1Party& of) : party(of) {
        party.make_connector(connector);
        expect(party.make_endpoint(endpoint, *connector) == ND_SUCCESS, "another endpoint");
    }

    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 5000) {
        const sockaddr_in to = party.address(peer, port);
        Nd1Call& call = party.call;
        expect(call.end(*connector, connector->Connect(endpoint.get(), reinterpret_cast<const sockaddr*>(&to),
                                                       sizeof to, kTcp, 0, nullptr, 0, &call.overlapped)) == ND_SUCCESS,
               "another connect is accepted");
        expect(call.end(*connector, connector->CompleteConnect(&call.overlapped)) == ND_SUCCESS, "and completed");
    }
    // The party listens already.
    void be_passive() {
        expect(party.next_request(*connector) == ND_SUCCESS, "another connect request comes");
        Nd1Call& call = party.call;
        expect(call.end(*connector, connector->Accept(endpoint.get(), nullptr, 0, &call.overlapped)) == ND_SUCCESS,
               "another connection is accepted");
    }
    HRESULT send(std::size_t number, SIZE_T length, DWORD flags = 0) {
        const ND_SGE sge = party.piece(length);
        return endpoint->Send(party.block(number), &sge, 1, flags);
    }
    HRESULT receive(std::size_t number, SIZE_T length) {
        const ND_SGE sge = party.piece(length);
        return endpoint->Receive(party.block(number), &sge, 1);
    }
    HRESULT write(std::size_t number, SIZE_T length, const ND_MW_DESCRIPTOR& window) {
        const ND_SGE sge = party.piece(length);
        return endpoint->Write(party.block(number), &sge, 1, &window, 0, 0);
    }
    HRESULT bind(std::size_t number, Nd1Window& window, SIZE_T offset, SIZE_T length, DWORD flags) {
        return endpoint->Bind(party.block(number), party.handle, window.window.get(), party.buffer.data() + offset,
                              length, flags, &window.descriptor);
    }

    Nd1Party& party;
    Ref<INDConnector> connector;
    Ref<INDEndpoint> endpoint;
};

}  // namespace ndsim::test
