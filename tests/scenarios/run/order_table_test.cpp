// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "tests/ndapi/ndk/ndk_memory.hpp"
#include "tests/ndapi/ndk/ndk_pair.hpp"

// Table 5.1 of wire.md: A posts two requests, B looks in which order they take effect.
// - The effect of a data request is that its last byte is in memory: at B, or for a Read at A. The first one has 384
// KiB,
//   31 us at 100 Gbps, the second one 64 bytes, 3 us from post to effect.
// - The effect of a request about memory is that a token begins or ceases to be valid. B tries a Write by it. Changing
// a
//   key takes 20 us here (nic.key_update), much longer than a message.

namespace ndsim::test::order_table_test {

using namespace std::chrono_literals;

enum class Request { send, write, read, bind, fast_register, invalidate, send_and_invalidate };
constexpr std::array kRequests{Request::send,
                               Request::write,
                               Request::read,
                               Request::bind,
                               Request::fast_register,
                               Request::invalidate,
                               Request::send_and_invalidate};
constexpr std::array kNames{"Send", "Write", "Read", "Bind", "FastRegister", "Invalidate", "SendAndInvalidate"};

// "#" of the table: the second one is ordered behind the first; else only if it has the fence ("F").
bool always_ordered(Request first, Request second) {
    return first != Request::read || second == Request::read;
}
bool is_local(Request op) {
    return op == Request::bind || op == Request::fast_register || op == Request::invalidate;
}
bool takes_receive(Request op) {
    return op == Request::send || op == Request::send_and_invalidate;
}

// Both parties' buffers: what is sent or read, then the places of the two requests, then small pieces for windows.
constexpr ULONG kLong = 384 * 1024;
constexpr ULONG kShort = 64;
constexpr std::array<ULONG, 2> kPlaces{kLong, 2 * kLong};
constexpr std::array<ULONG, 2> kLengths{kLong, kShort};
constexpr ULONG kWindows = 2 * kLong + 4096;
constexpr auto kBegin = 2ms;

struct Trial {
    std::array<Request, 2> ops{};
    ULONG fence = 0;
    // What the hosts know of each other, by request.
    std::array<Place, 2> keys{};             // at A, of requests about memory
    std::array<UINT32, 2> to_kill{};         // windows of B
    std::array<const std::byte*, 2> last{};  // byte of a data request's effect
    std::array<Pages, 2> pages{};            // for FastRegister
};

NDK_MW* new_window(Party& party) {
    NDK_MW* window = nullptr;
    party.make(window, [&](Call& call, NDK_MW** out) {
        return party.pd->Dispatch->NdkCreateMw(party.pd, Call::created, &call, out);
    });
    return window;
}
// Binds it to 64 bytes of the party's buffer, the n-th of the pieces for windows.
Place bind(Party& party, NDK_MW* window, ULONG n, ULONG flags = 0) {
    std::byte* const at = party.buffer.data() + kWindows + n * kShort;
    expect(party.qp->Dispatch->NdkBind(party.qp, nullptr, party.mr, window, at, kShort, kPeerWrites | flags) ==
               STATUS_SUCCESS,
           "a Bind");
    return {reinterpret_cast<UINT64>(at), window->Dispatch->NdkGetRemoteTokenFromMw(window)};
}

// A's part.
class Poster {
public:
    Poster(Party& a, const Place& b, Trial& trial) : a_(a), b_(b), trial_(trial) {
        std::fill_n(a.buffer.begin(), kLong, std::byte{0x5A});
        for (std::size_t i = 0; i < 2; ++i) {
            windows_.at(i) = new_window(a);
            if (trial.ops.at(i) == Request::invalidate) {
                trial.keys.at(i) = bind(a, windows_.at(i), static_cast<ULONG>(i));
                expect(a.next().Status == STATUS_SUCCESS, "bound, to be invalidated");
            }
            pages_.emplace_back(a, trial.pages.at(i).bytes.data());
        }
    }
    void post(std::size_t i) {
        const auto& call = *a_.qp->Dispatch;
        const ULONG flags = i == 1 ? trial_.fence : 0;
        const NDK_SGE sge = a_.piece(kLengths.at(i), trial_.ops.at(i) == Request::read ? kPlaces.at(i) : 0);
        NTSTATUS posted = STATUS_SUCCESS;
        switch (trial_.ops.at(i)) {
            case Request::send:
                posted = call.NdkSend(a_.qp, nullptr, &sge, 1, flags);
                break;
            case Request::send_and_invalidate:
                posted = call.NdkSendAndInvalidate(a_.qp, nullptr, &sge, 1, flags, trial_.to_kill.at(i));
                break;
            case Request::write:
                posted = call.NdkWrite(a_.qp, nullptr, &sge, 1, b_.address + kPlaces.at(i), b_.token, flags);
                break;
            case Request::read:
                posted = call.NdkRead(a_.qp, nullptr, &sge, 1, b_.address + read_from(i), b_.token, flags);
                break;
            case Request::bind:
                trial_.keys.at(i) = bind(a_, windows_.at(i), static_cast<ULONG>(i), flags);
                break;
            case Request::fast_register:
                posted = pages_.at(i).fast_register(a_.qp, kPeerWrites | flags);
                trial_.keys.at(i) = {reinterpret_cast<UINT64>(trial_.pages.at(i).bytes.data()), pages_.at(i).token()};
                break;
            case Request::invalidate:
                posted = call.NdkInvalidate(a_.qp, nullptr, &windows_.at(i)->Header, flags);
                break;
        }
        expect(posted == STATUS_SUCCESS, "a post");
    }

private:
    // A Read behind a message reads that message's last bytes: nothing would come if it were too early.
    [[nodiscard]] ULONG read_from(std::size_t i) const {
        const bool behind_message = i == 1 && (trial_.ops[0] == Request::write || takes_receive(trial_.ops[0]));
        return behind_message ? kPlaces[0] + kLong - kShort : 0;
    }

