// SPDX-License-Identifier: Apache-2.0
// The quickstart scenario as two C++ programs on NDKPI: A sends eight messages of 4 KiB, B receives them. Described in
// docs/host-programs.md. An argument names an existing folder, into which the outputs of the run go.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ndapi/ndk/host_program.h"
#include "scenarios/format/load.hpp"
#include "scenarios/run/run.hpp"

using ndsim::HostContext;
using ndsim::HostEvent;

namespace {

constexpr ULONG kMessages = 8;
constexpr ULONG kBytes = 4096;
constexpr USHORT kPort = 4000;
constexpr NDK_VERSION kVersion{1, 2};

// The hardware: two hosts of preset B with a cable between them. The programs bring everything else.
constexpr std::string_view kScenario = R"({
  "hosts": { "A": {}, "B": {} },
  "outputs": { "waves": true }
})";

void require(NTSTATUS status, const std::string& what) {
    if (status != STATUS_SUCCESS) {
        throw std::runtime_error(what + " failed with status " + std::to_string(static_cast<ULONG>(status)));
    }
}

// A call that may pend: its callback notes the outcome and wakes the program.
struct Call {
    explicit Call(HostContext& host) : event(host) {}

    HostEvent event;
    NTSTATUS status = STATUS_PENDING;
    NDK_OBJECT_HEADER* object = nullptr;

    static void created(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER* object) {
        static_cast<Call*>(context)->object = object;
        done(context, status);
    }
    static void done(PVOID context, NTSTATUS status) {
        auto& call = *static_cast<Call*>(context);
        call.status = status;
        call.event.signal();
    }
    static void closed(PVOID context) { done(context, STATUS_SUCCESS); }

    NTSTATUS outcome(NTSTATUS returned, std::string_view what) {
        if (returned == STATUS_PENDING) {
            event.wait(what);
            returned = status;
        }
        return returned;
    }
};

// Eight messages. The place in the page counts for PCIe, so that a run repeats itself only if this is fixed.
struct alignas(4096) Memory {
    std::array<std::byte, std::size_t{kMessages} * kBytes> bytes{};
};

// What both programs have: an adapter, registered memory, two completion queues and a queue pair.
struct Endpoint {
    explicit Endpoint(HostContext& context) : host(context) {}

    HostContext& host;
    std::unique_ptr<Memory> memory = std::make_unique<Memory>();
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    NDK_MR* mr = nullptr;
    NDK_CQ* receive_cq = nullptr;
    NDK_CQ* send_cq = nullptr;
    NDK_QP* qp = nullptr;
    NDK_CONNECTOR* connector = nullptr;

    void open();
    void close();
    [[nodiscard]] NDK_SGE message(ULONG number);
    // Polls until every message of this side has completed.
    void finish(NDK_CQ* cq);

private:
    [[nodiscard]] NDK_CQ* create_cq();
    template <class Close, class Object>
    void close(Close* function, Object* object);
};

NDK_CQ* Endpoint::create_cq() {
    Call call(host);
    NDK_CQ* cq = nullptr;
    require(call.outcome(adapter->Dispatch->NdkCreateCq(adapter, kMessages, nullptr, nullptr, nullptr, Call::created,
                                                        &call, &cq),
                         "a CQ"),
            "NdkCreateCq");
    return reinterpret_cast<NDK_CQ*>(call.object);  // it pended, so the object came with the callback
}

void Endpoint::open() {
    require(host.open_adapter(kVersion, &adapter), "opening the adapter");
    require(adapter->Dispatch->NdkCreatePd(adapter, Call::created, nullptr, &pd), "NdkCreatePd");

    require(pd->Dispatch->NdkCreateMr(pd, FALSE, Call::created, nullptr, &mr), "NdkCreateMr");
    MDL mdl;
    mdl.VirtualAddress = memory->bytes.data();
    mdl.ByteCount = static_cast<ULONG>(memory->bytes.size());
    Call registration(host);
    require(registration.outcome(mr->Dispatch->NdkRegisterMr(mr, &mdl, memory->bytes.size(),
                                                             NDK_MR_FLAG_ALLOW_LOCAL_WRITE, Call::done, &registration),
                                 "its memory to be registered"),
            "NdkRegisterMr");

    receive_cq = create_cq();
    send_cq = create_cq();
    Call creation(host);
    require(creation.outcome(pd->Dispatch->NdkCreateQp(pd, receive_cq, send_cq, nullptr, kMessages, kMessages, 1, 1, 0,
                                                       Call::created, &creation, &qp),
                             "a QP"),
            "NdkCreateQp");
    qp = reinterpret_cast<NDK_QP*>(creation.object);
}

NDK_SGE Endpoint::message(ULONG number) {
    NDK_SGE sge{};
    sge.VirtualAddress = memory->bytes.data() + std::size_t{number} * kBytes;
    sge.Length = kBytes;
    sge.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
    return sge;
}

void Endpoint::finish(NDK_CQ* cq) {
    std::array<NDK_RESULT, kMessages> results{};
    for (ULONG done = 0; done < kMessages;) {
        const ULONG count = cq->Dispatch->NdkGetCqResults(cq, results.data(), kMessages - done);
        for (ULONG i = 0; i < count; ++i) {
            require(results[i].Status, "a request");
        }
        done += count;
    }
}

template <class Close, class Object>
void Endpoint::close(Close* function, Object* object) {
    Call call(host);
    require(call.outcome(function(&object->Header, Call::closed, &call), "an object to be closed"), "a close");
}

