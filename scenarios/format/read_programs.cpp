// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "scenarios/format/read.hpp"
#include "scenarios/format/read_posts.hpp"
#include "scenarios/format/tree.hpp"
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
    [[nodiscard]] std::string read_cq(const Place& place, std::string_view verb) const;
    [[nodiscard]] WaitOp read_wait(const Place& place) const;
    [[nodiscard]] SpinOp read_spin(const Place& place) const;
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
        const std::vector<Op> posts = read_post(host_, place);
        ops.insert(ops.end(), posts.begin(), posts.end());
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
    } else if (verb == "spin") {
        op.what = read_spin(place);
    } else if (verb == "modify_srq") {
        ModifySrqOp modify;
        read_section(modify, place, verb);
        modify.srq = read_srq(host_, place, verb);
        op.what = std::move(modify);
    } else if (const auto named = std::ranges::find(kConnectionVerbNames, verb); named != kConnectionVerbNames.end()) {
        check_keys(place, *variant, {});
        const auto connection = static_cast<ConnectionVerb>(named - kConnectionVerbNames.begin());
        op.what =
            ConnectionOp{connection, read_qp(host_, place, verb).value_or(""), read_name(place, "as").value_or("")};
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

// The completion queue that is meant: q0.send is the one that sends of q0 use, whatever its name.
std::string ProgramReader::read_cq(const Place& place, std::string_view verb) const {
    const auto text = read_text(place, verb);
    if (!text) {
        return {};
    }
    if (find_named(host_.cqs, *text) != nullptr) {
        return *text;
    }
    if (const std::size_t dot = text->rfind('.'); dot != std::string::npos) {
        const std::string_view end = std::string_view(*text).substr(dot);
        const QueuePair* const qp = find_queue_pair(host_, std::string_view(*text).substr(0, dot));
        if (qp != nullptr && (end == ".send" || end == ".receive")) {
            return end == ".send" ? qp->send_cq : qp->receive_cq;
        }
    }
    std::vector<std::string> known = names_of(host_.cqs);
    for (const QueuePair& qp : host_.qps) {
        known.insert(known.end(), {qp.name + ".send", qp.name + ".receive"});
    }
    const Absence absence = no_such("completion queue", *text, known, " on host " + host_.name);
    place.wrong(*place.node.find(verb), place.inner(verb), absence.message, absence.hint);
    return *text;
}

WaitOp ProgramReader::read_wait(const Place& place) const {
    const JsonNode* const node = place.node.find("wait");
    if (node != nullptr && node->is(JsonKind::string)) {
        constexpr std::string_view kDisconnect = ".disconnect";
        const std::string_view text = node->text;
        const QueuePair* const qp = text.ends_with(kDisconnect)
                                        ? find_queue_pair(host_, text.substr(0, text.size() - kDisconnect.size()))
                                        : nullptr;
        if (qp != nullptr) {
            return WaitOp{{}, qp->name, {}};
        }
        if (find_named(host_.srqs, node->text) != nullptr) {
            return WaitOp{{}, {}, node->text};
        }
    }
    return WaitOp{read_cq(place, "wait"), {}, {}};
}

SpinOp ProgramReader::read_spin(const Place& place) const {
    SpinOp spin;
    read_section(spin, place, "spin");
    spin.piece.buffer = read_text(place, "spin").value_or("");
    const Buffer* const buffer = find_named(host_.buffers, spin.piece.buffer);
    if (buffer == nullptr) {
        const Absence absence = no_such("buffer", spin.piece.buffer, names_of(host_.buffers), " on host " + host_.name);
        place.wrong(*place.node.find("spin"), place.inner("spin"), absence.message, absence.hint);
    } else if (place.node.find("size") == nullptr) {
        spin.piece.size = buffer->size > spin.piece.offset ? buffer->size - spin.piece.offset : 0_B;
    }
    return spin;
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
