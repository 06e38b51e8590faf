// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_memory_test {

// How long registering takes a program.
std::uint64_t time_of_registering(WsdParty& party, DWORD length, HANDLE& handle) {
    const std::uint64_t before = party.os.nanoseconds();
    handle = party.register_memory(party.buffer.data(), length);
    expect(handle != nullptr, "memory is registered");
    return party.os.nanoseconds() - before;
}

int cache_callback(WsdParty& party, const std::byte* from, SIZE_T size) {
    int code = 0;
    (void)party.provider.WSPMemoryRegistrationCacheCallback(const_cast<std::byte*>(from), size, &code);  // NOLINT
    return code;
}

TEST_CASE("wsd: what memory is registered for, and what it is", "[W66][W67]") {
    run_wsd_pair({[](WsdParty& a) {
                      for (const DWORD rights : {0U, 4U, 7U}) {
                          expect(a.register_memory(a.buffer.data(), 100, rights) == nullptr,
                                 "rights that there are not");
                          expect_code(a.error, WSAEINVAL, "why");
                      }
                      std::vector<HANDLE> handles{a.region};
                      for (const DWORD rights : {MEM_READ, MEM_WRITE, MEM_READWRITE}) {
                          handles.push_back(a.register_memory(a.buffer.data(), 100, rights));
                          expect(handles.back() != nullptr, "rights that there are");
                      }
                      expect(a.register_memory(nullptr, 100) == nullptr && a.error == WSAEFAULT, "no memory");
                      expect(a.register_memory(a.buffer.data(), 0) == nullptr && a.error == WSAEFAULT, "none of it");
                      expect(a.register_memory(a.buffer.data(), (1U << 30U) + 1) == nullptr && a.error == WSAEFAULT,
                             "more than a message has");
                      expect(a.register_memory(a.buffer.data(), 200) == nullptr && a.error == WSAENOBUFS,
                             "a fifth region where there are four");
                      expect_code(a.deregister(handles[1]), 0, "one is enough");
                      expect(a.register_memory(a.buffer.data(), 200) != nullptr, "what is only cached gives way");
                      const SOCKET mine = std::exchange(a.s, a.bound_socket());
                      expect(a.register_memory(a.buffer.data(), 100) == nullptr && a.error == WSAENOTCONN,
                             "on a socket without a connection");
                      a.s = mine;
                  },
                  {.registrations = 4}},
                 {});
}

