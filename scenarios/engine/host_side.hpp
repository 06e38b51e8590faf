// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ndapi/ndk/host_program.h"
#include "ndapi/os/process.hpp"
#include "scenarios/engine/pending.hpp"
#include "scenarios/engine/world.hpp"
#include "scenarios/engine/written_places.hpp"

namespace ndsim {

// Memory of a scenario's buffer: page-aligned, so that addresses are the same on every run.
class PageMemory {
public:
    explicit PageMemory(std::uint64_t size);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    struct Free {
        void operator()(std::byte* data) const;
    };
    std::uint64_t size_;
    std::unique_ptr<std::byte, Free> data_;
};

// Whether software has written to a buffer lately, so that the last-level cache may hold it, or only devices do.
enum class Touched : std::uint8_t { by_software, by_devices };

// What a buffer holds at first.
struct BufferContent {
    Fill fill = Fill::zero;
    std::uint64_t seed = 0;
    Touched touched = Touched::by_software;
};

// A registered buffer.
struct BufferHandle {
    PageMemory memory;
    NDK_MR* mr = nullptr;
    std::uint32_t token = 0;
    std::vector<NDK_LOGICAL_ADDRESS_MAPPING> mapping;  // once its pages are wanted: room for all of them
    WrittenPlaces written;
};

// A window or a fast-register region of the scenario.
struct MemoryHandle {
    NDK_MR* mr = nullptr;  // one of these
    NDK_MW* mw = nullptr;
    RemoteBuffer open;  // what it was made to stand for last, as peers call it
    std::string published;

    [[nodiscard]] std::uint32_t token() const;
};

// Notifications of a queue, for the callback of NDKPI to count.
struct Notifications {
    std::uint32_t count = 0;     // that no wait has taken yet
    std::uint32_t failures = 0;  // that told that the queue has failed
    std::function<void()> on_notification;

    static void notify(PVOID context, NTSTATUS status);
};

struct CqHandle {
    NDK_CQ* cq = nullptr;
    Notifications notifications;
};

struct SrqHandle {
    NDK_SRQ* srq = nullptr;
    Notifications notifications;
};

// A listener, and whoever it has offered that no accept or reject has taken yet.
struct Listening {
    explicit Listening(HostContext& host) : event(host) {}

    NDK_LISTENER* listener = nullptr;
    HostEvent event;
    std::deque<NDK_CONNECTOR*> offered;
};

struct QpHandle {
    NDK_QP* qp = nullptr;
    const QueuePair* declared = nullptr;
    std::string peer;        // the host at the other end
    std::uint16_t port = 0;  // where the passive one of them listens
    NDK_CONNECTOR* connector = nullptr;
    std::unique_ptr<Listening> listening;
    std::unique_ptr<HostEvent> peer_left;  // the peer has disconnected, or the connection has died
};

// HostSide: a host of the scenario as software sees it. Its main core opens the adapter, registers the buffers,
// creates the queues and connects them, all through NDKPI, and then runs the host's program.
class HostSide final : public HostContext {
public:
    HostSide(World& world, const Host& host);

    // Everything that the scenario names on this host; blocks.
    void set_up();
    // For generators: a buffer beside those of the scenario.
    BufferHandle& add_buffer(std::string name, std::uint64_t size, const BufferContent& content);

    // Steps of a connection. They block until it is there or ended, and return their outcome.
    NTSTATUS connect(const std::string& qp);
    NTSTATUS listen(const std::string& qp);
    NTSTATUS accept(const std::string& qp);
    NTSTATUS reject(const std::string& qp);
    NTSTATUS disconnect(const std::string& qp);

