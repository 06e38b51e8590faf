// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_registration_test {

void make_region(Nd2Party& party, Ref<IND2MemoryRegion>& created) {
    expect(party.adapter->CreateMemoryRegion(IID_IND2MemoryRegion, party.file, created.out()) == ND_SUCCESS,
           "a region");
}

// What Register says to no buffer, to no bytes, and to one byte more than MaxRegistrationSize.
std::vector<HRESULT> refusals(const std::vector<std::string>& overrides = {}) {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2MemoryRegion> region;
            make_region(a, region);
            Nd2Call call(a.os);
            const auto try_it = [&](const void* buffer, SIZE_T length) {
                statuses.push_back(region->Register(buffer, length, ND_MR_FLAG_ALLOW_LOCAL_WRITE, &call.overlapped));
                expect(statuses.back() != ND_PENDING, "arguments are looked at within the call (B13)");
            };
            try_it(nullptr, 64);
            try_it(a.buffer.data(), 0);
            try_it(a.buffer.data(), info_of(a).MaxRegistrationSize + 1);
            expect(region->Register(a.buffer.data(), 64, 0, &call.overlapped) == ND_PENDING &&
                       call.end(*region.get()) == ND_SUCCESS,
                   "the region is still good");
        },
        idle, overrides);
    return statuses;
}

// Memory of this process, in bytes.
std::uint64_t resident() {
    std::ifstream from("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t pages = 0;
    from >> size >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_CASE("nd2: Register refuses no buffer, no bytes and too many", "[R118][B13]") {
    CHECK(refusals() == std::vector<HRESULT>{ND_ACCESS_VIOLATION, ND_ACCESS_VIOLATION, ND_INVALID_PARAMETER});
}

TEST_CASE("nd2: Register refuses no buffer, no bytes and too many, by InfiniBand's codes", "[R118]") {
    CHECK(refusals({"profile=infiniband"}) ==
          std::vector<HRESULT>{ND_INVALID_PARAMETER, ND_INVALID_BUFFER_SIZE, ND_INVALID_PARAMETER});
}

// The code of the second is Microsoft's test's and WinOFED's; no page has one (ndspi.md 4.6).
TEST_CASE("nd2: a region stands for one buffer at a time") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2MemoryRegion> region;
            make_region(a, region);
            const auto call = [&](HRESULT returned) { statuses.push_back(a.finish(*region.get(), returned)); };
            call(region->Register(a.buffer.data(), 64, 0, &a.overlapped));
            call(region->Register(a.buffer.data() + 64, 64, 0, &a.overlapped));
            call(region->Deregister(&a.overlapped));
            call(region->Register(a.buffer.data() + 64, 64, 0, &a.overlapped));
            call(region->Deregister(&a.overlapped));
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_SUCCESS, ND_INVALID_DEVICE_STATE, ND_SUCCESS, ND_SUCCESS, ND_SUCCESS});
}

TEST_CASE("nd2: a region whose Register or Deregister is under way takes no other buffer") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2MemoryRegion> region;
            make_region(a, region);
            Nd2Call first(a.os);
            Nd2Call end(a.os);
            Nd2Call other(a.os);
            const auto try_it = [&] {
                statuses.push_back(region->Register(a.buffer.data() + 64, 64, 0, &other.overlapped));
            };
            expect(region->Register(a.buffer.data(), 64, 0, &first.overlapped) == ND_PENDING, "a registration");
            try_it();
            expect(first.end(*region.get()) == ND_SUCCESS, "it succeeds");
            expect(region->Deregister(&end.overlapped) == ND_PENDING, "a deregistration");
            try_it();
            expect(end.end(*region.get()) == ND_SUCCESS, "it succeeds");
            try_it();
            expect(other.end(*region.get()) == ND_SUCCESS, "behind it there is room for one");
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_INVALID_DEVICE_STATE, ND_INVALID_DEVICE_STATE, ND_PENDING});
}

TEST_CASE("nd2: a Register that is cancelled has registered nothing", "[R142][B15]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2MemoryRegion> region;
            make_region(a, region);
            Nd2Call cancelled(a.os);
            expect(region->Register(a.buffer.data(), 64, 0, &cancelled.overlapped) == ND_PENDING, "a registration");
            expect(region->CancelOverlappedRequests() == ND_SUCCESS, "it is cancelled");
            statuses.push_back(cancelled.end(*region.get()));
            a.os.sleep(1);  // it has been undone by then
            statuses.push_back(region->Deregister(&a.overlapped));
            statuses.push_back(a.finish(*region.get(), region->Register(a.buffer.data(), 64, 0, &a.overlapped)));
            Nd2Call released(a.os);  // by the release, which then has nothing to wait for
            Ref<IND2MemoryRegion> other;
            make_region(a, other);
            expect(other->Register(a.buffer.data(), 64, 0, &released.overlapped) == ND_PENDING, "another one");
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_CANCELED, ND_INVALID_DEVICE_STATE, ND_SUCCESS});
}

// The same buffer twice: what A may not do by the one token it may do by the other.
TEST_CASE("nd2: regions of one buffer have their own rights") {
    Nd2Place open;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.read(64, open, 0, context(1)) == ND_SUCCESS, "a Read by the open token");
                          at_a = next(a);
                          expect(a.read(64, b, 0, context(2)) == ND_SUCCESS, "a Read by the other");
                          at_a.push_back(next(a).front());
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryRegion> region;
                     make_region(b, region);
                     expect(
                         b.finish(*region.get(), region->Register(b.buffer.data(), 4096, ND_MR_FLAG_ALLOW_REMOTE_READ,
                                                                  &b.overlapped)) == ND_SUCCESS,
                         "the buffer is registered once more");
                     open = {reinterpret_cast<UINT64>(b.buffer.data()), region->GetRemoteToken()};
                     until_ms(b.os, 10);
                 }});
    CHECK(at_a == Endings{{kRead, ND_SUCCESS, 1}, {kRead, ND_REMOTE_ERROR, 2}});
}

// 4 MiB have 1024 pages, so four bytes for each page would be 4 KiB a region and 40 MB in all. An object may take 1
// KiB.
TEST_CASE("nd2: ten thousand regions of 4 MiB need no memory for their pages", "[B11]") {
    constexpr std::size_t kRegions = 10'000;
    constexpr std::size_t kSize = 4U << 20U;
    std::uint64_t grown = 0;
    bool tokens_differ = false;
    void* const memory =
        mmap(nullptr, kRegions * kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    run_nd2(
        [&](Nd2Party& a) {
            const auto regions = std::make_unique<std::array<Ref<IND2MemoryRegion>, kRegions>>();
            const std::uint64_t before = resident();
            std::vector<UINT32> tokens;
            for (std::size_t i = 0; i < kRegions; ++i) {
                Ref<IND2MemoryRegion>& region = regions->at(i);
                make_region(a, region);
                expect(a.finish(*region.get(), region->Register(static_cast<std::byte*>(memory) + i * kSize, kSize,
                                                                kRemoteRights, &a.overlapped)) == ND_SUCCESS,
                       "another region is registered");
                tokens.push_back(region->GetRemoteToken());
            }
            grown = resident() - before;
            std::sort(tokens.begin(), tokens.end());
            tokens_differ = std::adjacent_find(tokens.begin(), tokens.end()) == tokens.end();
        },
        idle);
    munmap(memory, kRegions * kSize);
    CHECK(tokens_differ);
    CHECK(grown < kRegions * 4096);
}

}  // namespace ndsim::test::nd2_registration_test
