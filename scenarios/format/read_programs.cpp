// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "scenarios/format/names.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "scenarios/format/written.hpp"
#include "sim/base/text.hpp"

namespace ndsim::format {

namespace {

// Reads the operations of one host's program.
class ProgramReader {
public:
    ProgramReader(const Host& host, Problems& problems) : host_(host), problems_(problems) {}

    [[nodiscard]] std::vector<Op> read_list(const JsonNode& list, const std::string& path) const {
        std::vector<Op> ops;
        if (!list.is(JsonKind::array)) {
            problems_.add(list.at, path, "expected a list of operations, got " + list.shown());
        }
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            read_op(Place{list.items[i], element(path, i), problems_}, ops);
        }
        return ops;
    }

private:
    void read_op(const Place& place, std::vector<Op>& ops) const;
    void read_post(const Place& place, std::vector<Op>& ops) const;
    [[nodiscard]] std::vector<Piece> read_pieces(const Place& place, const WrittenPost& post) const;
    [[nodiscard]] std::optional<Piece> read_piece(const Place& place, Bytes offset, Bytes size) const;
    [[nodiscard]] std::uint32_t read_flags(const Place& place, const WrittenPost& post) const;
    [[nodiscard]] std::string read_cq(const Place& place, std::string_view verb) const;
    [[nodiscard]] std::optional<std::string> read_qp(const Place& place, std::string_view key) const;
    [[nodiscard]] std::string read_srq(const Place& place, std::string_view key) const;
    [[nodiscard]] WaitOp read_wait(const Place& place) const;
    void read_queue(const Place& place, PostOp& post) const;
    [[nodiscard]] RepeatOp read_repeat(const Place& place, std::string_view verb) const;

