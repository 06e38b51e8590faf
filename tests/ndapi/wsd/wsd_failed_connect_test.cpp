// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

// A socket whose connect has failed.
namespace ndsim::test::wsd_failed_connect_test {

WsdSide alone(const WsdProgram& program) {
    return {[program](WsdParty& party) {
                party.start();
                party.os.sleep(1);
                program(party);
                party.end();
            },
            {}};
}

// 192.168.1.5 is outside of the network of the hosts, 10.0.0.0/16. Nothing says for certain how the peer would answer.
TEST_CASE("wsd: a connect to another network fails through its event", "[W90][W91]") {
    run_wsd(alone([](WsdParty& a) {
                const SOCKET socket = a.bound_socket();
                sockaddr_in far = a.address("B", 5000);
                far.sin_addr.s_addr = htonl(0xC0A8'0105);
                int code = 0;
                expect_code(a.select(socket, FD_CONNECT), 0, "an event");
                (void)a.provider.WSPConnect(socket, reinterpret_cast<const sockaddr*>(&far), sizeof far, nullptr,
                                            nullptr, nullptr, nullptr, &code);
                expect_code(code, WSAEWOULDBLOCK, "under way");
                expect_code(a.next_event(socket, FD_CONNECT_BIT), WSAETIMEDOUT, "nobody is there");
                expect_code(a.connect(socket, "B", 5999), WSAECONNRESET, "it may try again");
                expect_code(a.close(socket), 0, "it is closed");
            }),
            alone([](WsdParty&) {}));
}

TEST_CASE("wsd: a socket whose connect has failed may listen, and is closed once", "[W89][W99]") {
    run_wsd(alone([](WsdParty& a) {
                const SOCKET socket = a.bound_socket();
                expect_code(a.connect(socket, "B", 5999), WSAECONNRESET, "nobody listens");
                int code = 0;
                expect(a.provider.WSPListen(socket, 1, &code) == 0, "it listens");
                expect_code(a.close(socket), 0, "it is closed");
            }),
            alone([](WsdParty&) {}));
}

}  // namespace ndsim::test::wsd_failed_connect_test
