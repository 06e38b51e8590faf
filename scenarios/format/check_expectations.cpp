// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// The names that expectations can use.
class Names {
public:
    explicit Names(const Scenario& scenario) {
        for (const Host& host : scenario.hosts) {
            if (host.program) {
                collect(host.name, host.program->ops);
            }
        }
    }

    // A request with a label.
    struct Labelled {
        std::string name;
        std::uint32_t flags = 0;
    };
    // "A.s1" of a counted post stands for A.s1[0], A.s1[1] and so on.
    std::map<std::string, std::vector<Labelled>> labels;

private:
    void collect(const std::string& host, const std::vector<Op>& ops) {
        for (const Op& op : ops) {
            if (const auto* const end = std::get_if<ConnectionOp>(&op.what); end != nullptr && !end->label.empty()) {
                const std::string name = host + "." + end->label;
                labels[name].push_back({name, 0});
            }
            if (const auto* const post = std::get_if<PostOp>(&op.what); post != nullptr && !post->label.empty()) {
                const std::string name = host + "." + post->label;
                const std::string all = name.substr(0, name.find('['));
                labels[name].push_back({name, post->flags});
                if (all != name) {
                    labels[all].push_back({name, post->flags});
                }
            } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
                collect(host, repeat->body);
            }
        }
    }
};

// Checks the expectations.
class ExpectationChecker {
public:
    ExpectationChecker(const Scenario& scenario, Checker& check)
        : scenario_(scenario), check_(check), names_(scenario) {}

    // Adds the expectation, or those that it stands for.
    void take(const Expectation& expectation, std::vector<Expectation>& out) {
        if (const auto* const completion = std::get_if<CompletionExpectation>(&expectation.what)) {
            take(expectation, *completion, out);
            return;
        }
        out.push_back(expectation);
        if (auto* const order = std::get_if<OrderExpectation>(&out.back().what)) {
            check_order(*order, expectation.path + ".order");
        } else if (const auto* const memory = std::get_if<MemoryExpectation>(&expectation.what)) {
            check_memory(*memory, expectation.path);
        }
    }

private:
    void take(const Expectation& expectation, const CompletionExpectation& completion, std::vector<Expectation>& out) {
        for (const Names::Labelled& request : find(completion.request, expectation.path + ".completion")) {
            Expectation one = expectation;
            std::get<CompletionExpectation>(one.what).request = request.name;
            out.push_back(std::move(one));
            const bool comes = completion.completes.value_or(true);
            if ((request.flags & kPostSilentSuccess) != 0 && comes &&
                (completion.status.empty() || completion.status == "success") &&
                silent_.insert(expectation.path).second) {
                check_.wrong(expectation.path, completion.request + " is silent: it has no completion if it succeeds");
            }
        }
    }

    std::vector<Names::Labelled> find(const std::string& request, const std::string& path) {
        const auto found = names_.labels.find(request);
        if (found != names_.labels.end()) {
            return found->second;
        }
        const std::string host = endpoint_of(request).host;
        const bool host_is_known = find_named(scenario_.hosts, host) != nullptr;
        // The missing post may be the problem that the program already has.
        if (!request.empty() && (!host_is_known || check_.is_sound("programs." + host))) {
            std::vector<std::string> known;
            for (const auto& [name, requests] : names_.labels) {
                known.push_back(name);
            }
            check_.missing(path, "request", request, known);
        }
        return {};
    }

    void check_order(OrderExpectation& order, const std::string& path) {
        std::vector<std::string> requests;
        bool all_known = true;
        for (std::size_t i = 0; i < order.requests.size(); ++i) {
            const auto found = find(order.requests[i], element(path, i));
            all_known = all_known && !found.empty();
            for (const Names::Labelled& request : found) {
                if (std::find(requests.begin(), requests.end(), request.name) != requests.end()) {
                    check_.wrong(element(path, i), in_quotes(request.name) + " appears twice");
                } else {
                    requests.push_back(request.name);
                }
            }
        }
        order.requests = std::move(requests);
        if (all_known && order.requests.size() < 2 && check_.is_sound(path)) {
            check_.wrong(path, "expected at least two requests");
        }
    }

    void check_memory(const MemoryExpectation& memory, const std::string& path) {
        for (const auto& [key, text] : {std::pair{".memory", &memory.buffer}, std::pair{".equals", &memory.equals}}) {
            if (text->empty()) {
                continue;  // reported already
            }
            const Endpoint reference = endpoint_of(*text);
            const Host* const host = find_named(scenario_.hosts, reference.host);
            if (host == nullptr) {
                check_.missing(path + key, "host", reference.host, names_of(scenario_.hosts));
                continue;
            }
            const Buffer* const buffer = find_named(host->buffers, reference.name);
            if (buffer == nullptr) {
                check_.missing(path + key, "buffer", *text, qualified_names(*host, host->buffers));
            } else if (memory.offset + memory.size > buffer->size &&
                       check_.is_sound("hosts." + host->name + ".buffers." + buffer->name)) {
                check_.wrong(path + (memory.size == 0_B ? ".offset" : ".size"),
                             to_text(memory.size) + " at " + to_text(memory.offset) + " reach beyond " + *text +
                                 " of " + to_text(buffer->size));
            }
        }
    }

    const Scenario& scenario_;
    Checker& check_;
    const Names names_;
    std::set<std::string> silent_;
};

}  // namespace

void check_expectations(Scenario& scenario, Checker& check) {
    ExpectationChecker checker(scenario, check);
    std::vector<Expectation> expect;
    for (const Expectation& expectation : scenario.expect) {
        checker.take(expectation, expect);
    }
    scenario.expect = std::move(expect);
}

}  // namespace ndsim::format
