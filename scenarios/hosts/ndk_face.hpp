// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/hosts/completion_inbox.hpp"
#include "scenarios/hosts/ndk_connection.hpp"
#include "scenarios/hosts/ndk_memory.hpp"

namespace ndsim {

// Notifications of a queue, counted by NDKPI's callback.
struct Notifications {
    std::uint32_t count = 0;       // not yet taken by a wait
    std::uint32_t failures = 0;    // those that reported the failure of the queue
    HostEvent* awaited = nullptr;  // of the wait under way

    static void notify(PVOID context, NTSTATUS status);
};

// A shared receive queue to which generators post, which NDK's consumers must not do from two threads at once (the
// rules of NdkSrqReceive): they hold a lock while they post.
struct SharedSrq {
    NDK_SRQ* srq = nullptr;
    Picoseconds locked_until{};
    std::vector<Core*> waiting;  // cores that found it full
};

// The context of a queue pair: whom completions of receives from a shared queue concern.
struct QpContext : CompletionInbox::Context {
    std::uint32_t number = 0;  // of the queue pair among those of its generator
};

// NdkFace: a host that uses NDKPI.
class NdkFace final : public Face {
public:
    explicit NdkFace(HostSide& side) : side_(side), memory_(side) {}

    NTSTATUS open() override;
    NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) override {
        return memory_.add_buffer(*pd_, name, buffer);
    }
    NTSTATUS add_memory(const MemoryObject& object, RemoteRange& open) override {
        return memory_.add_object(*pd_, object, open);
    }
    NTSTATUS add_cq(const std::string& name, std::uint32_t depth) override;
    NTSTATUS add_srq(const SharedReceiveQueue& srq) override;
    NTSTATUS add_qp(const QueuePair& qp) override;
    void drop_qp(const QueuePair& qp) override;

    NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) override;
    NTSTATUS listen(const QueuePair& qp, USHORT port) override { return of(qp).listen(*adapter_, port); }
    NTSTATUS accept(const QueuePair& qp) override;
    NTSTATUS reject(const QueuePair& qp) override { return of(qp).reject(); }
    void stop_listening(const QueuePair& qp) override { of(qp).stop_listening(); }
    NTSTATUS disconnect(const QueuePair& qp) override { return of(qp).disconnect(); }
    void wait_for_disconnect(const QueuePair& qp) override { of(qp).wait_for_disconnect(); }
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
    // The cores that wait for it are called when it has room again.
    [[nodiscard]] SharedSrq& share_srq(const std::string& name);
    // Completions of receives that the queue pair takes from a shared queue come to the inbox of its context.
    void take_receives(const std::string& qp, const QpContext& context) { qps_.at(qp).context = context; }
    [[nodiscard]] std::uint32_t token(const std::string& buffer) const { return memory_.token(buffer); }

private:
    // A completion queue and its notifications.
    struct CqHandle : PolledCq {
        Notifications notifications;
    };
    // A shared receive queue and its notifications.
    struct SrqHandle : SharedSrq {
        Notifications notifications;
    };
    // A queue pair and its connection.
    struct QpHandle {
        QpHandle(HostSide& side, const QueuePair& declared) : connection(side, declared) {}

        NDK_QP* qp = nullptr;
        QpContext context;
        NdkConnection connection;
    };

    [[nodiscard]] NdkConnection& of(const QueuePair& qp) { return qps_.at(qp.name).connection; }
    [[nodiscard]] NTSTATUS post(NDK_QP* qp, const PostOp& op, const NDK_SGE* list, ULONG count);
    void take(Notifications& notifications);

    HostSide& side_;
    NDK_ADAPTER* adapter_ = nullptr;
    NDK_PD* pd_ = nullptr;
    NdkMemory memory_;
    std::map<std::string, CqHandle> cqs_;
    std::map<std::string, SrqHandle> srqs_;
    std::map<std::string, QpHandle> qps_;
    std::vector<NDK_SGE> sgl_;
};

// The face of a host that has generators.
[[nodiscard]] NdkFace& ndk_face(HostSide& side);

}  // namespace ndsim