    Party& a_;
    Place b_;
    Trial& trial_;
    std::array<NDK_MW*, 2> windows_{};
    std::vector<FastPage> pages_;
};

// B's part.
class Watcher {
public:
    Watcher(Party& b, Trial& trial) : b_(b), trial_(trial) {
        std::fill_n(b.buffer.begin(), kLong, std::byte{0x5A});
        for (std::size_t i = 0; i < 2; ++i) {
            trial.to_kill.at(i) = bind(b, new_window(b), static_cast<ULONG>(i)).token;
            expect(b.next().Status == STATUS_SUCCESS, "bound, to be invalidated by A");
            if (takes_receive(trial.ops.at(i))) {
                const NDK_SGE sge = b.piece(kLengths.at(i), kPlaces.at(i));
                expect(b.qp->Dispatch->NdkReceive(b.qp, nullptr, &sge, 1) == STATUS_SUCCESS, "a receive");
            }
        }
    }
    // Whether the first request takes effect first.
    bool in_order() {
        const auto [first, second] = trial_.ops;
        if (is_local(second)) {
            // In order this takes effect 20 us after the first has ended, at 31 us or at 20 us; else at 20 us. The
            // probe arrives at 30 us.
            b_.host.sleep(kBegin + 27us - b_.host.clock());
            return is_valid(trial_.keys[1]) == (second == Request::invalidate);
        }
        if (is_local(first)) {
            seen(1);
            return is_valid(trial_.keys[0]) != (first == Request::invalidate);
        }
        return seen(0) <= seen(1);
    }

private:
    // When the effect of a data request has first been seen, looking every 50 ns.
    Picoseconds seen(std::size_t i) {
        while (!seen_.at(i)) {
            b_.host.sleep(50ns);
            expect(b_.host.clock() < kBegin + 500us, "there is an effect");
            for (std::size_t each = 0; each < 2; ++each) {
                const std::byte* const last = trial_.last.at(each);
                if (!seen_.at(each) && last != nullptr && *last != std::byte{}) {
                    seen_.at(each) = b_.host.clock();
                }
            }
        }
        return *seen_.at(i);
    }
    bool is_valid(const Place& key) {
        const NDK_SGE sge = b_.piece(8);
        expect(b_.qp->Dispatch->NdkWrite(b_.qp, nullptr, &sge, 1, key.address, key.token, 0) == STATUS_SUCCESS,
               "a Write by the token");
        for (;;) {
            const NDK_RESULT_EX result = b_.next();
            if (result.Type == NdkOperationTypeWrite) {
                expect(result.Status == STATUS_SUCCESS || result.Status == STATUS_REMOTE_RESOURCES, "works or not");
                return result.Status == STATUS_SUCCESS;
            }
        }
    }

    Party& b_;
    Trial& trial_;
    std::array<std::optional<Picoseconds>, 2> seen_{};
};

void run_trial(Request first, Request second, bool fenced) {
    Trial trial;
    trial.ops = {first, second};
    trial.fence = fenced ? NDK_OP_FLAG_READ_FENCE : 0;
    const auto watch = [&trial](Party& party, bool reads) {
        for (std::size_t i = 0; i < 2; ++i) {
            const Request op = trial.ops.at(i);
            if (!is_local(op) && (op == Request::read) == reads) {
                trial.last.at(i) = party.buffer.data() + kPlaces.at(i) + kLengths.at(i) - 1;
            }
        }
    };
    const bool ordered = fenced || always_ordered(first, second);
    INFO(kNames.at(static_cast<std::size_t>(first))
         << ", " << (fenced ? "fenced " : "") << kNames.at(static_cast<std::size_t>(second)));
    run_connected_pair({NDK_MR_FLAG_ALLOW_LOCAL_WRITE,
                        [&](Party& a, const Place& peer) {
                            Poster poster(a, peer, trial);
                            watch(a, true);
                            a.host.sleep(kBegin - a.host.clock());
                            poster.post(0);
                            poster.post(1);
                        }},
                       {NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE,
                        [&](Party& b, const Place&) {
                            Watcher watcher(b, trial);
                            watch(b, false);
                            b.host.sleep(kBegin - b.host.clock());
                            expect(watcher.in_order() == ordered,
                                   ordered ? "the first one takes effect first" : "the second one overtakes it");
                        }},
                       {"nic.key_update=20 us"});
}

void run_row(Request first) {
    for (const Request second : kRequests) {
        run_trial(first, second, false);
        run_trial(first, second, true);
    }
}

TEST_CASE("order: what follows a message takes effect behind it", "[X47]") {
    run_row(Request::send);
    run_row(Request::send_and_invalidate);
    run_row(Request::write);
}

TEST_CASE("order: what follows a Read may overtake it, but not a Read, nor what has the fence", "[X47]") {
    run_row(Request::read);
}

TEST_CASE("order: what follows a request about memory takes effect behind it", "[X47]") {
    run_row(Request::bind);
    run_row(Request::fast_register);
    run_row(Request::invalidate);
}

}  // namespace ndsim::test::order_table_test
