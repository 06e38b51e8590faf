// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/read_posts.hpp"

#include <array>
#include <utility>

#include "scenarios/format/names.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "scenarios/format/written.hpp"
#include "sim/base/text.hpp"

namespace ndsim::format {

namespace {

// The keys with which a kind of request names memory of the peer.
struct PeerKey {
    PostKind kind{};
    std::string_view key;
    std::string_view offset_key;  // empty: none
    std::string_view missing;
    std::string_view misplaced;
};
constexpr std::array kPeerKeys{
    PeerKey{PostKind::write, "to", "to_offset", "a write needs a target", "only a write has a target"},
    PeerKey{PostKind::read, "from", "from_offset", "a read needs a source", "only a read has a source"},
    PeerKey{PostKind::send_and_invalidate, "invalidates", "", "a send_and_invalidate needs a key to invalidate",
            "only a send_and_invalidate invalidates a key of the peer"},
};

bool opens_memory(PostKind kind) {
    return kind == PostKind::bind || kind == PostKind::fast_register;
}
bool is_about_memory(PostKind kind) {
    return opens_memory(kind) || kind == PostKind::invalidate;
}

// Reads one request.
class PostReader {
public:
    PostReader(const Host& host, const Place& place) : host_(host), place_(place) {}

    [[nodiscard]] std::vector<Op> read() const;

private:
    void read_queue(PostOp& post) const;
    void read_peer(PostOp& post, const WrittenPost& written) const;
    void read_memory(PostOp& post) const;
    [[nodiscard]] std::vector<Piece> read_pieces(const WrittenPost& written) const;
    [[nodiscard]] std::optional<Piece> read_piece(const Place& place, Bytes offset, Bytes size) const;
    [[nodiscard]] std::uint32_t read_flags(PostKind kind) const;
    void refuse(std::string_view key, std::string message) const;

