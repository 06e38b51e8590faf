// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ndapi/windows/os/process.hpp"
#include "scenarios/format/by_name.hpp"
#include "scenarios/hosts/face.hpp"
#include "scenarios/hosts/host_connections.hpp"
#include "scenarios/world/world.hpp"

namespace ndsim {

// HostSide: a host of the scenario as software sees it. Its main core registers the buffers, creates the queues and
// connects them, all through the host's face, and then runs the host's program.
class HostSide final : public HostContext {
public:
    HostSide(World& world, const Host& host);
    // Its interface; call it before set_up().
    void use(std::unique_ptr<Face> face) { face_ = std::move(face); }

    // Sets up everything that the scenario names on this host; blocks.
    void set_up();
    // For generators: a buffer beside those of the scenario.
    HostBuffer& add_buffer(std::string new_name, std::uint64_t size, const BufferContent& content);

    [[nodiscard]] const Host& host() const { return host_; }
    [[nodiscard]] core::Driver& driver() { return driver_; }
    [[nodiscard]] Core& main_core() { return main_; }
    [[nodiscard]] Face& face() { return *face_; }
    [[nodiscard]] HostConnections& connections() { return connections_; }
    // Takes the output of C++ programs.
    using Output = std::function<void(std::string_view host, int stream, std::string_view text)>;
    void on_output(Output output) { output_ = std::move(output); }
    // The wait of the host's software, if any.
    [[nodiscard]] std::string waiting() const;
    // Memory of any host, "B.rx", once set up.
    [[nodiscard]] RemoteRange published(const Endpoint& buffer) const { return world_.published(buffer); }
    [[nodiscard]] bool has_buffer(const std::string& name) const { return buffers_.contains(name); }
    [[nodiscard]] HostBuffer& buffer(const std::string& name) { return *buffers_.at(name); }
    // Memory of this host that has been opened, in the peers' addresses.
    [[nodiscard]] bool has_memory(const std::string& name) const { return memory_.contains(name); }
    [[nodiscard]] const RemoteRange& memory(const std::string& name) const { return memory_.at(name); }
    // A request opens the window or region onto part of a buffer. Later posts of peers use its key and address, as if
    // they had been told.
    void opened(const std::string& memory, const Piece& piece, MrKey key);
    // Spins until the NIC has written to a byte of a buffer; the byte must be one of those that the program spins on.
    void spin(const std::string& buffer, std::uint64_t offset);
    [[nodiscard]] const QueuePair& qp(const std::string& name) const;
    // A queue pair in place of one of which a connection was given up before it was there.
    void renew_qp(const QueuePair& qp);
    // The scenario's queue pair with this NIC number; those that a C++ program makes have no names.
    [[nodiscard]] const QueuePair* declared(QpNum number) const;
    // A program with these cores for its threads; objects that it leaves open stay until the end of the run.
    [[nodiscard]] os::Process& new_process(std::vector<Core*> threads = {});

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
    Picoseconds wake() override;
    void watch_places(const std::vector<Op>& ops);
    void add_memory(const MemoryObject& object);
    [[nodiscard]] bool has_own_watches() const;
    void add_cq(const std::string& name);
    void add_srq(const SharedReceiveQueue& srq);
    void add_qp(const QueuePair& qp);

    World& world_;
    const Host& host_;
    core::Driver& driver_;
    Core& main_;
    Output output_;
    std::vector<std::unique_ptr<os::Process>> processes_;  // even ended ones: callbacks may refer to them
    std::map<std::string, std::unique_ptr<HostBuffer>> buffers_;
    std::map<std::string, RemoteRange> memory_;
    std::unique_ptr<Face> face_;
    HostConnections connections_;
    ByName<QueuePair> qps_;
    std::set<std::string> cqs_;  // those created
    // The present step of set-up. A member: a run may be stopped while a call waits, and then its stack is not unwound.
    std::string doing_;
};

}  // namespace ndsim
