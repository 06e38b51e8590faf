// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_visibility_test {

using namespace std::chrono_literals;

// 64 KiB at 100 Gbps take 5 us, so that B, which looks every 10 ns, sees hundreds of states.
constexpr ULONG kLength = 64 * 1024;

TEST_CASE("write: no byte of it is visible before those in front of it, as the adapter's flag says", "[K144]") {
    for (const char* const preset : {"A", "B", "C", "D"}) {
        const std::string all = preset;
        run_connected_pair({.program =
                                [](Party& a, const Place& peer) {
                                    std::fill(a.buffer.begin(), a.buffer.end(), std::byte{1});
                                    expect(a.write(kLength, peer) == STATUS_SUCCESS, "a Write");
                                    expect(a.next().Status == STATUS_SUCCESS, "it succeeds");
                                }},
                           {NDK_MR_FLAG_ALLOW_REMOTE_WRITE,
                            [](Party& b, const Place&) {
                                NDK_ADAPTER_INFO info{};
                                ULONG size = sizeof info;
                                expect(
                                    b.adapter->Dispatch->NdkQueryAdapterInfo(b.adapter, &info, &size) == STATUS_SUCCESS,
                                    "adapter info");
                                expect((info.AdapterFlags & NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0, "the flag");
                                b.host.sleep(1ms - b.host.clock());
                                const auto end = b.buffer.begin() + kLength;
                                auto visible = b.buffer.begin();  // the end of what has come without a gap
                                int states = 0;
                                while (visible != end) {
                                    b.host.sleep(10ns);
                                    expect(b.host.clock() < 2ms, "it comes");
                                    const auto now = std::find(visible, end, std::byte{0});
                                    expect(std::find(now, end, std::byte{1}) == end, "nothing behind the first gap");
                                    states += now != visible ? 1 : 0;
                                    visible = now;
                                }
                                expect(states >= 16, "it came bit by bit");
                            }},
                           {"hosts.A.preset=" + all, "hosts.B.preset=" + all});
    }
}

}  // namespace ndsim::test::ndk_visibility_test