// The reverse of open(). A connection ends when both sides have disconnected.
void Endpoint::close() {
    Call call(host);
    require(call.outcome(connector->Dispatch->NdkDisconnect(connector, Call::done, &call), "the peer to disconnect"),
            "NdkDisconnect");
    close(connector->Dispatch->NdkCloseConnector, connector);
    close(qp->Dispatch->NdkCloseQp, qp);
    close(send_cq->Dispatch->NdkCloseCq, send_cq);
    close(receive_cq->Dispatch->NdkCloseCq, receive_cq);
    close(mr->Dispatch->NdkCloseMr, mr);
    close(pd->Dispatch->NdkClosePd, pd);
    host.close_adapter(adapter);
}

std::byte byte_of(std::size_t index) {
    return std::byte{static_cast<std::uint8_t>(index * 7 + index / 256)};
}

}  // namespace

void quickstart_sender(HostContext& host) {
    Endpoint end(host);
    for (std::size_t i = 0; i < end.memory->bytes.size(); ++i) {
        end.memory->bytes[i] = byte_of(i);
    }
    end.open();
    require(end.adapter->Dispatch->NdkCreateConnector(end.adapter, Call::created, nullptr, &end.connector),
            "NdkCreateConnector");
    sockaddr_in from = host.address("");
    sockaddr_in to = host.address("B");
    to.sin_port = htons(kPort);
    NTSTATUS status = STATUS_CONNECTION_REFUSED;
    while (status == STATUS_CONNECTION_REFUSED) {  // B may not be listening yet
        Call call(host);
        status = call.outcome(end.connector->Dispatch->NdkConnect(
                                  end.connector, end.qp, reinterpret_cast<PSOCKADDR>(&from), sizeof from,
                                  reinterpret_cast<PSOCKADDR>(&to), sizeof to, 0, 0, nullptr, 0, Call::done, &call),
                              "B to accept");
        if (status == STATUS_CONNECTION_REFUSED) {
            host.sleep(std::chrono::microseconds{10});
        }
    }
    require(status, "NdkConnect");
    Call completion(host);
    require(completion.outcome(
                end.connector->Dispatch->NdkCompleteConnect(end.connector, nullptr, nullptr, Call::done, &completion),
                "the connection"),
            "NdkCompleteConnect");

    for (ULONG i = 0; i < kMessages; ++i) {
        const NDK_SGE sge = end.message(i);
        require(end.qp->Dispatch->NdkSend(end.qp, nullptr, &sge, 1, 0), "NdkSend");
    }
    end.finish(end.send_cq);
    end.close();
}

void quickstart_receiver(HostContext& host) {
    Endpoint end(host);
    end.open();
    // Receives may be posted before there is a connection, so no message can come too early for them.
    for (ULONG i = 0; i < kMessages; ++i) {
        const NDK_SGE sge = end.message(i);
        require(end.qp->Dispatch->NdkReceive(end.qp, nullptr, &sge, 1), "NdkReceive");
    }

    struct Incoming {
        HostEvent event;
        NDK_CONNECTOR* connector = nullptr;
    } incoming{HostEvent(host)};
    const auto arrived = [](PVOID context, NDK_CONNECTOR* connector) {
        static_cast<Incoming*>(context)->connector = connector;
        static_cast<Incoming*>(context)->event.signal();
    };
    NDK_LISTENER* listener = nullptr;
    require(
        end.adapter->Dispatch->NdkCreateListener(end.adapter, arrived, &incoming, Call::created, nullptr, &listener),
        "NdkCreateListener");
    sockaddr_in local = host.address("");
    local.sin_port = htons(kPort);
    Call listening(host);
    require(listening.outcome(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                            Call::done, &listening),
                              "the listener"),
            "NdkListen");
    incoming.event.wait("A to connect");
    end.connector = incoming.connector;
    Call acceptance(host);
    require(acceptance.outcome(end.connector->Dispatch->NdkAccept(end.connector, end.qp, 0, 0, nullptr, 0, nullptr,
                                                                  nullptr, Call::done, &acceptance),
                               "A to complete the connection"),
            "NdkAccept");
    // The listener is gone once its connector is, so nobody waits for it here; close_adapter() does.
    (void)listener->Dispatch->NdkCloseListener(
        &listener->Header, [](PVOID) {}, nullptr);

    end.finish(end.receive_cq);
    for (std::size_t i = 0; i < end.memory->bytes.size(); ++i) {
        if (end.memory->bytes[i] != byte_of(i)) {
            throw std::runtime_error("byte " + std::to_string(i) + " is not what A sent");
        }
    }
    end.close();
}

int sc_main(int argc, char** argv) {
    try {
        const ndsim::Scenario scenario = ndsim::load_scenario("quickstart_program", kScenario);
        ndsim::RunOptions options;
        options.folder = argc > 1 ? argv[1] : "";
        options.programs["A"] = quickstart_sender;
        options.programs["B"] = quickstart_receiver;
        const ndsim::RunResult result = ndsim::run_scenario(scenario, options);
        if (result.outcome != ndsim::RunOutcome::finished || !result.unwritten.empty()) {
            std::fprintf(stderr, "%s\n", result.unwritten.empty() ? result.why.c_str() : result.unwritten[0].c_str());
            return EXIT_FAILURE;
        }
        for (const ndsim::MeanLedger& ledger : result.ledgers) {
            std::printf("%s: %llu %ss, %.3f us each\n", ledger.host.c_str(),
                        static_cast<unsigned long long>(ledger.requests), ledger.operation.c_str(),
                        static_cast<double>(ledger.mean_total.count()) / 1e6);
            for (const auto& [account, mean] : ledger.accounts) {
                std::printf("  %-14s %8.3f us\n", account.c_str(), static_cast<double>(mean.count()) / 1e6);
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
