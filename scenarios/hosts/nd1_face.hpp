// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "scenarios/hosts/nd_process.hpp"

namespace ndsim {

// Nd1Face: a host that uses NDSPI's version 1. Its objects stay open until the end of the run. An endpoint belongs to a
// connector, and a connector to one connection.
class Nd1Face final : public Face {
public:
    explicit Nd1Face(HostSide& side) : side_(side), process_(side.new_process()) {}

    NTSTATUS open() override;
    NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) override;
    NTSTATUS add_memory(const MemoryObject& object, RemoteRange& open) override;
    NTSTATUS add_cq(const std::string& name, std::uint32_t depth) override;
    NTSTATUS add_qp(const QueuePair& qp) override;
    void drop_qp(const QueuePair& qp) override;

    NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) override;
    NTSTATUS listen(const QueuePair& qp, USHORT port) override;
    NTSTATUS accept(const QueuePair& qp) override;
    NTSTATUS reject(const QueuePair& qp) override;
    void stop_listening(const QueuePair& qp) override;
    NTSTATUS disconnect(const QueuePair& qp) override;
    void wait_for_disconnect(const QueuePair& qp) override;
    void flush(const QueuePair& qp) override { (void)qps_.at(qp.name).endpoint->Flush(); }

    Posted post(const PostOp& op) override;
    std::uint32_t poll(const std::string& cq, std::uint32_t most) override;
    [[nodiscard]] std::vector<std::string> take_invalidations() override;
    void arm(const std::string& cq, ArmFor wish) override;
    void wait_for_cq(const std::string& cq) override;
    void wait_for_srq(const std::string&) override {}
    NTSTATUS resize(const std::string& cq, std::uint32_t depth) override { return cqs_.at(cq).cq->Resize(depth); }

    [[nodiscard]] std::optional<QpNum> number_of(const std::string& qp) const override;
    [[nodiscard]] std::uint64_t cq_failures() const override;

private:
    // Target of a result. Those of requests are reused; the peer causes a window's, and a silent request has one only
    // if it fails.
    struct Result : ND_RESULT {
        bool of_request = false;
        std::string window{};  // its name, if the result tells of its invalidation
    };
    // A registered buffer.
    struct Region {
        ND_MR_HANDLE handle = nullptr;
        std::byte* data = nullptr;
    };
    // A memory window.
    struct Window {
        INDMemoryWindow* window = nullptr;
        Result invalidated{};
    };
    // A completion queue and its Notify calls.
    struct CqHandle {
        INDCompletionQueue* cq = nullptr;
        NdNotifies notifies;
    };
    // An endpoint and its connection.
    struct QpHandle {
        INDConnector* connector = nullptr;
        INDEndpoint* endpoint = nullptr;
        INDListen* listener = nullptr;
        bool connected = false;
        OVERLAPPED peer_left{};  // pending until the connection ends
    };

    // The outcome of a call with this object's overlapped structure.
    [[nodiscard]] NTSTATUS end(INDOverlapped& object, HRESULT returned);
    [[nodiscard]] static NTSTATUS note(QpHandle& qp, NTSTATUS status);
    [[nodiscard]] HRESULT post(QpHandle& qp, const PostOp& op, Result& result);
    [[nodiscard]] HRESULT bind(QpHandle& qp, const PostOp& op, Result& result);
    void gather(const PostOp& op);
    [[nodiscard]] Result& new_result(const PostOp& op);

    HostSide& side_;
    os::Process& process_;
    INDAdapter* adapter_ = nullptr;
    std::map<std::string, Region> buffers_;
    std::map<std::string, Window> windows_;
    std::map<std::string, CqHandle> cqs_;
    std::map<std::string, QpHandle> qps_;
    std::vector<ND_SGE> sgl_;
    std::deque<Result> results_;
    std::vector<Result*> free_results_;
    Result silent_{};
    std::vector<std::string> invalidations_;
    OVERLAPPED call_{};  // of the blocking call
};

}  // namespace ndsim
