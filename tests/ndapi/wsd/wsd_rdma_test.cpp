// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_rdma_test {

// B opens 8 KiB of its memory to A with these rights, and has them filled with 1. A begins at 3 ms.
struct Opened {
    DWORD rights = MEM_READWRITE;
    wsd::Descriptor descriptor{};
    int after = 0;  // how a receive of B ends that nobody sends to
};

WsdSide opening(
    Opened& opened, const WsdProgram& then = [](WsdParty&) {}) {
    return {[&opened, then](WsdParty& b) {
        b.fill(0, 16'384, 1);
        opened.descriptor = b.open(0, 8192, opened.rights);
        OVERLAPPED& overlapped = b.told();
        expect_code(b.receive(4096, overlapped, 32'768), WSA_IO_PENDING, "a receive");
        then(b);
        b.until(15'000);
        opened.after = b.result(overlapped);
    }};
}

// A's access is refused: both ends lose the connection, and none of B's bytes has changed.
void expect_abort(Opened& opened, const std::function<int(WsdParty&, OVERLAPPED&)>& post) {
    run_wsd_pair({[&](WsdParty& a) {
                     OVERLAPPED& overlapped = a.polled();
                     a.fill(0, 16'384, 2);
                     expect_code(post(a, overlapped), WSA_IO_PENDING, "it is tried");
                     expect_code(a.finish(overlapped), WSAECONNABORTED, "and fails");
                     expect_code(a.send(10, a.polled()), WSAECONNABORTED, "the connection is over");
                     a.until(16'000);
                     expect_code(opened.after, WSAECONNABORTED, "for B, too");
                 }},
                 opening(opened, [](WsdParty& b) {
                     b.until(14'000);
                     expect(b.holds(0, 16'384, 1), "B's memory is as it was");
                 }));
}

// 2000 bytes from byte 100 of B's memory to A, and 3000 to byte 200 of it.
TEST_CASE("wsd: a read and a write move bytes between registered memory", "[W82]") {
    Opened opened;
    run_wsd_pair({[&](WsdParty& a) {
                     a.fill(0, 16'384, 2);
                     OVERLAPPED& reads = a.polled();
                     OVERLAPPED& writes = a.told();
                     expect_code(a.read(2000, reads, opened.descriptor, 100), WSA_IO_PENDING, "a read");
                     expect_code(a.finish(reads), 0, "it succeeds");
                     expect(a.bytes == 2000 && a.holds(0, 2000, 1) && a.holds(2000, 1000, 2), "just these bytes");
                     expect_code(a.write(3000, writes, opened.descriptor, 200, 8192), WSA_IO_PENDING, "a write");
                     expect_code(a.finish(writes), 0, "it succeeds");
                     expect(a.bytes == 3000, "with its bytes");
                 }},
                 opening(opened, [](WsdParty& b) {
                     b.until(10'000);
                     expect(b.holds(0, 200, 1) && b.holds(200, 3000, 2) && b.holds(3200, 5000, 1), "just these bytes");
                 }));
}

TEST_CASE("wsd: memory for reading refuses writes", "[W71]") {
    Opened opened{.rights = MEM_READ};
    expect_abort(opened,
                 [&](WsdParty& a, OVERLAPPED& overlapped) { return a.write(100, overlapped, opened.descriptor); });
}

TEST_CASE("wsd: memory for writing refuses reads", "[W71]") {
    Opened opened{.rights = MEM_WRITE};
    expect_abort(opened,
                 [&](WsdParty& a, OVERLAPPED& overlapped) { return a.read(100, overlapped, opened.descriptor); });
}

// 8192 bytes are open; 100 from 8093 on go one byte too far.
TEST_CASE("wsd: access beyond the registered memory aborts the connection", "[W82]") {
    Opened opened;
    expect_abort(
        opened, [&](WsdParty& a, OVERLAPPED& overlapped) { return a.write(100, overlapped, opened.descriptor, 8093); });
}

TEST_CASE("wsd: after its deregistration the peer cannot reach memory", "[W72]") {
    Opened opened;
    run_wsd_pair({[&](WsdParty& a) {
                     OVERLAPPED& first = a.polled();
                     OVERLAPPED& second = a.polled();
                     a.fill(0, 8192, 2);
                     expect_code(a.write(100, first, opened.descriptor), WSA_IO_PENDING, "a write");
                     expect_code(a.finish(first), 0, "while it is registered");
                     a.until(6000);
                     expect_code(a.write(100, second, opened.descriptor, 1000), WSA_IO_PENDING, "another");
                     expect_code(a.finish(second), WSAECONNABORTED, "when it is no longer");
                 }},
                 opening(opened, [&](WsdParty& b) {
                     b.until(5000);
                     expect_code(b.shut(opened.descriptor), 0, "B deregisters");
                     const HANDLE again = b.register_memory(b.buffer.data(), 8192);
                     expect(again != nullptr, "and registers the same for itself");
                     b.until(14'000);
                     expect(b.holds(0, 100, 2) && b.holds(1000, 100, 1), "the first write came, the second did not");
                 }));
}

// A has two connections to B. What B has opened on the one is of no use on the other.
TEST_CASE("wsd: a descriptor is good for its own connection", "[W73]") {
    wsd::Descriptor descriptor;
    run_wsd({[&](WsdParty& a) {
                a.start();
                a.be_active("B");
                const SOCKET first = a.s;
                const HANDLE first_region = a.region;
                a.be_active("B");
                a.until(5000);
                OVERLAPPED& wrong = a.polled();
                a.fill(0, 100, 2);
                expect_code(a.write(100, wrong, descriptor), WSA_IO_PENDING, "over the other connection");
                expect_code(a.finish(wrong), WSAECONNABORTED, "it fails");
                a.s = first;
                a.region = first_region;
                OVERLAPPED& right = a.polled();
                expect_code(a.write(100, right, descriptor, 500), WSA_IO_PENDING, "over its own");
                expect_code(a.finish(right), 0, "it is good");
                a.until(20'000);
                a.end();
            }},
            {[&](WsdParty& b) {
                b.start();
                b.be_passive();
                b.fill(0, 8192, 1);
                descriptor = b.open(0, 8192, MEM_READWRITE);
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "a second one asks");
                int code = 0;
                expect(b.accept(code) != INVALID_SOCKET, "it is accepted, too");
                b.until(20'000);
                expect(b.holds(0, 500, 1) && b.holds(500, 100, 2), "one write came");
                b.end();
            }});
}

// B closes without deregistering.
TEST_CASE("wsd: after a disconnect nobody can reach registered memory", "[W74]") {
    wsd::Descriptor descriptor;
    run_wsd_pair({[&](WsdParty& a) {
                     a.fill(0, 200'000, 2);
                     int code = WSA_IO_PENDING;
                     while (code == WSA_IO_PENDING || code == WSAENOBUFS) {
                         code = a.write(100'000, a.polled(), descriptor);
                     }
                     expect_code(code, WSAECONNRESET, "until B has closed");
                     a.until(20'000);
                 }},
                 {[&](WsdParty& b) {
                     descriptor = b.open(0, 200'000, MEM_READWRITE);
                     b.until(4000);
                     expect(b.holds(0, 100, 2), "A writes");
                     expect_code(b.close(b.s), 0, "B closes");
                     b.until(6000);
                     b.fill(0, 200'000, 1);
                     b.until(20'000);
                     expect(b.holds(0, 200'000, 1), "nobody has written since");
                 }});
}

TEST_CASE("wsd: written data is there when a send behind it has come", "[W78]") {
    wsd::Descriptor descriptor;
    run_wsd_pair({[&](WsdParty& a) {
                     a.fill(0, 100'000, 2);
                     expect_code(a.write(100'000, a.polled(), descriptor), WSA_IO_PENDING, "a write");
                     expect_code(a.send(10, a.polled()), WSA_IO_PENDING, "a send right behind it");
                     a.until(10'000);
                 }},
                 {[&](WsdParty& b) {
                     descriptor = b.open(0, 100'000, MEM_WRITE);
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(100, overlapped, 200'000), WSA_IO_PENDING, "a receive");
                     expect_code(b.finish(overlapped), 0, "the message");
                     expect(b.holds(0, 100'000, 2), "all that was written before it");
                 }});
}

// A reads 100 000 bytes, which take 8 us at 100 Gbps, and sends. When B has the message it overwrites what is read, as
// it may. A message of 1000 bytes takes a few microseconds.
TEST_CASE("wsd: only the first send behind a read waits for it", "[W79][W80]") {
    wsd::Descriptor descriptor;
    run_wsd_pair({[&](WsdParty& a) {
                     OVERLAPPED& reads = a.polled();
                     OVERLAPPED& sends = a.polled();
                     expect_code(a.read(100'000, reads, descriptor), WSA_IO_PENDING, "a read");
                     expect_code(a.send(1000, sends, 200'000), WSA_IO_PENDING, "a send right behind it");
                     expect_code(a.finish(sends), 0, "both end");
                     expect_code(a.finish(reads), 0, "well");
                     expect(a.holds(0, 100'000, 1), "the read has what B had before it heard of it");
                     a.until(6000);
                     const std::uint64_t begun = a.os.nanoseconds();
                     expect_code(a.send_now(1000, 200'000), 0, "a send without a read before it");
                     expect(a.os.nanoseconds() - begun < 8000, "waits for nothing");
                 }},
                 {[&](WsdParty& b) {
                     b.fill(0, 100'000, 1);
                     descriptor = b.open(0, 100'000, MEM_READ);
                     OVERLAPPED& first = b.polled();
                     expect_code(b.receive(4096, first, 200'000), WSA_IO_PENDING, "a receive");
                     expect_code(b.receive(4096, b.polled(), 200'000), WSA_IO_PENDING, "another");
                     expect_code(b.finish(first), 0, "the message");
                     b.fill(0, 100'000, 9);
                 }});
}

TEST_CASE("wsd: an RDMA transfer has the limits of a message", "[W84]") {
    wsd::Descriptor descriptor;
    const ChildResult run = run_wsd_pair(
        {[&](WsdParty& a) {
             std::array<WSABUFEX, 2> list{};
             list.fill({static_cast<ULONG>(a.buffer.size()), reinterpret_cast<CHAR*>(a.buffer.data()), a.region});
             int code = 0;
             (void)a.provider.WSPRdmaWrite(a.s, list.data(), 2, &descriptor, sizeof descriptor, 0, &a.bytes, 0,
                                           &a.polled(), nullptr, nullptr, &code);
             expect_code(code, WSAEINVAL, "twice SO_MAX_RDMA_SIZE");
             (void)a.provider.WSPRdmaRead(a.s, list.data(), 2, &descriptor, sizeof descriptor, 0, &a.bytes, 0,
                                          &a.polled(), nullptr, nullptr, &code);
             expect_code(code, WSAEINVAL, "the same for reads");
         },
         {.max_message = 1U << 18U}},
        {});
    CHECK(run.metric("programs.A.consumer_errors") == 2);
}

}  // namespace ndsim::test::wsd_rdma_test