TEST_CASE("wsd: memory is used through the socket on which it was registered", "[W5][W68]") {
    run_wsd({[](WsdParty& a) {
                a.start();
                a.be_active("B");
                const SOCKET first = a.s;
                const HANDLE first_region = a.region;
                std::array<std::byte, 100> extra{};
                const HANDLE on_first = a.register_memory(extra.data(), 100);
                a.be_active("B");
                expect_code(a.deregister(first_region), WSAEINVAL, "another socket's handle");
                WSABUF list{100, reinterpret_cast<CHAR*>(extra.data())};
                expect_code(a.send_list(&list, 1, a.polled()), WSAEFAULT, "another socket's memory");
                WSABUFEX target{100, reinterpret_cast<CHAR*>(extra.data()), on_first};
                wsd::Descriptor anywhere;
                int code = 0;
                (void)a.provider.WSPRdmaRead(a.s, &target, 1, &anywhere, sizeof anywhere, 0, &a.bytes, 0, &a.polled(),
                                             nullptr, nullptr, &code);
                expect_code(code, WSAEFAULT, "another socket's handle in a read");
                a.s = first;
                expect_code(a.deregister(on_first), 0, "it is good on its own");
                a.until(20'000);
                a.end();
            }},
            {[](WsdParty& b) {
                b.start();
                b.be_passive();
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "a second one asks");
                int code = 0;
                expect(b.accept(code) != INVALID_SOCKET, "it is accepted, too");
                b.until(20'000);
                b.end();
            }});
}

// B's receive comes at 6 ms.
TEST_CASE("wsd: memory of a pending operation stays registered", "[W69]") {
    run_wsd_pair({[](WsdParty& a) {
                     const HANDLE handle = a.register_memory(a.buffer.data() + 4096, 4096);
                     expect_code(a.deregister(a.region), 0, "the buffer as a whole is not needed");
                     OVERLAPPED& overlapped = a.polled();
                     expect_code(a.send(1000, overlapped, 4096), WSA_IO_PENDING, "a send");
                     expect_code(a.deregister(handle), WSAEINVAL, "it is in use");
                     expect_code(a.finish(overlapped), 0, "the send ends");
                     expect_code(a.deregister(handle), 0, "then it is free");
                     expect_code(a.deregister(handle), WSAEINVAL, "and unknown");
                     expect_code(a.send(1000, overlapped, 4096), WSAEFAULT, "and of no use");
                 }},
                 {[](WsdParty& b) {
                     b.until(6000);
                     expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive");
                 }});
}

// Inline data is copied by the call. The NIC sends it all the same.
TEST_CASE("wsd: a send that is done when the call returns uses no memory", "[W16][W69]") {
    run_wsd_pair({[](WsdParty& a) {
                      a.fill(0, 60, 7);
                      expect_code(a.send(60, a.polled()), 0, "a send that is done");
                      expect_code(a.deregister(a.region), 0, "nothing uses its memory");
                      a.fill(0, 60, 8);
                  },
                  {.immediate_sends = true}},
                 {[](WsdParty& b) {
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     expect_code(b.finish(overlapped), 0, "the message is there");
                     expect(b.bytes == 60 && b.holds(0, 60, 7), "as it was sent");
                 }});
}

TEST_CASE("wsd: a descriptor needs room, and the call says how much", "[W70][W83]") {
    run_wsd_pair({[](WsdParty& a) {
                     wsd::Descriptor descriptor;
                     const auto ask = [&](VOID* where, DWORD& length, DWORD rights = MEM_READ) {
                         int code = 0;
                         (void)a.provider.WSPRegisterRdmaMemory(a.s, a.buffer.data(), 100, rights, where, &length,
                                                                &code);
                         return code;
                     };
                     DWORD length = 0;
                     expect_code(ask(nullptr, length), WSAEFAULT, "without room");
                     expect(length == 24, "24 bytes are needed");
                     length = 23;
                     expect_code(ask(&descriptor, length), WSAEFAULT, "one byte too few");
                     expect(length == 24, "which it says again");
                     length = 100;
                     expect_code(ask(&descriptor, length), 0, "more than enough");
                     expect(length == 24, "of which it takes 24");
                     expect_code(ask(&descriptor, length, 0), WSAEINVAL, "no rights");
                     int code = 0;
                     (void)a.provider.WSPDeregisterRdmaMemory(a.s, &descriptor, 23, &code);
                     expect_code(code, WSAEINVAL, "a short descriptor");
                     WSABUFEX list{100, reinterpret_cast<CHAR*>(a.buffer.data()), a.region};
                     (void)a.provider.WSPRdmaWrite(a.s, &list, 1, &descriptor, 25, 0, &a.bytes, 0, &a.polled(), nullptr,
                                                   nullptr, &code);
                     expect_code(code, WSAEINVAL, "a long one in a write");
                     (void)a.provider.WSPRdmaRead(a.s, &list, 1, &descriptor, 8, 0, &a.bytes, 0, &a.polled(), nullptr,
                                                  nullptr, &code);
                     expect_code(code, WSAEINVAL, "a short one in a read");
                     expect_code(a.shut(descriptor), 0, "the right length");
                     expect_code(a.shut(descriptor), WSAEINVAL, "once");
                 }},
                 {});
}

// A registration takes the NIC 1 us and 20 ns for each of its pages; of 256 KiB at any address 64 or 65.
TEST_CASE("wsd: what is registered again costs nothing, until the cache is told to forget it", "[W75][W76]") {
    run_wsd_pair({[](WsdParty& a) {
                     const auto whole = static_cast<DWORD>(a.buffer.size());
                     expect_code(a.deregister(a.region), 0, "the first registration");
                     expect_code(cache_callback(a, a.buffer.data(), whole), 0, "is forgotten");
                     expect_code(cache_callback(a, a.buffer.data(), whole), WSAEINVAL, "which it is then");
                     HANDLE handle = nullptr;
                     const std::uint64_t first = time_of_registering(a, whole, handle);
                     expect(first > 1000 + 64 * 20, "the NIC takes its time");
                     expect_code(cache_callback(a, a.buffer.data(), whole), WSAEFAULT, "it is in use");
                     expect_code(a.deregister(handle), 0, "not any more");
                     const std::uint64_t again = time_of_registering(a, whole, handle);
                     expect(again < 100, "the NIC has it still");
                     expect_code(a.send_now(1000), 0, "and it is good");
                     expect_code(a.deregister(handle), 0, "once more");
                     expect_code(cache_callback(a, a.buffer.data() + 1, whole), WSAEINVAL, "it is not wholly in there");
                     const SIZE_T up_to_the_last_address = ~SIZE_T{0} - 0x1000;
                     expect_code(cache_callback(a, reinterpret_cast<std::byte*>(0x1000), up_to_the_last_address), 0,
                                 "all memory holds it");
                     expect_code(cache_callback(a, a.buffer.data(), whole), WSAEINVAL, "it is forgotten");
                     (void)time_of_registering(a, whole, handle);
                     expect_code(a.deregister(handle), 0, "for the last time");
                     expect_code(cache_callback(a, a.buffer.data(), whole), 0, "now it is");
                     expect(time_of_registering(a, whole, handle) > 1000 + 64 * 20, "the NIC takes its time again");
                 }},
                 {[](WsdParty& b) { expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive"); }});
}

TEST_CASE("wsd: memory that was only ever registered for the peer was never cached", "[W76]") {
    run_wsd_pair({[](WsdParty& a) {
                     expect_code(a.deregister(a.region), 0, "the whole buffer is cached");
                     expect_code(cache_callback(a, a.buffer.data(), a.buffer.size()), 0, "and forgotten");
                     const wsd::Descriptor descriptor = a.open(0, 8192, MEM_READ);
                     expect_code(cache_callback(a, a.buffer.data(), 8192), WSAEINVAL, "while the peer may read it");
                     const HANDLE handle = a.register_memory(a.buffer.data(), 4096);
                     expect_code(cache_callback(a, a.buffer.data(), 8192), WSAEFAULT, "of this side's it is in use");
                     expect_code(a.deregister(handle), 0, "not any more");
                     expect_code(cache_callback(a, a.buffer.data(), 8192), 0, "what is cached goes");
                     expect_code(a.shut(descriptor), 0, "the peer's");
                     expect_code(cache_callback(a, a.buffer.data(), 8192), WSAEINVAL, "leaves nothing in the cache");
                 }},
                 {});
}

TEST_CASE("wsd: nothing is cached when the socket is closed", "[W77]") {
    run_wsd_pair({[](WsdParty& a) {
                     const HANDLE handle = a.register_memory(a.buffer.data(), 8192);
                     expect_code(a.deregister(handle), 0, "it is cached");
                     expect_code(a.close(a.s), 0, "the socket is closed");
                     a.until(4000);
                     expect_code(cache_callback(a, a.buffer.data(), 8192), WSAEINVAL, "there is nothing");
                 }},
                 {});
}

// A thread that registers memory.
struct Registering {
    static DWORD run(void* argument) {
        Registering& me = *static_cast<Registering*>(argument);
        me.handle = me.party.register_memory(me.party.buffer.data() + 8192, 4096);
        me.ended = true;
        return 0;
    }

    WsdParty& party;
    bool ended = false;
    HANDLE handle = nullptr;
};

// The NIC takes 2 ms to register, and the socket is closed 1 ms after the thread's start.
TEST_CASE("wsd: memory that is being registered when its socket is closed is not", "[W99]") {
    run_wsd_pair({[](WsdParty& a) {
                     Registering other{a};
                     HANDLE thread = a.os.create_thread(Registering::run, &other, nullptr);
                     a.os.sleep(1);
                     expect_code(a.close(a.s), 0, "the socket is closed");
                     expect(!other.ended, "the NIC is not done");
                     expect(a.os.wait(&thread, 1, false, 2) == WAIT_OBJECT_0, "the call ends");
                     expect(other.handle == nullptr, "without a handle");
                     expect_code(a.error, WSAENOTSOCK, "there is no socket");
                 }},
                 {}, {"nic.registration=2 ms"});
}

TEST_CASE("wsd: a provider without its optional functions says so", "[W81]") {
    run_wsd_pair({[](WsdParty& a) {
                      const auto ask = [&a](GUID id) {
                          VOID* function = nullptr;
                          DWORD bytes = 0;
                          int code = 0;
                          (void)a.provider.WSPIoctl(a.s, SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof id, &function,
                                                    sizeof function, &bytes, nullptr, nullptr, nullptr, &code);
                          return code;
                      };
                      for (const GUID& id : {WSAID_REGISTERMEMORY, WSAID_DEREGISTERMEMORY, WSAID_REGISTERRDMAMEMORY,
                                             WSAID_DEREGISTERRDMAMEMORY, WSAID_RDMAWRITE}) {
                          expect_code(ask(id), 0, "one that must be there");
                      }
                      expect_code(ask(WSAID_RDMAREAD), WSAEOPNOTSUPP, "reads");
                      expect_code(ask(WSAID_MEMORYREGISTRATIONCACHECALLBACK), WSAEOPNOTSUPP, "the cache callback");
                      expect_code(ask(GUID_NULL), WSAEOPNOTSUPP, "what nobody has");
                      expect_code(a.read(10, a.polled(), {}), WSAEOPNOTSUPP, "a read nevertheless");
                      expect_code(cache_callback(a, a.buffer.data(), 4096), WSAEOPNOTSUPP, "the callback, too");
                      HANDLE handle = nullptr;
                      expect_code(a.deregister(a.region), 0, "nothing is cached");
                      expect(time_of_registering(a, 1U << 18U, handle) > 1000, "so the NIC takes its time");
                  },
                  {.rdma_read = false, .cache_callback = false}},
                 {});
}

TEST_CASE("wsd: without reads a read still looks for its socket first", "[W81][W99]") {
    const ChildResult run =
        run_wsd_pair({[](WsdParty& a) {
                          wsd::Descriptor anywhere;
                          WSABUFEX list{10, reinterpret_cast<CHAR*>(a.buffer.data()), a.region};
                          expect(a.provider.WSPRdmaRead(a.s, &list, 1, &anywhere, sizeof anywhere, 0, &a.bytes, 0,
                                                        &a.polled(), nullptr, nullptr, nullptr) == SOCKET_ERROR,
                                 "no place for a code, which is counted");
                          expect_code(a.read(10, a.polled(), {}), WSAEOPNOTSUPP, "a read");
                          expect_code(a.close(a.s), 0, "the socket is closed");
                          expect_code(a.read(10, a.polled(), {}), WSAENOTSOCK, "a read");
                      },
                      {.rdma_read = false}},
                     {});
    CHECK(run.metric("programs.A.consumer_errors") == 1);
}

TEST_CASE("wsd: socket options", "[W85][W86]") {
    run_wsd_pair({[](WsdParty& a) {
                     DWORD value = 0;
                     int length = 4;
                     const auto get = [&](int level, int name) {
                         int code = 0;
                         (void)a.provider.WSPGetSockOpt(a.s, level, name, reinterpret_cast<CHAR*>(&value), &length,
                                                        &code);
                         return code;
                     };
                     const auto set = [&](int name, int size) {
                         int code = 0;
                         (void)a.provider.WSPSetSockOpt(a.s, SOL_SOCKET, name, reinterpret_cast<const CHAR*>(&value),
                                                        size, &code);
                         return code;
                     };
                     for (const int name : {SO_MAX_MSG_SIZE, SO_MAX_RDMA_SIZE, SO_RDMA_THRESHOLD_SIZE}) {
                         value = 0;
                         expect_code(get(SOL_SOCKET, name), 0, "an option");
                         expect(value == (name == SO_RDMA_THRESHOLD_SIZE ? 4096U : 1U << 30U), "its value");
                         length = 3;
                         expect_code(get(SOL_SOCKET, name), WSAEFAULT, "no room for it");
                         expect(length == 4, "and how much is needed");
                         expect_code(set(name, 4), WSAENOPROTOOPT, "it cannot be set");
                     }
                     expect_code(get(SOL_SOCKET, 0x7777), WSAENOPROTOOPT, "an option that there is not");
                     expect_code(get(IPPROTO_TCP, SO_MAX_MSG_SIZE), WSAEINVAL, "a level that there is not");
                     value = 1;
                     expect_code(set(SO_DEBUG, 4), 0, "one that is kept");
                     expect_code(set(SO_DEBUG, 3), WSAEFAULT, "not of 3 bytes");
                     value = 0;
                     expect_code(get(SOL_SOCKET, SO_DEBUG), 0, "and read back");
                     expect(value == 1, "as it was");
                 }},
                 {});
}

}  // namespace ndsim::test::wsd_memory_test
