// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_create_test {

using namespace std::chrono_literals;

// How the calls of a Party's making and of three more creations end: one letter each, s for at once, p for pending.
std::string create_patterns(HostContext& host) {
    std::string patterns;
    NDK_ADAPTER* adapter = nullptr;
    expect(host.open_adapter({2, 1}, &adapter) == STATUS_SUCCESS, "the adapter opens");
    const auto create = [&](const std::function<NTSTATUS(Call&, NDK_OBJECT_HEADER**)>& call) {
        Call pending(host);
        NDK_OBJECT_HEADER* const untouched = reinterpret_cast<NDK_OBJECT_HEADER*>(&pending);
        NDK_OBJECT_HEADER* object = untouched;
        const NTSTATUS returned = call(pending, &object);
        expect(pending.callbacks == 0 || returned == STATUS_PENDING, "no callback of a call that is over (K15)");
        expect(pending.wait(returned) == STATUS_SUCCESS, "it is created");
        host.sleep(50us);
        expect(pending.callbacks == (returned == STATUS_PENDING ? 1 : 0), "exactly one callback, or none (K14)");
        expect((object == untouched) == (returned == STATUS_PENDING), "the out parameter is for calls that are over");
        patterns += returned == STATUS_PENDING ? 'p' : 's';
        return returned == STATUS_PENDING ? pending.object : object;
    };
    const auto out = [](NDK_OBJECT_HEADER** object) { return reinterpret_cast<void**>(object); };
    auto* const pd = reinterpret_cast<NDK_PD*>(create([&](Call& call, NDK_OBJECT_HEADER** object) {
        return adapter->Dispatch->NdkCreatePd(adapter, Call::created, &call, reinterpret_cast<NDK_PD**>(out(object)));
    }));
    auto* const cq = reinterpret_cast<NDK_CQ*>(create([&](Call& call, NDK_OBJECT_HEADER** object) {
        return adapter->Dispatch->NdkCreateCq(adapter, 8, nullptr, nullptr, nullptr, Call::created, &call,
                                              reinterpret_cast<NDK_CQ**>(out(object)));
    }));
    create([&](Call& call, NDK_OBJECT_HEADER** object) {
        return pd->Dispatch->NdkCreateQp(pd, cq, cq, nullptr, 1, 1, 1, 1, 0, Call::created, &call,
                                         reinterpret_cast<NDK_QP**>(out(object)));
    });
    create([&](Call& call, NDK_OBJECT_HEADER** object) {
        return adapter->Dispatch->NdkCreateConnector(adapter, Call::created, &call,
                                                     reinterpret_cast<NDK_CONNECTOR**>(out(object)));
    });
    create([&](Call& call, NDK_OBJECT_HEADER** object) {
        return adapter->Dispatch->NdkCreateListener(adapter, &Party::incoming, nullptr, Call::created, &call,
                                                    reinterpret_cast<NDK_LISTENER**>(out(object)));
    });
    return patterns;
}

void check_patterns(const std::string& setting, const std::string& patterns) {
    run_pair([&](HostContext& host) { expect(create_patterns(host) == patterns, setting + " gives " + patterns); },
             nothing, {"hosts.A.adapter.create_inline=" + setting});
}

TEST_CASE("create: what the NIC takes part in pends, the rest is there at once", "[K14][K15]") {
    check_patterns("as_needed", "sppss");
}

TEST_CASE("create: always at once", "[K15]") {
    check_patterns("always_sync", "sssss");
}

TEST_CASE("create: always later", "[K14]") {
    check_patterns("always_async", "ppppp");
}

TEST_CASE("create: by chance, but by the same chance on every run", "[K14][K15]") {
    const auto patterns = [](const std::string& seed) {
        // The child tells by a metric: the bits of how long its program slept beside the creations.
        const ChildResult run = run_pair(
            [](HostContext& host) {
                const std::string seen = create_patterns(host);
                for (std::size_t i = 0; i < seen.size(); ++i) {
                    if (seen[i] == 'p') {
                        host.sleep(std::chrono::milliseconds{1 << i});
                    }
                }
            },
            nothing, {"hosts.A.adapter.create_inline=mixed", "seed=" + seed});
        return run.metric("run.ended") / 1'000'000'000;
    };
    const std::uint64_t once = patterns("1");
    CHECK(patterns("1") == once);
    bool differs = false;
    for (const char* const seed : {"2", "3", "4", "5"}) {
        differs = differs || patterns(seed) != once;
    }
    CHECK(differs);
}

