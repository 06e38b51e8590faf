// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/ndk_memory.hpp"

#include <algorithm>

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

namespace {

// A chain, since an MDL counts its bytes in 32 bits.
std::list<MDL> mdls_of(const PageMemory& memory) {
    constexpr std::uint64_t kMost = 1ULL << 31U;
    std::list<MDL> chain;
    for (std::uint64_t at = 0; at < memory.size(); at += kMost) {
        MDL* const before = chain.empty() ? nullptr : &chain.back();
        MDL& mdl = chain.emplace_back();
        mdl.VirtualAddress = memory.data() + at;
        mdl.ByteCount = static_cast<ULONG>(std::min(kMost, memory.size() - at));
        if (before != nullptr) {
            before->Next = &mdl;
        }
    }
    return chain;
}

}  // namespace

NTSTATUS NdkMemory::add_buffer(NDK_PD& pd, const std::string& name, HostBuffer& buffer) {
    Region& region = buffers_[name];
    region.memory = &buffer.memory;
    const NTSTATUS created = obtain(side_, "its MR to be created", region.mr, [&pd](Pending& pending, NDK_MR** mr) {
        return pd.Dispatch->NdkCreateMr(&pd, FALSE, Pending::created, &pending, mr);
    });
    if (created != STATUS_SUCCESS) {
        return created;
    }
    region.chain = mdls_of(buffer.memory);
    Pending pending(side_);
    const NTSTATUS registered =
        pending.outcome(region.mr->Dispatch->NdkRegisterMr(
                            region.mr, &region.chain.front(), buffer.memory.size(),
                            NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE, Pending::done, &pending),
                        "its buffer to be registered");
    region.token = region.mr->Dispatch->NdkGetLocalTokenFromMr(region.mr);
    buffer.region = ndk::face<ndk::MrFace>(region.mr).region();
    return registered;
}

NTSTATUS NdkMemory::add_object(NDK_PD& pd, const MemoryObject& object, RemoteRange& open) {
    Object& memory = objects_[object.name];
    NTSTATUS status = STATUS_SUCCESS;
    if (object.kind == MemoryKind::window) {
        status = obtain(side_, "its memory window to be created", memory.mw, [&pd](Pending& created, NDK_MW** mw) {
            return pd.Dispatch->NdkCreateMw(&pd, Pending::created, &created, mw);
        });
    } else {
        status = obtain(side_, "its MR to be created", memory.mr, [&pd](Pending& created, NDK_MR** mr) {
            return pd.Dispatch->NdkCreateMr(&pd, TRUE, Pending::created, &created, mr);
        });
        if (status == STATUS_SUCCESS) {
            Pending pending(side_);
            const BOOLEAN remote = object.remote_access ? TRUE : FALSE;
            status = pending.outcome(memory.mr->Dispatch->NdkInitializeFastRegisterMr(memory.mr, object.pages, remote,
                                                                                      Pending::done, &pending),
                                     "its fast-register region to be initialised");
        }
    }
    if (status == STATUS_SUCCESS) {
        open.key = MrKey{memory.token()};
    }
    return status;
}

std::uint32_t NdkMemory::Object::token() const {
    return mw != nullptr ? mw->Dispatch->NdkGetRemoteTokenFromMw(mw) : mr->Dispatch->NdkGetRemoteTokenFromMr(mr);
}

// The pages of a buffer in the adapter's addresses.
const NDK_LOGICAL_ADDRESS_MAPPING& NdkMemory::pages(NDK_ADAPTER& adapter, Region& region) {
    if (region.mapping.empty()) {
        std::list<MDL> chain = mdls_of(*region.memory);
        ULONG size = 0;
        ULONG first_byte = 0;
        const auto build = [&](NDK_LOGICAL_ADDRESS_MAPPING* into) {
            return adapter.Dispatch->NdkBuildLAM(&adapter, &chain.front(), region.memory->size(), Pending::done,
                                                 nullptr, into, &size, &first_byte);
        };
        if (build(nullptr) == STATUS_BUFFER_TOO_SMALL) {
            region.mapping.resize(size / sizeof(NDK_LOGICAL_ADDRESS_MAPPING) + 1);
            size = static_cast<ULONG>(region.mapping.size() * sizeof(NDK_LOGICAL_ADDRESS_MAPPING));
        }
        (void)build(region.mapping.data());
    }
    return region.mapping.front();
}

NTSTATUS NdkMemory::open(NDK_ADAPTER& adapter, NDK_QP* qp, const PostOp& op) {
    constexpr std::uint64_t kPage = PAGE_SIZE;
    const Piece& piece = op.pieces.front();
    Region& region = buffers_.at(piece.buffer);
    const Object& memory = objects_.at(op.memory);
    const std::uint64_t offset = piece.offset.count;
    const std::uint64_t length = piece.size.count;
    NTSTATUS status = STATUS_SUCCESS;
    if (op.kind == PostKind::bind) {
        status =
            qp->Dispatch->NdkBind(qp, nullptr, region.mr, memory.mw, region.memory->data() + offset, length, op.flags);
    } else {
        const Address base = side_.published({side_.host().name, piece.buffer}).address;
        const auto first_byte = static_cast<ULONG>(offset % kPage);
        const auto pages_of_it = static_cast<ULONG>((first_byte + length + kPage - 1) / kPage);
        status = qp->Dispatch->NdkFastRegister(qp, nullptr, memory.mr, pages_of_it,
                                               pages(adapter, region).AdapterPageArray + offset / kPage, first_byte,
                                               length, reinterpret_cast<PVOID>(raw(base) + offset), op.flags);
    }
    if (status == STATUS_SUCCESS) {
        side_.opened(op.memory, piece, MrKey{memory.token()});
    }
    return status;
}

NTSTATUS NdkMemory::invalidate(NDK_QP* qp, const PostOp& op) const {
    const Object& object = objects_.at(op.memory);
    NDK_OBJECT_HEADER& header = object.mw != nullptr ? object.mw->Header : object.mr->Header;
    return qp->Dispatch->NdkInvalidate(qp, nullptr, &header, op.flags);
}

NDK_SGE NdkMemory::sge_of(const Piece& piece) const {
    NDK_SGE sge{};
    sge.Length = static_cast<ULONG>(piece.size.count);
    if (side_.has_memory(piece.buffer)) {
        const RemoteRange& open = side_.memory(piece.buffer);
        sge.VirtualAddress = reinterpret_cast<PVOID>(raw(open.address) + piece.offset.count);
        sge.MemoryRegionToken = raw(open.key);
    } else {
        const Region& region = buffers_.at(piece.buffer);
        sge.VirtualAddress = region.memory->data() + piece.offset.count;
        sge.MemoryRegionToken = region.token;
    }
    return sge;
}

}  // namespace ndsim
