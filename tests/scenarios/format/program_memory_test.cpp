// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::program_memory_test {

// A has a buffer, a window and a fast-register region, B a buffer and a window. The operations stand on line 4.
std::string memory_program(const std::string& ops, const std::string& more = "") {
    return two_hosts(R"("buffers": {"tx": {"size": "4 KiB"}},
                        "memory": {"w": {"kind": "window"}, "f": {"kind": "fast_register", "pages": 2})" +
                         more + "}",
                     R"("buffers": {"rx": {"size": "4 KiB"}}, "memory": {"w": {"kind": "window"}})",
                     "\"programs\": {\"A\": [\n" + ops + "\n]}");
}

PostOp post_of(const std::string& op) {
    return std::get<PostOp>(load(memory_program(op)).hosts.at(0).program->ops.at(0).what);
}

// What is wrong with an operation, without its place in the text.
std::string wrong(const std::string& op) {
    const std::string said = refusal(memory_program(op));
    return said.empty() ? said : said.substr(said.find("programs"));
}

TEST_CASE("memory: windows and fast-register regions of a host") {
    const Scenario scenario = load(memory_program(R"({"sleep": "1 us"})"));
    REQUIRE(scenario.hosts[0].memory.size() == 2);
    CHECK(scenario.hosts[0].memory[0].name == "w");
    CHECK(scenario.hosts[0].memory[0].kind == MemoryKind::window);
    CHECK(scenario.hosts[0].memory[1].kind == MemoryKind::fast_register);
    CHECK(scenario.hosts[0].memory[1].pages == 2);
    CHECK(scenario.hosts[0].memory[1].remote_access);
    const auto refused = [](const std::string& more) {
        const std::string said = refusal(memory_program(R"({"sleep": "1 us"})", more));
        return said.substr(said.find("hosts"));
    };
    CHECK(refused(R"(, "tx": {"kind": "window"})") == "hosts.A.memory.tx: a buffer of the host has this name already");
    CHECK(refused(R"(, "v": {"pages": 2})") ==
          "hosts.A.memory.v.pages: only a fast_register object has this (a window takes it from its buffer and its "
          "bind)");
    CHECK(refused(R"(, "v": {"kind": "fast_register", "pages": 17})").starts_with("hosts.A.memory.v.pages: "));
}

TEST_CASE("memory: a bind and a fast_register open a part of a buffer, with rights") {
    const PostOp bind = post_of(
        R"({"post": "bind", "memory": "w", "buffer": "tx", "offset": "1 KiB", "allow": ["remote_write", "remote_read"],
            "flags": ["read_fence"]})");
    CHECK(bind.kind == PostKind::bind);
    CHECK(bind.memory == "w");
    REQUIRE(bind.pieces.size() == 1);
    CHECK(bind.pieces[0].buffer == "tx");
    CHECK(bind.pieces[0].offset == 1_KiB);
    CHECK(bind.pieces[0].size == 3_KiB);  // the rest
    CHECK(bind.flags == (0x08U | 0x30U | 0x02U));
    const PostOp fast =
        post_of(R"({"post": "fast_register", "memory": "f", "buffer": "tx", "allow": ["local_write"]})");
    CHECK(fast.kind == PostKind::fast_register);
    CHECK(fast.flags == 0x10U);
    CHECK(post_of(R"({"post": "invalidate", "memory": "w"})").memory == "w");
    CHECK(post_of(R"({"post": "invalidate", "memory": "f"})").kind == PostKind::invalidate);
}

