// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/hosts/completion_inbox.hpp"
#include "scenarios/hosts/host_side.hpp"
#include "scenarios/hosts/pending.hpp"

namespace ndsim {

// Notifications of a queue, counted by NDKPI's callback.
struct Notifications {
    std::uint32_t count = 0;     // not yet taken by a wait
    std::uint32_t failures = 0;  // those that reported the failure of the queue
    std::function<void()> on_notification;

    static void notify(PVOID context, NTSTATUS status);
};

// NdkFace: a host that uses NDKPI.
class NdkFace final : public Face {
public:
    explicit NdkFace(HostSide& side) : side_(side) {}

    NTSTATUS open() override;
    NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) override;
    NTSTATUS add_memory(const MemoryObject& object, RemoteRange& open) override;
    NTSTATUS add_cq(const std::string& name, std::uint32_t depth) override;
    NTSTATUS add_srq(const SharedReceiveQueue& srq) override;
    NTSTATUS add_qp(const QueuePair& qp) override;

    NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) override;
    NTSTATUS listen(const QueuePair& qp, USHORT port) override;
    NTSTATUS accept(const QueuePair& qp) override;
    NTSTATUS reject(const QueuePair& qp) override;
    void stop_listening(const QueuePair& qp) override;
    NTSTATUS disconnect(const QueuePair& qp) override;
    void wait_for_disconnect(const QueuePair& qp) override;
    void flush(const QueuePair& qp) override;

    Posted post(const PostOp& op) override;
    std::uint32_t poll(const std::string& cq, std::uint32_t most) override;
    void arm(const std::string& cq, ArmFor wish) override;
    void wait_for_cq(const std::string& cq) override { take(cqs_.at(cq).notifications); }
    void wait_for_srq(const std::string& srq) override { take(srqs_.at(srq).notifications); }
    NTSTATUS moderate(const std::string& cq, const InterruptModeration& moderation) override;
    NTSTATUS resize(const std::string& cq, std::uint32_t depth) override;
    NTSTATUS modify_srq(const std::string& srq, std::uint32_t depth, std::uint32_t threshold) override;

    [[nodiscard]] std::optional<QpNum> number_of(const std::string& qp) const override;
    [[nodiscard]] std::uint64_t cq_failures() const override;

    // For generators, which use NDKPI themselves.
    [[nodiscard]] NDK_QP* qp(const std::string& name) const { return qps_.at(name).qp; }
    [[nodiscard]] PolledCq& cq(const std::string& name) { return cqs_.at(name); }
    [[nodiscard]] std::uint32_t token(const std::string& buffer) const { return buffers_.at(buffer).token; }

private:
    // A registered buffer.
    struct Region {
        NDK_MR* mr = nullptr;
        std::uint32_t token = 0;
        const PageMemory* memory = nullptr;
        std::list<MDL> chain;                              // of its pages, while it is registered
        std::vector<NDK_LOGICAL_ADDRESS_MAPPING> mapping;  // filled once its pages are needed; room for all of them
    };
    // A window or a fast-register region: one of these.
    struct Memory {
        NDK_MR* mr = nullptr;
        NDK_MW* mw = nullptr;

        [[nodiscard]] std::uint32_t token() const;
    };
    // A completion queue and its notifications.
    struct CqHandle : PolledCq {
        Notifications notifications;
    };
    // A shared receive queue and its notifications.
    struct SrqHandle {
        NDK_SRQ* srq = nullptr;
        Notifications notifications;
    };
    // A listener, and the connectors that it has offered and no accept or reject has taken yet.
    struct Listening {
        explicit Listening(HostContext& host) : event(host) {}

        NDK_LISTENER* listener = nullptr;
        HostEvent event;
        std::deque<NDK_CONNECTOR*> offered;
    };
    // A queue pair and its connection.
    struct QpHandle {
        explicit QpHandle(HostContext& host) : peer_left(host) {}

        NDK_QP* qp = nullptr;
        NDK_CONNECTOR* connector = nullptr;
        std::unique_ptr<Listening> listening;
        HostEvent peer_left;  // the peer has disconnected, or the connection has died
    };

    template <class Ndk, class Create>
    [[nodiscard]] NTSTATUS obtain(std::string_view what, Ndk*& object, const Create& create);
    [[nodiscard]] NTSTATUS post(NDK_QP* qp, const PostOp& op, const NDK_SGE* list, ULONG count);
    [[nodiscard]] NTSTATUS open_memory(NDK_QP* qp, const PostOp& op);
    [[nodiscard]] NDK_SGE sge_of(const Piece& piece) const;
    [[nodiscard]] const NDK_LOGICAL_ADDRESS_MAPPING& pages(Region& region);
    [[nodiscard]] NDK_CONNECTOR* next_offered(const QueuePair& qp);
    [[nodiscard]] static NTSTATUS keep_or_close(QpHandle& qp, NDK_CONNECTOR* connector, NTSTATUS status);
    static void peer_left(void* qp);
    void take(Notifications& notifications);

    HostSide& side_;
    NDK_ADAPTER* adapter_ = nullptr;
    NDK_PD* pd_ = nullptr;
    std::map<std::string, Region> buffers_;
    std::map<std::string, Memory> memory_;
    std::map<std::string, CqHandle> cqs_;
    std::map<std::string, SrqHandle> srqs_;
    std::map<std::string, QpHandle> qps_;
    std::vector<NDK_SGE> sgl_;
    // A run may be stopped while a call waits, and then its stack is not unwound: owners of memory are members.
    std::string awaited_;
};

// A requested object: the call has put it into `object`, or the callback brings it.
template <class Ndk, class Create>
NTSTATUS NdkFace::obtain(std::string_view what, Ndk*& object, const Create& create) {
    Pending pending(side_);
    const NTSTATUS returned = create(pending, &object);
    const NTSTATUS status = pending.outcome(returned, what);
    if (returned == STATUS_PENDING && status == STATUS_SUCCESS) {
        object = reinterpret_cast<Ndk*>(pending.object);
    }
    return status;
}

// The face of a host that has generators.
[[nodiscard]] NdkFace& ndk_face(HostSide& side);

}  // namespace ndsim
