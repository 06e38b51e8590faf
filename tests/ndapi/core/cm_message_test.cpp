// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cm_message.hpp"

#include <array>

#include "tests/support/catch.hpp"

namespace ndsim::test::cm_message_test {

using namespace ndsim::core;

CmMessage reply() {
    CmMessage message;
    message.kind = CmKind::reply;
    message.local_id = 0x0102'0304;
    message.remote_id = 0x0506'0708;
    message.source_ip = 0x0A00'0002;
    message.destination_ip = 0x0A00'0001;
    message.source_port = 0x1112;
    message.destination_port = 0x1314;
    message.qp = QpNum{0x15'1617};
    message.psn = 0x18'191A;
    message.mtu = 4096;
    message.inbound_reads = 0x2122'2324;
    message.outbound_reads = 0x2526'2728;
    message.private_length = 196;
    message.private_data.front() = std::byte{0x31};
    message.private_data.back() = std::byte{0x32};
    return message;
}

TEST_CASE("cm message: every byte of a reply, behind the header of a management datagram") {
    std::array<std::byte, SendDatagram::kBytes> bytes{};
    write_cm_message(bytes, reply());
    const std::array<unsigned, 61> expected{
        0x01, 0x0A, 0x01, 0x03, 0,    0,    0,    0,     // base version, vendor's class, its version, Send; status
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,  // transaction: both connections
        0x00, 0x11, 0,    0,    0,    0,    0,    0,     // attribute 0x10 + 1, modifier
        0x0A, 0x00, 0x00, 0x02, 0x0A, 0x00, 0x00, 0x01,  // 10.0.0.2 to 10.0.0.1
        0x11, 0x12, 0x13, 0x14, 0x00, 0x15, 0x16, 0x17,  // ports, queue pair
        0x00, 0x18, 0x19, 0x1A, 0x00, 0x00, 0x10, 0x00,  // PSN, MTU 4096
        0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,  // read limits
        196,  0,    0,    0,    0x31,                    // private data, from byte 60 to the last
    };
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("byte " << i);
        CHECK(std::to_integer<unsigned>(bytes.at(i)) == expected.at(i));
    }
    CHECK(bytes.back() == std::byte{0x32});
}

TEST_CASE("cm message: what is written is read") {
    std::array<std::byte, SendDatagram::kBytes> bytes{};
    for (const CmKind kind :
         {CmKind::request, CmKind::reply, CmKind::ready, CmKind::reject, CmKind::disconnect, CmKind::abort}) {
        CmMessage message = reply();
        message.kind = kind;
        write_cm_message(bytes, message);
        const CmMessage read = read_cm_message(bytes);
        CHECK(read.kind == kind);
        CHECK(read.local_id == message.local_id);
        CHECK(read.remote_id == message.remote_id);
        CHECK(read.source_ip == message.source_ip);
        CHECK(read.destination_ip == message.destination_ip);
        CHECK(read.source_port == message.source_port);
        CHECK(read.destination_port == message.destination_port);
        CHECK(read.qp == message.qp);
        CHECK(read.psn == message.psn);
        CHECK(read.mtu == message.mtu);
        CHECK(read.inbound_reads == message.inbound_reads);
        CHECK(read.outbound_reads == message.outbound_reads);
        CHECK(read.private_length == message.private_length);
        CHECK(read.private_data == message.private_data);
    }
}

}  // namespace ndsim::test::cm_message_test