    [[nodiscard]] const Host& host() const { return host_; }
    [[nodiscard]] core::Driver& driver() { return driver_; }
    [[nodiscard]] Core& main_core() { return main_; }
    // What a C++ program prints goes there.
    using Output = std::function<void(std::string_view host, int stream, std::string_view text)>;
    void on_output(Output output) { output_ = std::move(output); }
    // What its software waits for, if anything.
    [[nodiscard]] std::string waiting() const;
    // A buffer of any host, "B.rx", once that is set up.
    [[nodiscard]] RemoteBuffer remote_buffer(const std::string& name) const { return world_.published(name); }
    [[nodiscard]] bool has_buffer(const std::string& name) const { return buffers_.contains(name); }
    [[nodiscard]] BufferHandle& buffer(const std::string& name) { return *buffers_.at(name); }
    [[nodiscard]] bool has_memory(const std::string& name) const { return memory_.contains(name); }
    [[nodiscard]] MemoryHandle& memory(const std::string& name) { return memory_.at(name); }
    // A request makes the window or region stand for a part of a buffer.
    void publish(MemoryHandle& memory, const BufferHandle& buffer, std::uint64_t offset);
    // The pages of a buffer as the adapter addresses them.
    [[nodiscard]] const NDK_LOGICAL_ADDRESS_MAPPING& pages(BufferHandle& buffer);
    [[nodiscard]] CqHandle& cq(const std::string& name) { return cqs_.at(name); }
    [[nodiscard]] SrqHandle& srq(const std::string& name) { return srqs_.at(name); }
    // Blocks until the NIC has done it.
    [[nodiscard]] NTSTATUS modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold);
    // Spins until the NIC has written to a byte of a buffer that watch_places() has found.
    void spin(const std::string& buffer, std::uint64_t offset);
    [[nodiscard]] QpHandle& qp(const std::string& name) { return qps_.at(name); }
    // What the scenario says of a queue pair, by the NIC's number for it; a C++ program's own have no names.
    [[nodiscard]] const QueuePair* declared(QpNum number) const;
    [[nodiscard]] bool ready() const { return ready_; }
    // Outcome of changing a completion queue; waits for it.
    NTSTATUS moderate(CqHandle& cq, const InterruptModeration& moderation);
    NTSTATUS resize(CqHandle& cq, std::uint32_t depth);
    [[nodiscard]] std::uint64_t cq_failures() const;

    NDIS_STATUS open_adapter(NDK_VERSION version, NDK_ADAPTER** adapter) override;
    void close_adapter(NDK_ADAPTER* adapter) override;
    void set_ndk_state(bool enabled) override { driver_.enable(enabled); }
    [[nodiscard]] NDIS_NDK_PERFORMANCE_COUNTERS ndk_statistics() override;
    [[nodiscard]] NDIS_NDK_CAPABILITIES ndk_capabilities(NDK_ADAPTER_INFO& info) override;
    int run_program(const std::function<int(ProgramHost&)>& program) override;
    [[nodiscard]] sockaddr_in address(std::string_view host) const override;
    [[nodiscard]] Picoseconds clock() const override { return main_.clock(); }
    void compute(Picoseconds span) override;
    void sleep(Picoseconds span) override;
    void wait(HostEvent& event, std::string_view what) override;

private:
    void wake() override;
    static void peer_left(void* qp);
    template <class Ndk, class Create>
    void obtain(std::string_view what, Ndk*& object, const Create& create);
    void watch_places(const std::vector<Op>& ops);
    void add_memory(const MemoryObject& object);
    void create_cq(const std::string& name);
    void create_srq(const SharedReceiveQueue& srq);
    void create_qp(const QueuePair& qp);
    static NTSTATUS keep_or_close(QpHandle& qp, NDK_CONNECTOR* connector, NTSTATUS status);
    void make_connections();
    void connect_at_last(const std::string& qp);
    void accept_only_one(const std::string& qp);
    [[nodiscard]] NDK_CONNECTOR* next_offered(const std::string& qp);
    void require(NTSTATUS status) const;

    World& world_;
    const Host& host_;
    core::Driver& driver_;
    Core& main_;
    NDK_ADAPTER* adapter_ = nullptr;
    NDK_PD* pd_ = nullptr;
    std::map<std::string, std::unique_ptr<BufferHandle>> buffers_;
    std::map<std::string, MemoryHandle> memory_;
    std::map<std::string, CqHandle> cqs_;
    std::map<std::string, SrqHandle> srqs_;
    std::map<std::string, QpHandle, std::less<>> qps_;
    bool ready_ = false;
    Output output_;
    std::vector<std::unique_ptr<os::Process>> processes_;  // also those that have ended: callbacks may know them
    // What set-up is at, and what it waits for. A run may be stopped while set-up waits, and then nobody unwinds its
    // stack: what owns memory is a member.
    std::string doing_;
    std::string publishing_;  // the name of the buffer that is being registered
    std::string awaited_;
};

// An object that was asked for: the call has put it into `object`, or it comes with the callback.
template <class Ndk, class Create>
void HostSide::obtain(std::string_view what, Ndk*& object, const Create& create) {
    Pending pending(*this);
    const NTSTATUS returned = create(pending, &object);
    require(pending.outcome(returned, what));
    if (returned == STATUS_PENDING) {
        object = reinterpret_cast<Ndk*>(pending.object);
    }
}

}  // namespace ndsim