TEST_CASE("memory: what a bind, a fast_register and an invalidate need") {
    CHECK(wrong(R"({"post": "bind", "buffer": "tx"})") ==
          "programs.A[0]: \"memory\" is missing (it names one of the host's \"memory\" objects)");
    CHECK(wrong(R"({"post": "bind", "memory": "w"})") ==
          "programs.A[0]: \"buffer\" is missing (it names the buffer to open)");
    CHECK(wrong(R"({"post": "bind", "memory": "x", "buffer": "tx"})") ==
          "programs.A[0].memory: there is no memory \"x\" on host A (known are w, f)");
    CHECK(wrong(R"({"post": "bind", "memory": "f", "buffer": "tx"})") == "programs.A[0].memory: f is a fast_register");
    CHECK(wrong(R"({"post": "fast_register", "memory": "w", "buffer": "tx"})") ==
          "programs.A[0].memory: w is a window");
    CHECK(wrong(R"({"post": "bind", "memory": "w", "sgl": [{"buffer": "tx"}], "buffer": "tx"})")
              .starts_with("programs.A[0].sgl: a bind or a fast_register takes one \"buffer\""));
    CHECK(wrong(R"({"post": "bind", "memory": "w", "buffer": "tx", "size": "8 KiB"})") ==
          "programs.A[0].size: 8 KiB at 0 B reach beyond buffer tx of 4 KiB");
    CHECK(wrong(R"({"post": "invalidate", "memory": "w", "buffer": "tx"})") ==
          "programs.A[0].buffer: an invalidate has no data");
    CHECK(wrong(R"({"post": "invalidate", "memory": "w", "allow": ["remote_read"]})") ==
          "programs.A[0].allow: only a bind or a fast_register gives rights");
    CHECK(wrong(R"({"post": "send", "memory": "w"})") ==
          "programs.A[0].memory: only a bind, a fast_register or an invalidate has \"memory\"");
}

TEST_CASE("memory: reads, and sends that invalidate, name memory of the peer") {
    const PostOp read = post_of(R"({"post": "read", "buffer": "tx", "from": "B.rx", "from_offset": "1 KiB"})");
    CHECK(read.kind == PostKind::read);
    CHECK(read.peer.text() == "B.rx");
    CHECK(read.peer_offset == 1_KiB);
    CHECK(post_of(R"({"post": "read", "buffer": "tx", "from": "B.w", "flags": ["local_invalidate"]})").flags == 0x100U);
    CHECK(post_of(R"({"post": "write", "buffer": "tx", "to": "B.w"})").peer.text() == "B.w");
    CHECK(post_of(R"({"post": "send_and_invalidate", "buffer": "tx", "invalidates": "B.w"})").peer.text() == "B.w");
    CHECK(wrong(R"({"post": "read", "buffer": "tx"})") ==
          "programs.A[0]: a read needs a source (\"from\" names it: \"HOST.BUFFER\" of the peer)");
    CHECK(wrong(R"({"post": "read", "buffer": "tx", "from": "B.no"})") ==
          "programs.A[0].from: there is no buffer or memory object \"B.no\" (known are B.rx, B.w)");
    CHECK(wrong(R"({"post": "read", "buffer": "tx", "from": "A.tx"})") ==
          "programs.A[0].from: queue pair q0 is connected to B.q0, not to host A");
    CHECK(wrong(R"({"post": "send_and_invalidate", "buffer": "tx"})") ==
          "programs.A[0]: a send_and_invalidate needs a key to invalidate (\"invalidates\" names it: \"HOST.BUFFER\" "
          "of the peer)");
    CHECK(wrong(R"({"post": "send", "buffer": "tx", "from": "B.rx"})") ==
          "programs.A[0].from: only a read has a source");
    CHECK(wrong(R"({"post": "write", "buffer": "tx", "to": "B.rx", "from_offset": "1 KiB"})") ==
          "programs.A[0].from_offset: only a read has a source");
    CHECK(wrong(R"({"post": "write", "buffer": "tx", "to": "B.rx", "invalidates": "B.w"})") ==
          "programs.A[0].invalidates: only a send_and_invalidate invalidates a key of the peer");
}

TEST_CASE("memory: a message may lie in a fast-register region, whose size only requests know") {
    const PostOp send = post_of(R"({"post": "send", "buffer": "f", "offset": "64 B", "size": "2 KiB"})");
    REQUIRE(send.pieces.size() == 1);
    CHECK(send.pieces[0].buffer == "f");
    CHECK(send.pieces[0].size == 2_KiB);
    CHECK(wrong(R"({"post": "send", "buffer": "f"})") ==
          "programs.A[0]: \"size\" is missing (only requests give f its size)");
    CHECK(wrong(R"({"post": "send", "buffer": "w", "size": "1 B"})")
              .starts_with("programs.A[0].buffer: there is no buffer \"w\" on host A"));
}

}  // namespace ndsim::test::program_memory_test
