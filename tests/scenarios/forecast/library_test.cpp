// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/scenarios/forecast/support.hpp"

namespace ndsim::test::library_test {

std::string text_of_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// What is certain of a file has come true in its run; a file whose expectations are met is not said to miss them.
TEST_CASE("forecast: what is foreseen of every scenario of the library comes true") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(NDSIM_SOURCE_DIR "/scenarios/library")) {
        if (entry.path().extension() == ".json") {
            INFO(entry.path());
            ++files;
            const std::string text = text_of_file(entry.path());
            const Scenario scenario = load_scenario(entry.path(), text);
            const Forecast forecast = foresee(scenario);
            CHECK(forecast.end == SureEnd::unknown);
            CHECK(differences(text, forecast, entry.path()) == "");
        }
    }
    CHECK(files >= 30);
}

}  // namespace ndsim::test::library_test
