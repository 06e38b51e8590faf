// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/hosts/nd_process.hpp"

namespace ndsim {

// Nd2Face: a host that uses NDSPI's version 2. Its objects stay open until the end of the run.
class Nd2Face final : public Face {
public:
    explicit Nd2Face(HostSide& side) : side_(side), process_(side.new_process()) {}

    NTSTATUS open() override;
    NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) override;
    NTSTATUS add_memory(const MemoryObject& object, RemoteRange& open) override;
    NTSTATUS add_cq(const std::string& name, std::uint32_t depth) override;
    NTSTATUS add_srq(const SharedReceiveQueue& srq) override;
    NTSTATUS add_qp(const QueuePair& qp) override;
    void drop_qp(const QueuePair& qp) override;

    NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) override;
    NTSTATUS listen(const QueuePair& qp, USHORT port) override;
    NTSTATUS accept(const QueuePair& qp) override;
    NTSTATUS reject(const QueuePair& qp) override;
    void stop_listening(const QueuePair& qp) override;
    NTSTATUS disconnect(const QueuePair& qp) override;
    void wait_for_disconnect(const QueuePair& qp) override;
    void flush(const QueuePair& qp) override { (void)qps_.at(qp.name).qp->Flush(); }

    Posted post(const PostOp& op) override;
    std::uint32_t poll(const std::string& cq, std::uint32_t most) override;
    void arm(const std::string& cq, ArmFor wish) override;
    void wait_for_cq(const std::string& cq) override;
    void wait_for_srq(const std::string& srq) override;
    NTSTATUS resize(const std::string& cq, std::uint32_t depth) override { return cqs_.at(cq).cq->Resize(depth); }
    NTSTATUS modify_srq(const std::string& srq, std::uint32_t depth, std::uint32_t threshold) override;

    [[nodiscard]] std::optional<QpNum> number_of(const std::string& qp) const override;
    [[nodiscard]] std::uint64_t cq_failures() const override;

private:
    // A registered buffer.
    struct Region {
        IND2MemoryRegion* region = nullptr;
        std::byte* data = nullptr;
    };
    // A completion queue and its Notify calls.
    struct CqHandle {
        IND2CompletionQueue* cq = nullptr;
        NdNotifies notifies;
    };
    // A shared receive queue and its Notify calls.
    struct SrqHandle {
        IND2SharedReceiveQueue* srq = nullptr;
        NdNotifies notifies;
        // Notify is called once there have been as many receives; 0: it has been called, or never is.
        std::uint32_t threshold = 0;
    };
    // A queue pair and its connection.
    struct QpHandle {
        IND2QueuePair* qp = nullptr;
        IND2Connector* connector = nullptr;  // of its connection
        IND2Listener* listener = nullptr;
        OVERLAPPED peer_left{};  // pending until the connection ends
    };

    // The outcome of a call with this object's overlapped structure.
    [[nodiscard]] NTSTATUS end(IND2Overlapped& object, HRESULT returned);
    [[nodiscard]] NTSTATUS request_for(IND2Listener& listener, IND2Connector*& connector);
    [[nodiscard]] static NTSTATUS keep_or_release(QpHandle& qp, IND2Connector* connector, NTSTATUS status);
    [[nodiscard]] HRESULT post(QpHandle& qp, const PostOp& op);
    [[nodiscard]] HRESULT bind(QpHandle& qp, const PostOp& op);
    void gather(const std::vector<Piece>& pieces);

    HostSide& side_;
    os::Process& process_;
    IND2Adapter* adapter_ = nullptr;
    HANDLE file_ = nullptr;
    std::map<std::string, Region> buffers_;
    std::map<std::string, IND2MemoryWindow*> windows_;
    std::map<std::string, CqHandle> cqs_;
    std::map<std::string, SrqHandle> srqs_;
    std::map<std::string, QpHandle> qps_;
    std::vector<ND2_SGE> sgl_;
    OVERLAPPED call_{};  // of the blocking call
};

}  // namespace ndsim