TEST_CASE("create: a failed one brings no object", "[K20][K14]") {
    run_pair(
        [](const Party& a) {
            sockaddr_in foreign = a.address("B", 1);
            Call call(a.host);
            call.object = &a.adapter->Header;
            expect(a.adapter->Dispatch->NdkCreateSharedEndpoint(a.adapter, reinterpret_cast<PSOCKADDR>(&foreign),
                                                                sizeof foreign, Call::created, &call,
                                                                nullptr) == STATUS_PENDING,
                   "told later");
            expect(call.wait(STATUS_PENDING) == STATUS_INVALID_ADDRESS && call.object == nullptr, "no object");
        },
        nothing, {"hosts.A.adapter.create_inline=always_async"});
}

TEST_CASE("create: an object may be used before the callback that brings it has returned", "[K19]") {
    struct User {
        HostEvent event;
        NTSTATUS posted = STATUS_PENDING;
        NDK_QP* qp = nullptr;
    };
    run_pair(
        [](Party& a) {
            User user{HostEvent(a.host)};
            const auto use = [](PVOID context, NTSTATUS, NDK_OBJECT_HEADER* object) {
                auto& inside = *static_cast<User*>(context);
                inside.qp = reinterpret_cast<NDK_QP*>(object);
                inside.posted = inside.qp->Dispatch->NdkReceive(inside.qp, nullptr, nullptr, 0);
                inside.qp->Dispatch->NdkFlush(inside.qp);
                inside.event.signal();
            };
            expect(a.pd->Dispatch->NdkCreateQp(a.pd, a.cq, a.cq, nullptr, 1, 1, 1, 1, 0, use, &user, nullptr) ==
                       STATUS_PENDING,
                   "the NIC takes part");
            user.event.wait("the queue pair");
            expect(user.posted == STATUS_SUCCESS, "a receive was posted inside");
            a.host.sleep(100us);
            expect(a.poll() == std::vector<NTSTATUS>{STATUS_CANCELLED}, "and flushed");
            a.close(user.qp->Dispatch->NdkCloseQp, user.qp);
            a.close_all();
        },
        nothing);
}

TEST_CASE("create: every object says its type and the version agreed on", "[K8][K10][K11]") {
    const auto says = [](const NDK_OBJECT_HEADER& header, NDK_OBJECT_TYPE type, USHORT major, USHORT minor) {
        return header.ObjectType == type && header.Version.Major == major && header.Version.Minor == minor &&
               header.NdkReserved.rf[0] == nullptr && header.NdkReserved.rf[3] == nullptr;
    };
    run_pair(
        [&](HostContext& host) {
            Party a(host, {1, 0});
            expect(says(a.adapter->Header, NdkObjectTypeAdapter, 1, 2), "adapter: the highest minor of 1");
            expect(says(a.pd->Header, NdkObjectTypePd, 1, 2), "PD");
            expect(says(a.cq->Header, NdkObjectTypeCq, 1, 2), "CQ");
            expect(says(a.qp->Header, NdkObjectTypeQp, 1, 2), "QP");
            expect(says(a.mr->Header, NdkObjectTypeMr, 1, 2), "MR");
            expect(says(a.new_connector()->Header, NdkObjectTypeConnector, 1, 2), "connector");
            expect(says(a.new_listener()->Header, NdkObjectTypeListener, 1, 2), "listener");
            NDK_ADAPTER_INFO info{};
            ULONG size = sizeof info;
            expect(a.adapter->Dispatch->NdkQueryAdapterInfo(a.adapter, &info, &size) == STATUS_SUCCESS, "info");
            expect(info.Version.Major == 1 && info.Version.Minor == 2, "the same version");
            const Party second(host, {2, 0});
            expect(says(second.qp->Header, NdkObjectTypeQp, 2, 1), "another instance, another version");
            host.set_ndk_state(false);
            NDK_ADAPTER* none = nullptr;
            expect(host.open_adapter({2, 1}, &none) == NDIS_STATUS_ADAPTER_NOT_READY, "NDK is off");
            host.set_ndk_state(true);
            expect(host.open_adapter({2, 1}, &none) == STATUS_SUCCESS, "and on again");
        },
        nothing);
}

TEST_CASE("create: the consumer may replace the dispatch table", "[K9]") {
    run_pair(
        [](Party& a) {
            NDK_QP_DISPATCH qp_table = *a.qp->Dispatch;
            a.qp->Dispatch = nullptr;
            a.cq->Dispatch = nullptr;
            expect(qp_table.NdkReceive(a.qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "the provider needs no table");
            qp_table.NdkFlush(a.qp);
            a.host.sleep(100us);
            Call call(a.host);
            call.wait(qp_table.NdkCloseQp(&a.qp->Header, Call::closed, &call));
        },
        nothing);
}

}  // namespace ndsim::test::ndk_create_test