    const Host& host_;
    const Place& place_;
};

// Reports a problem of a key, if it is there.
void PostReader::refuse(std::string_view key, std::string message) const {
    if (const JsonNode* const node = place_.node.find(key)) {
        place_.wrong(*node, place_.inner(key), std::move(message));
    }
}

std::vector<Op> PostReader::read() const {
    WrittenPost written;
    read_section(written, place_, "post");
    PostOp post;
    post.kind = written.kind;
    read_queue(post);
    read_peer(post, written);
    read_memory(post);
    post.pieces = read_pieces(written);
    post.flags = read_flags(written.kind);
    const std::string label = read_name(place_, "as").value_or("");
    const bool counted = place_.node.find("count") != nullptr;
    std::vector<Op> ops;
    for (std::uint32_t i = 0; i < written.count; ++i) {
        post.label = label.empty() || !counted ? label : element(label, i);
        ops.push_back(Op{place_.node.at, place_.path, post});
        for (Piece& piece : post.pieces) {
            piece.offset += written.step;
        }
        post.peer_offset += written.step;
    }
    return ops;
}

// A receive for a shared queue names that queue, any other request its queue pair.
void PostReader::read_queue(PostOp& post) const {
    if (post.kind != PostKind::srq_receive) {
        refuse("srq", "only an srq_receive names a shared receive queue");
        post.qp = read_qp(host_, place_, "qp").value_or("q0");
        return;
    }
    refuse("qp", "an srq_receive is for all queue pairs of its shared receive queue");
    post.srq = read_srq(host_, place_, "srq");
    if (place_.node.find("srq") == nullptr) {
        place_.wrong(place_.node, place_.path, "an srq_receive needs a shared receive queue", "\"srq\" names it");
    }
}

void PostReader::read_peer(PostOp& post, const WrittenPost& written) const {
    for (const PeerKey& row : kPeerKeys) {
        if (row.kind != post.kind) {
            refuse(row.key, std::string(row.misplaced));
            refuse(row.offset_key, std::string(row.misplaced));
            continue;
        }
        post.peer = endpoint_of(read_text(place_, row.key).value_or(""));
        if (place_.node.find(row.key) == nullptr) {
            place_.wrong(place_.node, place_.path, std::string(row.missing),
                         in_quotes(row.key) + " names it: \"HOST.BUFFER\" of the peer");
        }
    }
    post.peer_offset = post.kind == PostKind::read ? written.from_offset : written.to_offset;
}

void PostReader::read_memory(PostOp& post) const {
    if (!is_about_memory(post.kind)) {
        refuse("memory", "only a bind, a fast_register or an invalidate has \"memory\"");
    } else if (const auto name = read_text(place_, "memory")) {
        post.memory = *name;
        const MemoryObject* const object = find_named(host_.memory, *name);
        if (object == nullptr) {
            const Absence absence = no_such("memory", *name, names_of(host_.memory), " on host " + host_.name);
            place_.wrong(*place_.node.find("memory"), place_.inner("memory"), absence.message, absence.hint);
        } else if (opens_memory(post.kind) && (object->kind == MemoryKind::window) != (post.kind == PostKind::bind)) {
            refuse("memory",
                   *name + " is a " + std::string(kMemoryKindNames.at(static_cast<std::size_t>(object->kind))));
        }
    } else if (place_.node.find("memory") == nullptr) {
        place_.wrong(place_.node, place_.path, "\"memory\" is missing",
                     "it names one of the host's \"memory\" objects");
    }
    if (opens_memory(post.kind)) {
        refuse("sgl", "a bind or a fast_register takes one \"buffer\"");
        if (place_.node.find("buffer") == nullptr) {
            place_.wrong(place_.node, place_.path, "\"buffer\" is missing", "it names the buffer to open");
        }
    } else {
        refuse("allow", "only a bind or a fast_register gives rights");
        if (post.kind == PostKind::invalidate) {
            refuse("buffer", "an invalidate has no data");
            refuse("sgl", "an invalidate has no data");
        }
    }
}

std::vector<Piece> PostReader::read_pieces(const WrittenPost& written) const {
    std::vector<Piece> pieces;
    const JsonNode* const sgl = place_.node.find("sgl");
    const bool has_buffer = place_.node.find("buffer") != nullptr;
    for (const std::string_view key : {"buffer", "offset", "size"}) {
        const JsonNode* const node = place_.node.find(key);
        if (node != nullptr && sgl != nullptr) {
            place_.wrong(*node, place_.inner(key), "each entry of \"sgl\" sets this itself");
        } else if (node != nullptr && !has_buffer) {
            place_.wrong(*node, place_.inner(key), "there is no \"buffer\"", "without one the message has no bytes");
        }
    }
    if (sgl != nullptr) {
        for_each_item(place_, "sgl", [&](const Place& item) {
            Piece piece_written;
            read_section(piece_written, item, "piece");
            if (auto piece = read_piece(item, piece_written.offset, piece_written.size)) {
                pieces.push_back(std::move(*piece));
            }
        });
    } else if (has_buffer) {
        if (auto piece = read_piece(place_, written.offset, written.size)) {
            pieces.push_back(std::move(*piece));
        }
    }
    return pieces;
}

// Without a size, the piece goes up to the end of the buffer.
std::optional<Piece> PostReader::read_piece(const Place& place, Bytes offset, Bytes size) const {
    const auto name = read_text(place, "buffer");
    if (!name) {
        return std::nullopt;
    }
    const bool has_size = place.node.find("size") != nullptr;
    const Buffer* const buffer = find_named(host_.buffers, *name);
    const MemoryObject* const object = find_named(host_.memory, *name);
    if (object != nullptr && object->kind == MemoryKind::fast_register) {
        if (!has_size) {
            place.wrong(place.node, place.path, "\"size\" is missing", "only requests give " + *name + " its size");
        }
    } else if (buffer == nullptr) {
        const Absence absence = no_such("buffer", *name, names_of(host_.buffers), " on host " + host_.name);
        place.wrong(*place.node.find("buffer"), place.inner("buffer"), absence.message, absence.hint);
        return std::nullopt;
    } else if (!has_size) {
        size = buffer->size > offset ? buffer->size - offset : 0_B;
    }
    return Piece{*name, offset, size};
}

std::uint32_t PostReader::read_flags(PostKind kind) const {
    std::uint32_t flags = 0;
    for (const std::size_t index : read_choices(place_, "flags", kPostFlagNames)) {
        flags |= kPostFlags.at(index);
    }
    if (flags != 0 && (kind == PostKind::receive || kind == PostKind::srq_receive)) {
        place_.wrong(*place_.node.find("flags"), place_.inner("flags"), "a receive has no flags");
    }
    for (const std::size_t index : read_choices(place_, "allow", kAllowNames)) {
        flags |= kAllowFlags.at(index);
    }
    return flags;
}

}  // namespace

std::optional<std::string> read_qp(const Host& host, const Place& place, std::string_view key) {
    auto name = read_text(place, key);
    if (const std::string wanted = name.value_or("q0"); find_named(host.qps, wanted) == nullptr) {
        const JsonNode* const node = place.node.find(key);
        const Absence absence = no_such("queue pair", wanted, names_of(host.qps), " on host " + host.name);
        place.wrong(node == nullptr ? place.node : *node, place.inner(key), absence.message, absence.hint);
    }
    return name;
}

std::string read_srq(const Host& host, const Place& place, std::string_view key) {
    const auto text = read_text(place, key);
    if (text && find_named(host.srqs, *text) == nullptr) {
        const Absence absence = no_such("shared receive queue", *text, names_of(host.srqs), " on host " + host.name);
        place.wrong(*place.node.find(key), place.inner(key), absence.message, absence.hint);
    }
    return text.value_or("");
}

std::vector<Op> read_post(const Host& host, const Place& place) {
    return PostReader(host, place).read();
}

}  // namespace ndsim::format
