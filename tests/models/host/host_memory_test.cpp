// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_memory.hpp"

#include "models/host/interrupt_controller.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::memory_test {

TEST_CASE("memory: a region is zeroed, page-aligned, and reached by address") {
    Bench bench;
    HostMemory memory("memory", bench.timeline);
    const auto a = memory.allocate(5000);
    const auto b = memory.allocate(1);
    CHECK(raw(a.base) % 4096 == 0);
    CHECK(raw(b.base) % 4096 == 0);
    CHECK(a.length == 5000);
    CHECK(memory.bytes(a.base, 5000) == a.data);
    CHECK(memory.bytes(a.base + 4999, 1) == a.data + 4999);
    CHECK(*memory.bytes(a.base + 4999, 1) == std::byte{0});
    CHECK(memory.bytes(b.base, 1) == b.data);
}

TEST_CASE("memory: nothing is found over the end of a region, before it, or in a gap") {
    Bench bench;
    HostMemory memory("memory", bench.timeline);
    const auto a = memory.allocate(4096);
    const auto b = memory.allocate(4096);
    CHECK(memory.bytes(a.base, 4097) == nullptr);
    CHECK(memory.bytes(a.base + 4096, 1) == nullptr);
    CHECK(memory.bytes(Address{raw(a.base) - 1}, 2) == nullptr);
    CHECK(memory.bytes(a.base, raw(b.base) - raw(a.base) + 1) == nullptr);
    CHECK(memory.bytes(a.base + 1, UINT64_MAX) == nullptr);  // no wrap
    CHECK(raw(b.base) >= raw(a.base) + 2 * 4096);            // a page stays free behind each
    CHECK(memory.bytes(Address{0}, 1) == nullptr);
}

TEST_CASE("memory: a program's buffer keeps its place in the page and its bytes") {
    Bench bench;
    HostMemory memory("memory", bench.timeline);
    alignas(4096) static std::byte buffer[3 * 4096];
    const Address base = memory.attach(buffer + 100, 5000);
    CHECK(raw(base) % 4096 == 100);
    CHECK(memory.bytes(base + 7, 1) == buffer + 107);
    const Address again = memory.attach(buffer + 100, 5000);  // overlaps are allowed
    CHECK(again != base);
    memory.remove(base);
    memory.remove(base);       // gone already
    memory.remove(again + 1);  // no region begins there
    CHECK(memory.bytes(base, 1) == nullptr);
    CHECK(memory.bytes(again, 5000) == buffer + 100);
}

TEST_CASE("memory: who watches a region hears of writes to it, and to no other") {
    struct Watcher final : MemoryWatcher {
        void memory_written(Address address, std::uint64_t length, Picoseconds at) override {
            seen.push_back({address, length, at});
        }
        std::vector<std::tuple<Address, std::uint64_t, Picoseconds>> seen;
    } watcher;
    Bench bench;
    HostMemory memory("memory", bench.timeline);
    const auto a = memory.allocate(4096);
    const auto b = memory.allocate(4096);
    memory.watch(a.base, watcher);
    memory.written(b.base, 64, 1ns);
    memory.written(a.base + 64, 64, 2ns);
    REQUIRE(watcher.seen.size() == 1);
    CHECK(watcher.seen[0] == std::tuple{a.base + 64, std::uint64_t{64}, Picoseconds{2ns}});
    CHECK(statistic(memory, "bytes_written") == 128);
}

TEST_CASE("interrupts: a handler's first instruction runs after msix_to_isr", "[formula]") {
    Bench bench;
    InterruptController interrupts("interrupts", bench.timeline, {});
    std::vector<std::pair<int, Picoseconds>> seen;
    const auto first = interrupts.allocate_vector([&](Picoseconds at) { seen.emplace_back(1, at); });
    const auto second = interrupts.allocate_vector([&](Picoseconds at) { seen.emplace_back(2, at); });
    bench.at(1us, [&] {
        interrupts.interrupt(second, 1us);
        interrupts.interrupt(first, 1us);
    });
    bench.run();
    CHECK(seen == std::vector<std::pair<int, Picoseconds>>{{2, 2200ns}, {1, 2200ns}});
}

TEST_CASE("memory: mapped page by page, the pages do not follow each other", "[K136]") {
    Bench bench;
    HostMemory memory("memory", bench.timeline);
    alignas(4096) static std::byte buffer[3 * 4096];
    // 6000 bytes from byte 100 on: 3996 of the first page, 2004 of the second.
    const std::vector<Address> pages = memory.attach_pages(buffer + 100, 6000);
    REQUIRE(pages.size() == 2);
    CHECK(raw(pages[0]) % 4096 == 0);
    CHECK(raw(pages[1]) % 4096 == 0);
    CHECK(raw(pages[1]) - raw(pages[0]) >= 2 * 4096);
    CHECK(memory.bytes(pages[0] + 100, 3996) == buffer + 100);
    CHECK(memory.bytes(pages[1], 2004) == buffer + 4096);
    // What the buffer does not have of its pages is not mapped.
    CHECK(memory.holds(pages[0] + 100, 3996));
    CHECK_FALSE(memory.holds(pages[0] + 99, 1));
    CHECK_FALSE(memory.holds(pages[0] + 100, 3997));
    CHECK_FALSE(memory.holds(pages[1] + 2004, 1));
    memory.remove(pages[1]);
    CHECK_FALSE(memory.holds(pages[1], 1));
    CHECK(memory.holds(pages[0] + 100, 1));
    // A whole page more than fits is a page more: 3996 + 4096 + 4096 bytes touch three.
    CHECK(memory.attach_pages(buffer + 100, 3996 + 4096 + 4096).size() == 3);
    CHECK(memory.attach_pages(buffer, 4096).size() == 1);
}

}  // namespace ndsim::test::memory_test
