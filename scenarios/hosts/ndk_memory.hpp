// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <string>
#include <vector>

#include "scenarios/hosts/host_side.hpp"
#include "scenarios/hosts/pending.hpp"

namespace ndsim {

// NdkMemory: the memory of a host that uses NDKPI: registered buffers, and the windows and fast-register regions that
// requests open onto their parts.
class NdkMemory {
public:
    explicit NdkMemory(HostSide& side) : side_(side) {}

    // Calls of set-up; they block until they are done.
    NTSTATUS add_buffer(NDK_PD& pd, const std::string& name, HostBuffer& buffer);
    NTSTATUS add_object(NDK_PD& pd, const MemoryObject& object, RemoteRange& open);

    [[nodiscard]] std::uint32_t token(const std::string& buffer) const { return buffers_.at(buffer).token; }
    [[nodiscard]] NDK_SGE sge_of(const Piece& piece) const;
    // A Bind or a FastRegister of a piece of a buffer.
    [[nodiscard]] NTSTATUS open(NDK_ADAPTER& adapter, NDK_QP* qp, const PostOp& op);
    [[nodiscard]] NTSTATUS invalidate(NDK_QP* qp, const PostOp& op) const;

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
    struct Object {
        NDK_MR* mr = nullptr;
        NDK_MW* mw = nullptr;

        [[nodiscard]] std::uint32_t token() const;
    };

    [[nodiscard]] static const NDK_LOGICAL_ADDRESS_MAPPING& pages(NDK_ADAPTER& adapter, Region& region);

    HostSide& side_;
    std::map<std::string, Region> buffers_;
    std::map<std::string, Object> objects_;
};

}  // namespace ndsim