    const Host& host_;
    Problems& problems_;
};

void ProgramReader::read_op(const Place& place, std::vector<Op>& ops) const {
    const Section& all = section("op");
    const Section* const variant = variant_of(all, place.node);
    if (variant == nullptr) {
        refuse_variant(place, all, "an operation");
        return;
    }
    const std::string_view verb = variant->verb;
    Op op{place.node.at, place.path, {}};
    if (verb == "post") {
        read_post(place, ops);
        return;
    }
    if (verb == "poll") {
        PollOp poll;
        read_section(poll, place, verb);
        poll.cq = read_cq(place, verb);
        op.what = std::move(poll);
    } else if (verb == "arm") {
        ArmOp arm;
        read_section(arm, place, verb);
        arm.cq = read_cq(place, verb);
        op.what = std::move(arm);
    } else if (verb == "wait") {
        check_keys(place, *variant, {});
        op.what = read_wait(place);
    } else if (verb == "modify_srq") {
        ModifySrqOp modify;
        read_section(modify, place, verb);
        modify.srq = read_srq(place, verb);
        op.what = std::move(modify);
    } else if (verb == "disconnect") {
        check_keys(place, *variant, {});
        op.what = DisconnectOp{read_qp(place, verb).value_or(""), read_name(place, "as").value_or("")};
    } else if (verb == "moderate") {
        ModerateOp moderate;
        read_section(moderate, place, verb);
        moderate.cq = read_cq(place, verb);
        op.what = std::move(moderate);
    } else if (verb == "resize") {
        ResizeOp resize;
        read_section(resize, place, verb);
        resize.cq = read_cq(place, verb);
        op.what = std::move(resize);
    } else if (verb == "sleep") {
        SleepOp sleep;
        read_section(sleep, place, verb);
        op.what = sleep;
    } else {
        op.what = read_repeat(place, verb);
    }
    ops.push_back(std::move(op));
}

void ProgramReader::read_post(const Place& place, std::vector<Op>& ops) const {
    WrittenPost written;
    read_section(written, place, "post");
    PostOp post;
    post.kind = written.kind;
    read_queue(place, post);
    post.to = read_text(place, "to").value_or("");
    post.to_offset = written.to_offset;
    if (post.kind == PostKind::write && place.node.find("to") == nullptr) {
        place.wrong(place.node, place.path, "a write needs a place to go",
                    "\"to\" names it: \"HOST.BUFFER\" of the peer");
    }
    for (const std::string_view key : {"to", "to_offset"}) {
        if (const JsonNode* const node = place.node.find(key); node != nullptr && post.kind != PostKind::write) {
            place.wrong(*node, place.inner(key), "only a write goes to a place");
        }
    }
    post.pieces = read_pieces(place, written);
    post.flags = read_flags(place, written);
    const std::string label = read_name(place, "as").value_or("");
    const bool counted = place.node.find("count") != nullptr;
    for (std::uint32_t i = 0; i < written.count; ++i) {
        post.label = label.empty() || !counted ? label : element(label, i);
        ops.push_back(Op{place.node.at, place.path, post});
        for (Piece& piece : post.pieces) {
            piece.offset += written.step;
        }
        post.to_offset += written.step;
    }
}

// A receive for a shared queue names that, any other request its queue pair.
void ProgramReader::read_queue(const Place& place, PostOp& post) const {
    const bool is_shared = post.kind == PostKind::srq_receive;
    if (const JsonNode* const node = place.node.find(is_shared ? "qp" : "srq")) {
        place.wrong(*node, place.inner(is_shared ? "qp" : "srq"),
                    is_shared ? "an srq_receive is for every queue pair of its queue" : "only an srq_receive has one");
    }
    if (is_shared) {
        post.srq = read_srq(place, "srq");
        if (place.node.find("srq") == nullptr) {
            place.wrong(place.node, place.path, "an srq_receive needs a queue", "\"srq\" names it");
        }
        return;
    }
    post.qp = read_qp(place, "qp").value_or("q0");
}

std::vector<Piece> ProgramReader::read_pieces(const Place& place, const WrittenPost& post) const {
    std::vector<Piece> pieces;
    const JsonNode* const sgl = place.node.find("sgl");
    const bool has_buffer = place.node.find("buffer") != nullptr;
    for (const std::string_view key : {"buffer", "offset", "size"}) {
        const JsonNode* const node = place.node.find(key);
        if (node != nullptr && sgl != nullptr) {
            place.wrong(*node, place.inner(key), "each entry of \"sgl\" says this by itself");
        } else if (node != nullptr && !has_buffer) {
            place.wrong(*node, place.inner(key), "there is no \"buffer\"", "without one the message has no bytes");
        }
    }
    if (sgl != nullptr) {
        for_each_item(place, "sgl", [&](const Place& item) {
            Piece written;
            read_section(written, item, "piece");
            if (auto piece = read_piece(item, written.offset, written.size)) {
                pieces.push_back(std::move(*piece));
            }
        });
    } else if (has_buffer) {
        if (auto piece = read_piece(place, post.offset, post.size)) {
            pieces.push_back(std::move(*piece));
        }
    }
    return pieces;
}

// Without a size: up to the end of the buffer.
std::optional<Piece> ProgramReader::read_piece(const Place& place, Bytes offset, Bytes size) const {
    const auto name = read_text(place, "buffer");
    if (!name) {
        return std::nullopt;
    }
    const Buffer* const buffer = find_named(host_.buffers, *name);
    if (buffer == nullptr) {
        const Absence absence = no_such("buffer", *name, names_of(host_.buffers), " on host " + host_.name);
        place.wrong(*place.node.find("buffer"), place.inner("buffer"), absence.message, absence.hint);
        return std::nullopt;
    }
    if (place.node.find("size") == nullptr) {
        size = buffer->size > offset ? buffer->size - offset : 0_B;
    }
    return Piece{*name, offset, size};
}

std::uint32_t ProgramReader::read_flags(const Place& place, const WrittenPost& post) const {
    std::uint32_t flags = 0;
    for (const std::size_t index : read_choices(place, "flags", kPostFlagNames)) {
        flags |= kPostFlags.at(index);
    }
    if (flags != 0 && (post.kind == PostKind::receive || post.kind == PostKind::srq_receive)) {
        place.wrong(*place.node.find("flags"), place.inner("flags"), "a receive has no flags");
    }
    return flags;
}

// The completion queue that is meant: q0.send is the one that sends of q0 use, whatever its name.
std::string ProgramReader::read_cq(const Place& place, std::string_view verb) const {
    const auto text = read_text(place, verb);
    if (!text) {
        return {};
    }
    std::vector<std::string> known = names_of(host_.cqs);
    for (const std::string& name : known) {
        if (name == *text) {
            return name;
        }
    }
    for (const QueuePair& qp : host_.qps) {
        for (const auto& [end, cq] : {std::pair{".send", &qp.send_cq}, std::pair{".receive", &qp.receive_cq}}) {
            known.push_back(qp.name + end);
            if (known.back() == *text) {
                return *cq;
            }
        }
    }
    const Absence absence = no_such("completion queue", *text, known, " on host " + host_.name);
    place.wrong(*place.node.find(verb), place.inner(verb), absence.message, absence.hint);
    return *text;
}

// A queue pair of this host; q0 if the key is left out.
std::optional<std::string> ProgramReader::read_qp(const Place& place, std::string_view key) const {
    const auto name = read_text(place, key);
    if (const std::string wanted = name.value_or("q0"); find_named(host_.qps, wanted) == nullptr) {
        const JsonNode* const node = place.node.find(key);
        const Absence absence = no_such("queue pair", wanted, names_of(host_.qps), " on host " + host_.name);
        place.wrong(node == nullptr ? place.node : *node, place.inner(key), absence.message, absence.hint);
    }
    return name;
}

std::string ProgramReader::read_srq(const Place& place, std::string_view key) const {
    const auto text = read_text(place, key);
    if (text && find_named(host_.srqs, *text) == nullptr) {
        const Absence absence = no_such("shared receive queue", *text, names_of(host_.srqs), " on host " + host_.name);
        place.wrong(*place.node.find(key), place.inner(key), absence.message, absence.hint);
    }
    return text.value_or("");
}

WaitOp ProgramReader::read_wait(const Place& place) const {
    const JsonNode* const node = place.node.find("wait");
    if (node != nullptr && node->is(JsonKind::string)) {
        for (const QueuePair& qp : host_.qps) {
            if (node->text == qp.name + ".disconnect") {
                return WaitOp{{}, qp.name, {}};
            }
        }
        if (find_named(host_.srqs, node->text) != nullptr) {
            return WaitOp{{}, {}, node->text};
        }
    }
    return WaitOp{read_cq(place, "wait"), {}, {}};
}

RepeatOp ProgramReader::read_repeat(const Place& place, std::string_view verb) const {
    RepeatOp repeat;
    if (verb == "repeat") {
        read_section(repeat, place, verb);
    } else {
        check_keys(place, section(verb), {});
    }
    repeat.timer = read_name(place, "time").value_or("");
    if (const JsonNode* const body = place.node.find("do")) {
        repeat.body = read_list(*body, place.inner("do"));
    }
    return repeat;
}

}  // namespace

void read_programs(const Place& root, Scenario& scenario) {
    for_each_named(root, "programs", [&](const std::string& name, const Place& member) {
        Host* const host = find_named(scenario.hosts, name);
        if (host == nullptr) {
            const Absence absence = no_such("host", name, names_of(scenario.hosts));
            member.wrong(member.node, member.path, absence.message, absence.hint);
            return;
        }
        host->program = Program{ProgramReader(*host, root.problems).read_list(member.node, member.path)};
    });
}

}  // namespace ndsim::format
