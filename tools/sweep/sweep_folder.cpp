// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/sweep_folder.hpp"

#include <fstream>

#include "scenarios/result/version.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

void write_plan(const cli::RunFolder& folder, const Plan& plan) {
    folder.write("sweep.json", cli::to_text(to_json(plan)));
}

Plan read_plan(const std::string& folder) {
    const std::string path = folder + "/sweep.json";
    std::ifstream file(path);
    if (!file) {
        throw cli::UsageError(folder + " is not the folder of a sweep: there is no sweep.json in it");
    }
    try {
        const Json json = Json::parse(file);
        if (const std::string of = json.at("ndsim"); of != version()) {
            throw cli::UsageError(path + " was written by ndsim " + of + ", and this is " + std::string(version()));
        }
        return plan_from(json);
    } catch (const nlohmann::json::exception& error) {
        throw cli::UsageError(path + " is not a plan that ndsim sweep writes: " + error.what());
    } catch (const std::invalid_argument& error) {
        throw cli::UsageError(path + " " + error.what());
    }
}

}  // namespace ndsim::sweep
