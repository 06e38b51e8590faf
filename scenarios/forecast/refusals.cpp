// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/refusals.hpp"

#include <algorithm>
#include <array>

#include "ndapi/ndspi/ndstatus.h"
#include "scenarios/format/names.hpp"

namespace ndsim::forecast {

namespace {

constexpr std::uint32_t kAll = kPostSilentSuccess | kPostReadFence | kPostDefer;
constexpr std::uint32_t kMessage = kAll | kPostSolicit | kPostInline;
constexpr std::uint32_t kRights = kPostAllowRemoteRead | kPostAllowRemoteWrite;

// The flags of a kind of request, rights included; and the place of the flags among the parameters of NDSPI.
struct FlagRow {
    PostKind kind{};
    std::uint32_t flags = 0;
    NTSTATUS misplaced_in_ndspi = STATUS_SUCCESS;
};
constexpr std::array kFlagRows{
    FlagRow{PostKind::send, kMessage, ND_INVALID_PARAMETER_4},
    FlagRow{PostKind::receive, 0, STATUS_SUCCESS},
    FlagRow{PostKind::write, kMessage & ~kPostSolicit, ND_INVALID_PARAMETER_6},
    FlagRow{PostKind::read, kAll | kPostLocalInvalidate, ND_INVALID_PARAMETER_6},
    FlagRow{PostKind::send_and_invalidate, kMessage, ND_INVALID_PARAMETER_5},
    FlagRow{PostKind::bind, kAll | kRights, ND_INVALID_PARAMETER_6},
    FlagRow{PostKind::fast_register, kAll | kRights | kPostAllowLocalWrite, STATUS_SUCCESS},
    FlagRow{PostKind::invalidate, kAll, ND_INVALID_PARAMETER_3},
    FlagRow{PostKind::srq_receive, 0, STATUS_SUCCESS},
};

std::string flag_name(std::uint32_t flags) {
    for (std::size_t i = 0; i < format::kPostFlags.size(); ++i) {
        if ((flags & format::kPostFlags.at(i)) != 0) {
            return std::string(format::kPostFlagNames.at(i));
        }
    }
    return "local_write";
}

}  // namespace

std::optional<Refusal> refusal_of_flags(const Host& host, const PostOp& post) {
    const FlagRow& row = *std::ranges::find(kFlagRows, post.kind, &FlagRow::kind);
    std::uint32_t wrong = post.flags & ~row.flags;
    if (host.api == Api::ndspi1) {
        wrong &= ~kPostInline;  // no flag there
    }
    const std::string kind(kPostKindNames.at(static_cast<std::size_t>(post.kind)));
    if (wrong != 0) {
        return Refusal{host.api == Api::ndk ? STATUS_INVALID_PARAMETER : row.misplaced_in_ndspi,
                       "a " + kind + " has no flag " + flag_name(wrong)};
    }
    const bool gives_none =
        (post.flags & kPostAllowRemoteRead) == 0 && (post.flags & kPostAllowRemoteWrite) != kPostAllowRemoteWrite;
    if (post.kind == PostKind::bind && host.api == Api::ndk &&
        (gives_none || (post.flags & kPostAllowRemoteWrite) == kPostAllowLocalWrite)) {
        return Refusal{STATUS_INVALID_PARAMETER, gives_none ? "a bind gives the peer at least one right, in \"allow\""
                                                            : "a bind cannot give local_write"};
    }
    return std::nullopt;
}

std::optional<Refusal> refusal_of_contents(const Host& host, const PostOp& post) {
    if (post.kind == PostKind::bind && host.api == Api::ndk && post.pieces.front().size.count == 0) {
        return Refusal{STATUS_INVALID_PARAMETER, "it binds no bytes"};  // in NDSPI the NIC refuses it
    }
    if (post.kind == PostKind::fast_register) {
        const MemoryObject& object = *std::ranges::find(host.memory, post.memory, &MemoryObject::name);
        const Piece& piece = post.pieces.front();
        constexpr std::uint64_t kPage = 4096;
        const std::uint64_t pages = ceil_div(piece.offset.count % kPage + piece.size.count, kPage);
        if (piece.size.count == 0) {
            return Refusal{STATUS_INVALID_PARAMETER, "it registers no bytes"};
        }
        if (pages > object.pages) {
            return Refusal{STATUS_INVALID_PARAMETER, "it takes " + std::to_string(pages) + " pages, and " +
                                                         object.name + " has " + std::to_string(object.pages)};
        }
        if ((post.flags & (kPostAllowRemoteRead | (kPostAllowRemoteWrite & ~kPostAllowLocalWrite))) != 0 &&
            !object.remote_access) {
            return Refusal{STATUS_ACCESS_VIOLATION, object.name + " has no remote_access"};
        }
    }
    return std::nullopt;
}

}  // namespace ndsim::forecast
