// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/parting.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "tools/inspect/request_choice.hpp"

namespace ndsim::inspect {

namespace {

// An event that differs. At equal times posts come first, and then the numbers decide.
struct Candidate {
    Picoseconds at{};
    bool is_end = false;
    std::string host;
    std::uint64_t number = 0;

    friend bool operator<(const Candidate& a, const Candidate& b) {
        return std::tie(a.at, a.is_end, a.host, a.number) < std::tie(b.at, b.is_end, b.host, b.number);
    }
    [[nodiscard]] std::string request() const { return host + "." + std::to_string(number); }
};

bool is_same_post(const Completion& a, const Completion& b) {
    return a.begun == b.begun && a.operation == b.operation && a.qp == b.qp && a.label == b.label;
}

// Parter: takes the lines of both files as they come. Differing lines wait for their partner, unless a known difference
// was earlier than their post. So only the requests then under way wait, or as many as the files are apart.
class Parter {
public:
    Parter(const RecordedRun& first, const RecordedRun& second) : sides_{Side(first), Side(second)} {}

    std::optional<Candidate> find() {
        while (next_lines()) {
            if (are_same_lines()) {
                continue;
            }
            for (const std::size_t at : {0U, 1U}) {
                if (!sides_[at].ended) {
                    add(sides_[at], sides_[1 - at]);
                }
            }
        }
        for (const Side& side : sides_) {
            for (const auto& [name, row] : side.waiting) {
                offer(row, false, row.begun);  // the other run has no such request
            }
        }
        return best_;
    }

private:
    // The lines of one run.
    struct Side {
        explicit Side(const RecordedRun& run) : file(run.completions(), run.completion_count()), started(run.started) {}

        CompletionsFile file;
        Picoseconds started;
        bool ended = false;
        Completion row;                             // the last one; all times count from the start
        std::map<std::string, Completion> waiting;  // by request
    };

    [[nodiscard]] bool next_lines() {
        for (Side& side : sides_) {
            side.ended = side.ended || !side.file.next_line();
        }
        return !sides_[0].ended || !sides_[1].ended;
    }

    [[nodiscard]] bool are_same_lines() const {
        return !sides_[0].ended && !sides_[1].ended && sides_[0].started == sides_[1].started &&
               sides_[0].file.line() == sides_[1].file.line();
    }

    void add(Side& side, Side& other) {
        side.file.parse(side.row);
        side.row.begun -= side.started;
        side.row.ended -= side.started;
        const auto found = other.waiting.find(side.row.request);
        if (found != other.waiting.end()) {
            compare(side.row, found->second);
            other.waiting.erase(found);
        } else if (other.ended) {
            offer(side.row, false, side.row.begun);
        } else if (!best_ || side.row.begun <= best_->at) {
            side.waiting.emplace(side.row.request, side.row);
        }
    }

    void compare(const Completion& a, const Completion& b) {
        if (!is_same_post(a, b)) {
            offer(a, false, std::min(a.begun, b.begun));
        } else if (a != b) {
            offer(a, true, std::min(a.ended, b.ended));
        }
    }

    void offer(const Completion& row, bool is_end, Picoseconds at) {
        const Candidate candidate{at, is_end, row.host(), row.number()};
        if (!best_ || candidate < *best_) {
            best_ = candidate;
        }
    }

    std::array<Side, 2> sides_;
    std::optional<Candidate> best_;
};

}  // namespace

std::optional<LedgerParting> part_ledgers(const Completion& first, const Completion& second) {
    const std::vector<Stay> a = stays_of(first);
    const std::vector<Stay> b = stays_of(second);
    Picoseconds after{};
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        LedgerParting parting{after, std::nullopt, std::nullopt, {}, {}};
        if (i < a.size()) {
            parting.first = a[i].account;
            parting.first_took = a[i].until - first.begun - after;
        }
        if (i < b.size()) {
            parting.second = b[i].account;
            parting.second_took = b[i].until - second.begun - after;
        }
        if (parting.first != parting.second || parting.first_took != parting.second_took) {
            return parting;
        }
        after += parting.first_took;
    }
    return std::nullopt;
}

std::optional<Parting> find_parting(const RecordedRun& first, const RecordedRun& second) {
    const auto found = Parter(first, second).find();
    if (!found) {
        return std::nullopt;
    }
    Parting parting{found->request(),
                    !found->is_end,
                    found->at,
                    find_request(first, found->request()),
                    find_request(second, found->request()),
                    std::nullopt};
    if (found->is_end) {
        parting.ledger = part_ledgers(*parting.first, *parting.second);
    }
    return parting;
}

}  // namespace ndsim::inspect
