// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/format/text_file.hpp"
#include "sim/base/rng.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::library_test {

std::vector<std::filesystem::path> library() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(repository() / "scenarios/library")) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST_CASE("library: every file is valid, opens with what it is about, and is short") {
    const auto files = library();
    CHECK(files.size() >= 6);
    for (const auto& path : files) {
        CAPTURE(path);
        const std::string text = read_file(path.string());
        CHECK(text.starts_with("{\n  \"about\": \""));
        CHECK(std::count(text.begin(), text.end(), '\n') <= 40);
        CHECK_THAT(refusal(text), Catch::Matchers::Equals(""));
        CHECK_FALSE(load(text).about.empty());
    }
}

TEST_CASE("library: whatever happens to a byte of a file, the loader answers") {
    for (const auto& path : library()) {
        const std::string text = read_file(path.string());
        Rng rng(1, path.filename().string());
        for (int i = 0; i < 400; ++i) {
            std::string changed = text;
            for (std::uint64_t edits = rng.between(1, 3); edits > 0 && !changed.empty(); --edits) {
                const auto at = static_cast<std::size_t>(rng.between(0, changed.size() - 1));
                const auto byte = static_cast<char>(rng.between(0, 255));
                switch (rng.between(0, 3)) {
                    case 0:
                        changed[at] = byte;
                        break;
                    case 1:
                        changed.erase(at, static_cast<std::size_t>(rng.between(1, 20)));
                        break;
                    case 2:
                        changed.insert(at, 1, byte);
                        break;
                    default:  // something of the file itself, elsewhere
                        changed.insert(at, text.substr(rng.between(0, text.size() - 1), 30));
                        break;
                }
            }
            CAPTURE(changed);
            try {
                static_cast<void>(load(changed));
            } catch (const ConfigError& error) {
                REQUIRE_FALSE(error.problems().empty());
            }
        }
    }
}

TEST_CASE("library: whatever is set, the loader answers") {
    const std::string text = read_file((repository() / "scenarios/library/quickstart.json").string());
    const std::vector<std::string> paths{"hosts.A.nic.sq.depth",
                                         "programs.A[1].count",
                                         "outputs.waves",
                                         "expect[0].within",
                                         "programs.A[1]",
                                         "hosts",
                                         "links.l0",
                                         "nic."};
    const std::vector<std::string> values{"", "0", "-1", "1e99", "[", "{}", "null", "\"", "5 us", "[[]]", "true"};
    for (const std::string& path : paths) {
        for (const std::string& value : values) {
            CAPTURE(path, value);
            std::string set = path;
            set.append("=").append(value);
            CHECK_NOTHROW(refusal(text, {set}));
        }
    }
}

}  // namespace ndsim::test::library_test
