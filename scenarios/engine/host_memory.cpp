// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <new>

#include "models/proto/little_endian.hpp"
#include "ndapi/ndk/faces.hpp"
#include "scenarios/engine/host_side.hpp"
#include "sim/base/rng.hpp"

// The memory of a scenario's host: buffers, and what requests open of them.
namespace ndsim {

namespace {

void fill_buffer(BufferHandle& buffer, const std::string& name, Fill fill, std::uint64_t seed) {
    std::byte* const data = buffer.memory.data();
    const std::uint64_t size = buffer.memory.size();
    Rng random(seed, name);
    for (std::uint64_t at = 0; at < size && fill != Fill::zero; at += 4) {
        std::array<std::byte, 4> word{};
        store_le(word.data(), static_cast<std::uint32_t>(fill == Fill::counter ? at / 4 : random.next()));
        std::copy_n(word.begin(), std::min<std::uint64_t>(4, size - at), data + at);
    }
}

}  // namespace

PageMemory::PageMemory(std::uint64_t size) : size_(size) {
    constexpr std::uint64_t kPage = 4096;
    const std::uint64_t whole = std::max(kPage, (size + kPage - 1) / kPage * kPage);
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, whole)));
    if (data_ == nullptr) {
        throw std::bad_alloc();
    }
    std::fill_n(data_.get(), whole, std::byte{0});
}

void PageMemory::Free::operator()(std::byte* data) const {
    std::free(data);
}

BufferHandle& HostSide::add_buffer(std::string name, std::uint64_t size, const BufferContent& content) {
    doing_ = "registering " + name;
    auto created = std::make_unique<BufferHandle>(BufferHandle{PageMemory(size), nullptr, 0, {}, {}});
    publishing_ = host_.name + "." + name;
    fill_buffer(*created, publishing_, content.fill, content.seed);
    BufferHandle& buffer = *(buffers_[std::move(name)] = std::move(created));
    obtain("its MR to be created", buffer.mr, [this](Pending& created_mr, NDK_MR** mr) {
        return pd_->Dispatch->NdkCreateMr(pd_, FALSE, Pending::created, &created_mr, mr);
    });
    MDL mdl;
    mdl.VirtualAddress = buffer.memory.data();
    mdl.ByteCount = static_cast<ULONG>(size);
    Pending pending(*this);
    driver_.node().memory.attach_cached(content.touched == Touched::by_software);
    const NTSTATUS registered = buffer.mr->Dispatch->NdkRegisterMr(
        buffer.mr, &mdl, size, NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE, Pending::done, &pending);
    driver_.node().memory.attach_cached(true);
    require(pending.outcome(registered, "its buffer to be registered"));
    buffer.token = buffer.mr->Dispatch->NdkGetLocalTokenFromMr(buffer.mr);
    const core::Mr& mr = *ndk::face<ndk::MrFace>(buffer.mr).region();
    world_.publish(publishing_, {raw(mr.remote_address_of(buffer.memory.data())),
                                 buffer.mr->Dispatch->NdkGetRemoteTokenFromMr(buffer.mr)});
    return buffer;
}

// Writes count from now on, also those before the first spin.
void HostSide::watch_places(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
        if (const auto* const spin = std::get_if<SpinOp>(&op.what)) {
            BufferHandle& buffer = *buffers_.at(spin->piece.buffer);
            const Address base = ndk::face<ndk::MrFace>(buffer.mr).region()->address_of(buffer.memory.data());
            buffer.written.begin(base, driver_.params().cpu.poll_detect);
            buffer.written.add(spin->piece.offset.count + spin->piece.size.count - 1);
            driver_.node().memory.watch(base, buffer.written);
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            watch_places(repeat->body);
        }
    }
}

void HostSide::spin(const std::string& buffer, std::uint64_t offset) {
    buffers_.at(buffer)->written.spin(main_, offset);
    main_.spend(CoreActivity::poll, driver_.params().cpu.poll_cq);
}

void HostSide::add_memory(const MemoryObject& object) {
    doing_ = "creating " + object.name;
    MemoryHandle& memory = memory_[object.name];
    memory.published = host_.name + "." + object.name;
    if (object.kind == MemoryKind::window) {
        obtain("its memory window to be created", memory.mw, [this](Pending& created, NDK_MW** mw) {
            return pd_->Dispatch->NdkCreateMw(pd_, Pending::created, &created, mw);
        });
    } else {
        obtain("its MR to be created", memory.mr, [this](Pending& created, NDK_MR** mr) {
            return pd_->Dispatch->NdkCreateMr(pd_, TRUE, Pending::created, &created, mr);
        });
        Pending pending(*this);
        const BOOLEAN remote = object.remote_access ? TRUE : FALSE;
        require(pending.outcome(
            memory.mr->Dispatch->NdkInitializeFastRegisterMr(memory.mr, object.pages, remote, Pending::done, &pending),
            "its fast-register region to be initialised"));
    }
    memory.open.token = memory.token();
    world_.publish(memory.published, memory.open);
}

std::uint32_t MemoryHandle::token() const {
    return mw != nullptr ? mw->Dispatch->NdkGetRemoteTokenFromMw(mw) : mr->Dispatch->NdkGetRemoteTokenFromMr(mr);
}

void HostSide::publish(MemoryHandle& memory, const BufferHandle& buffer, std::uint64_t offset) {
    const core::Mr& mr = *ndk::face<ndk::MrFace>(buffer.mr).region();
    memory.open = {raw(mr.remote_address_of(buffer.memory.data() + offset)), memory.token()};
    world_.publish(memory.published, memory.open);
}

const NDK_LOGICAL_ADDRESS_MAPPING& HostSide::pages(BufferHandle& buffer) {
    if (buffer.mapping.empty()) {
        MDL mdl;
        mdl.VirtualAddress = buffer.memory.data();
        mdl.ByteCount = static_cast<ULONG>(buffer.memory.size());
        ULONG size = 0;
        ULONG first_byte = 0;
        const auto build = [&](NDK_LOGICAL_ADDRESS_MAPPING* into) {
            return adapter_->Dispatch->NdkBuildLAM(adapter_, &mdl, buffer.memory.size(), Pending::done, nullptr, into,
                                                   &size, &first_byte);
        };
        if (build(nullptr) == STATUS_BUFFER_TOO_SMALL) {
            buffer.mapping.resize(size / sizeof(NDK_LOGICAL_ADDRESS_MAPPING) + 1);
            size = static_cast<ULONG>(buffer.mapping.size() * sizeof(NDK_LOGICAL_ADDRESS_MAPPING));
        }
        doing_ = "mapping a buffer";
        require(build(buffer.mapping.data()));
    }
    return buffer.mapping.front();
}

}  // namespace ndsim
