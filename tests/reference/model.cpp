// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/model.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "tests/reference/memory.hpp"

namespace ndsim::reference {

namespace {

// A send or a receive queue; entries are indices of requests.
struct Queue {
    std::vector<std::size_t> open;   // accepted, and nothing has become of them yet
    std::vector<std::size_t> slots;  // accepted, and their slot is not given back
    std::size_t announced = 0;       // of the open ones; of receives, all
    bool dead = false;               // its completion queue has overrun
};

enum class State : std::uint8_t { alive, lost, ended };

// A window or a fast-register region.
struct Object {
    bool valid = false;
    Span span;
    bool remote_read = false;
    bool remote_write = false;
};
using Objects = std::array<std::array<Object, kObjects>, kSides>;

struct Connection {
    State state = State::alive;
    Objects objects;
    std::array<Queue, kSides> sends;
    std::array<Queue, kSides> receives;
};

// The first request of a direction that cannot succeed.
struct Failure {
    std::size_t at = 0;                  // among the open sends of its side
    std::string status;                  // at the sender
    std::optional<std::size_t> receive;  // of the peer that fails with it
    std::string receive_status;
    bool unacknowledged = false;  // the peer does not say which request it was: the oldest that it did not answer fails
};

// What a connection's two directions come to in an epoch.
struct Course {
    std::array<std::optional<Failure>, kSides> failures;
    std::array<std::size_t, kSides> matched{};  // receives of the peer that messages before the failure take
    bool hasty = false;                         // a disconnect with requests under way
    bool calm = false;                          // a disconnect when nothing is under way any more
    bool overrun = false;
    Objects objects;  // at the end, if nothing breaks

    [[nodiscard]] bool breaks() const { return hasty || overrun || failures[0] || failures[1]; }
    // Whether something else may end a direction before its own end.
    [[nodiscard]] bool is_uncertain(std::size_t from) const { return hasty || overrun || failures[1 - from]; }
};

class Model {
public:
    explicit Model(const Program& program) : program_(program) {}

    Prediction run() {
        for (std::size_t epoch = 0; epoch < program_.epochs.size(); ++epoch) {
            run(epoch);
        }
        result_.memory = memories_.bytes();
        return std::move(result_);
    }

private:
    [[nodiscard]] const Step& step_of(std::size_t request) const {
        const Request& r = result_.requests[request];
        return program_.epochs[r.epoch][r.step];
    }
    [[nodiscard]] const Endpoint& endpoint(std::size_t side, std::size_t connection) const {
        return program_.endpoints[side][connection];
    }
    [[nodiscard]] std::string documented_or(const char* documented, const char* infiniband) const {
        return program_.infiniband ? infiniband : documented;
    }

    void run(std::size_t epoch);
    bool post(std::size_t epoch, std::size_t step);
    bool poll(const Step& step);
    bool disconnect(const Step& step);
    [[nodiscard]] bool touch(const Step& step);
    [[nodiscard]] Course plan(const Connection& connection);
    [[nodiscard]] std::optional<Failure> plan(const Connection& connection, std::size_t from, Course& course);
    [[nodiscard]] std::optional<Failure> plan_send(const Step& step, std::size_t i, const Queue& receives,
                                                   std::size_t from, Course& course) const;
    [[nodiscard]] bool change(const Step& step, Object& object) const;
    [[nodiscard]] std::optional<std::uint32_t> address(const Step& step, const Course& course) const;
    void settle_course(std::size_t number);
    void settle_dead(Connection& connection, bool disconnects);
    void settle_direction(Connection& connection, std::size_t from, const Course& course);
    [[nodiscard]] std::map<std::string, std::uint32_t> count(std::size_t side) const;
    bool find_overruns();
    void carry(std::size_t epoch);
    void conclude();
    void reclaim(Queue& queue) const;
    [[nodiscard]] bool is_doubtful(const Request& request) const;
    void give(std::size_t request, std::uint8_t fates, const std::string& failure = {}) {
        result_.requests[request].fates = fates;
        result_.requests[request].failure = failure;
    }

    const Program& program_;
    Prediction result_;
    std::array<Connection, kConnections> connections_;
    Memories memories_;
    std::array<std::uint32_t, kSides> labels_{};
    std::map<std::size_t, std::vector<Origin>> captured_;  // of inline requests that are deferred
    std::map<std::size_t, std::uint32_t> remote_;          // where in the peer's memory a write or read goes

    std::array<std::set<std::string>, kSides> dead_;  // queues that have overrun in earlier epochs

    // Of the epoch.
    std::array<std::array<std::array<std::optional<std::uint8_t>, kObjects>, kSides>, kConnections>
        touched_;  // by side
    std::array<Course, kConnections> courses_;
    std::vector<std::size_t> ending_;                                  // requests that something becomes of
    std::array<std::set<std::string>, kSides> overrun_;                // queues
    std::array<std::map<std::string, std::uint32_t>, kSides> polled_;  // within the epoch
};

void Model::run(std::size_t epoch) {
    courses_ = {};
    overrun_ = {};
    polled_ = {};
    touched_ = {};
    const Epoch& steps = program_.epochs[epoch];
    result_.done.emplace_back(steps.size(), false);
    for (const std::size_t index : order_of(program_, steps)) {
        const Step& step = steps[index];
        result_.done[epoch][index] = step.what == What::poll         ? poll(step)
                                     : step.what == What::disconnect ? disconnect(step)
                                                                     : post(epoch, index);
    }
    ending_.clear();
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course wishes = courses_[i];
        courses_[i] = plan(connections_[i]);
        courses_[i].hasty = wishes.hasty;
        courses_[i].calm = wishes.calm;
    }
    do {
        ending_.clear();
        for (std::size_t i = 0; i < kConnections; ++i) {
            settle_course(i);
        }
    } while (find_overruns());
    carry(epoch);
    conclude();
}

bool Model::post(std::size_t epoch, std::size_t index) {
    const Step& step = program_.epochs[epoch][index];
    Connection& connection = connections_[step.connection];
    const bool receive = step.what == What::receive;
    // After an overrun it depends on which completions were lost, what a queue still takes.
    if (connection.sends[step.side].dead || connection.receives[step.side].dead) {
        return false;
    }
    if (!touch(step)) {
        return false;
    }
    Queue& queue = receive ? connection.receives[step.side] : connection.sends[step.side];
    const Endpoint& end = endpoint(step.side, step.connection);
    Request request;
    request.epoch = epoch;
    request.step = index;
    request.side = step.side;
    request.connection = step.connection;
    request.receive = receive;
    request.takes_receive = step.is_send();
    request.silent = !receive && step.silent;
    request.label = "p" + std::to_string(++labels_[step.side]);
    const std::size_t number = result_.requests.size();
    result_.requests.push_back(request);
    if (!receive && connection.state == State::ended) {
        give(number, kRefused, "connection_invalid");  // [K154]
        return true;
    }
    if (queue.slots.size() == (receive ? end.rq_depth : end.sq_depth)) {
        give(number, kRefused, "no_more_entries");  // [K28]
        queue.announced = queue.open.size();        // [K39, K40]
        return true;
    }
    queue.open.push_back(number);
    queue.slots.push_back(number);
    if (receive || !step.defer) {
        queue.announced = queue.open.size();
    }
    return true;
}

// Only where the next completion of the queue is known: the queue is the send queue's own, and the oldest request that
// holds a slot is announced and not silent.
bool Model::poll(const Step& step) {
    Connection& connection = connections_[step.connection];
    Queue& queue = connection.sends[step.side];
    if (program_.infiniband || endpoint(step.side, step.connection).send_cq != 0 || queue.dead) {
        return false;
    }
    const auto first = std::find_if(queue.slots.begin(), queue.slots.end(),
                                    [&](std::size_t r) { return result_.requests[r].fates == kPending; });
    if (first == queue.slots.end() || result_.requests[*first].silent) {
        return false;
    }
    const auto place = std::find(queue.open.begin(), queue.open.end(), *first);
    if (place - queue.open.begin() >= static_cast<std::ptrdiff_t>(queue.announced)) {
        return false;
    }
    // Of those polled in this epoch, which are open still, the slots are given back already.
    queue.slots.erase(queue.slots.begin(), first + 1);
    ++polled_[step.side][cq_name(program_, step.side, step.connection, false)];
    return true;
}

bool Model::disconnect(const Step& step) {
    Course& course = courses_[step.connection];
    if (connections_[step.connection].state == State::ended || course.hasty || course.calm) {
        return false;
    }
    (step.hasty ? course.hasty : course.calm) = true;
    return true;
}

// Within an epoch either its owner changes an object, or the peer uses it: nothing orders the one behind the other.
bool Model::touch(const Step& step) {
    if (step.target == Target::memory) {
        return true;
    }
    const std::size_t owner = step.is_local() ? step.side : 1U - step.side;
    auto& touched = touched_[step.connection][owner][static_cast<std::size_t>(step.target) - 1];
    touched = touched.value_or(step.side);
    return *touched == step.side;
}

Course Model::plan(const Connection& connection) {
    Course course;
    course.objects = connection.objects;
    if (connection.state == State::alive) {
        for (std::size_t from = 0; from < kSides; ++from) {
            course.failures[from] = plan(connection, from, course);
        }
    }
    return course;
}

// Goes through the requests of one direction in order [K49, K101].
std::optional<Failure> Model::plan(const Connection& connection, std::size_t from, Course& course) {
    const Queue& sends = connection.sends[from];
    for (std::size_t i = 0; i < sends.announced; ++i) {
        const Step& step = step_of(sends.open[i]);
        if (step.is_send()) {
            if (const auto failure = plan_send(step, i, connection.receives[1 - from], from, course)) {
                return failure;
            }
            ++course.matched[from];
        } else if (step.is_local()) {
            if (!change(step, course.objects[from][static_cast<std::size_t>(step.target) - 1])) {
                return Failure{i, documented_or("invalid_device_request", "internal_error"), {}, {}, false};
            }
        } else if (step.length() != 0) {  // an empty one is not checked [K146]
            const std::optional<std::uint32_t> at = address(step, course);
            if (!at) {
                return Failure{i, documented_or("remote_resources", "access_violation"), {}, {}, false};
            }
            remote_[sends.open[i]] = *at;
        }
    }
    return std::nullopt;
}

std::optional<Failure> Model::plan_send(const Step& step, std::size_t i, const Queue& receives, std::size_t from,
                                        Course& course) const {
    const std::size_t next = course.matched[from];
    if (next == receives.open.size()) {
        return Failure{i, "io_timeout", {}, {}, false};  // [K104]
    }
    if (step.length() > step_of(receives.open[next]).length()) {
        return Failure{i, documented_or("remote_resources", "data_error"), next,
                       documented_or("buffer_overflow", "data_overrun"), false};  // [K102]
    }
    if (step.what == What::send_and_invalidate) {
        Object& object = course.objects[1 - from][static_cast<std::size_t>(step.target) - 1];
        if (!std::exchange(object.valid, false)) {
            // The peer's NIC says nothing [K113].
            return Failure{i, documented_or("remote_resources", "io_timeout"), next,
                           documented_or("invalid_device_request", "data_error"), true};
        }
    }
    return std::nullopt;
}

// Opens what is free, or frees what is open [K112, K128, K133]; false if it cannot.
bool Model::change(const Step& step, Object& object) const {
    if (object.valid == (step.what == What::open)) {
        return false;
    }
    object =
        step.what == What::open ? Object{true, step.pieces.front(), step.remote_read, step.remote_write} : Object{};
    return true;
}

// Where in the peer's memory a write or read goes; nothing if the peer refuses it [K132, K139].
std::optional<std::uint32_t> Model::address(const Step& step, const Course& course) const {
    const std::uint64_t end = step.to + step.length();
    if (step.target == Target::memory) {
        return end <= kMemory ? std::optional{step.to} : std::nullopt;
    }
    const Object& object = course.objects[1U - step.side][static_cast<std::size_t>(step.target) - 1];
    const bool right = step.what == What::read ? object.remote_read : object.remote_write;
    return object.valid && right && end <= object.span.size ? std::optional{object.span.offset + step.to}
                                                            : std::nullopt;
}

void Model::settle_course(std::size_t number) {
    Connection& connection = connections_[number];
    const Course& course = courses_[number];
    if (connection.state != State::alive) {
        settle_dead(connection, course.hasty || course.calm);
        return;
    }
    for (std::size_t from = 0; from < kSides; ++from) {
        settle_direction(connection, from, course);
    }
}

// On a connection that has failed everything is cancelled, as soon as it is announced [K150].
void Model::settle_dead(Connection& connection, bool disconnects) {
    for (std::size_t side = 0; side < kSides; ++side) {
        const Queue& sends = connection.sends[side];
        for (std::size_t i = 0; i < (disconnects ? sends.open.size() : sends.announced); ++i) {
            give(sends.open[i], kCancelled);
            ending_.push_back(sends.open[i]);
        }
        for (const std::size_t receive : connection.receives[side].open) {
            give(receive, kCancelled);
            ending_.push_back(receive);
        }
    }
}

// The requests of one direction, and the receives at its other end.
void Model::settle_direction(Connection& connection, std::size_t from, const Course& course) {
    const Queue& sends = connection.sends[from];
    const Queue& receives = connection.receives[1 - from];
    const std::optional<Failure>& failure = course.failures[from];
    const bool over = course.breaks() || course.calm;
    const std::uint8_t perhaps = course.is_uncertain(from) ? kCancelled : 0;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < sends.open.size(); ++i) {
        const std::size_t request = sends.open[i];
        if (i >= sends.announced || (failure && i > failure->at)) {
            if (!over) {
                continue;  // deferred still
            }
            give(request, kCancelled);
        } else if (failure && i == failure->at) {
            const int earlier = failure->unacknowledged && i > 0 ? kCancelled : 0;
            give(request, static_cast<std::uint8_t>(kFails | perhaps | earlier), failure->status);
        } else {
            const bool may_fail = failure && failure->unacknowledged;
            const int earlier = may_fail ? kFails | kCancelled : 0;
            give(request, static_cast<std::uint8_t>(kSucceeds | perhaps | earlier), may_fail ? failure->status : "");
            if (step_of(request).is_send()) {
                result_.requests[receives.open[taken++]].bytes = static_cast<std::uint32_t>(step_of(request).length());
            }
        }
        ending_.push_back(request);
    }
    for (std::size_t i = 0; i < receives.open.size(); ++i) {
        const std::size_t receive = receives.open[i];
        if (i < course.matched[from]) {
            give(receive, kSucceeds | perhaps);
        } else if (failure && failure->receive == i) {
            give(receive, kFails | perhaps, failure->receive_status);
        } else if (over) {
            give(receive, kCancelled);
        } else {
            continue;
        }
        ending_.push_back(receive);
    }
}

// Completions by queue. A silent request of which nobody knows counts, too, as settle() makes it one that is not.
std::map<std::string, std::uint32_t> Model::count(std::size_t side) const {
    std::map<std::string, std::uint32_t> counts;
    for (const std::size_t ending : ending_) {
        const Request& request = result_.requests[ending];
        const std::string name = cq_name(program_, side, request.connection, request.receive);
        if (request.side == side && !dead_[side].contains(name) &&
            !(request.silent && (request.fates & ~kLost) == kSucceeds)) {
            ++counts[name];
        }
    }
    return counts;
}

// An overrun breaks all connections of the queue [K163], which may make others overrun. True if there is a new one.
bool Model::find_overruns() {
    bool found = false;
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            if (!name.starts_with("shared") || overrun_[side].contains(name)) {
                continue;
            }
            const auto shared = static_cast<std::size_t>(name.back() - '1');
            if (completions <= program_.shared_depths[side][shared]) {
                continue;  // [K165]
            }
            found = true;
            result_.overruns[side] = true;
            overrun_[side].insert(name);
            for (std::size_t i = 0; i < kConnections; ++i) {
                Connection& connection = connections_[i];
                for (const bool receive : {false, true}) {
                    Queue& queue = receive ? connection.receives[side] : connection.sends[side];
                    if (cq_name(program_, side, i, receive) == name && !queue.dead) {
                        queue.dead = true;
                        courses_[i].overrun = true;
                    }
                }
            }
        }
    }
    return found;
}

// Moves the bytes.
void Model::carry(std::size_t epoch) {
    std::vector<Transfer> transfers;
    for (std::size_t number = 0; number < kConnections; ++number) {
        const Connection& connection = connections_[number];
        const Course& course = courses_[number];
        for (std::size_t from = 0; from < kSides && connection.state == State::alive; ++from) {
            const Queue& sends = connection.sends[from];
            std::size_t taken = 0;
            for (std::size_t i = 0; i < sends.announced; ++i) {
                const std::optional<Failure>& failure = course.failures[from];
                const bool fails = failure && failure->at == i;
                const Step& step = step_of(sends.open[i]);
                if (fails && !failure->receive) {
                    break;  // nothing of it arrives
                }
                if (step.is_local() || step.length() == 0) {
                    if (fails) {
                        break;
                    }
                    taken += step.is_send() ? 1 : 0;
                    continue;
                }
                Transfer transfer;
                transfer.from = from;
                transfer.stream = number * kSides + from;
                transfer.source = step.pieces;
                if (const auto captured = captured_.find(sends.open[i]); captured != captured_.end()) {
                    transfer.captured = captured->second;
                }
                const Span remote{step.is_send() ? 0 : remote_.at(sends.open[i]),
                                  static_cast<std::uint32_t>(step.length())};
                if (step.what == What::read) {
                    transfer.from = 1 - from;
                    transfer.stream += kConnections * kSides;
                    transfer.source = {remote};
                    transfer.target = step.pieces;
                } else if (step.what == What::write) {
                    transfer.target = {remote};
                } else {
                    transfer.target = step_of(connection.receives[1 - from].open[taken++]).pieces;
                }
                transfer.certain = !fails && !course.is_uncertain(from);
                transfers.push_back(std::move(transfer));
                if (fails) {
                    break;
                }
            }
        }
    }
    memories_.apply(transfers);
    // An inline message is what its post took, however long it is deferred [K99].
    for (const Connection& connection : connections_) {
        for (std::size_t side = 0; side < kSides; ++side) {
            for (const std::size_t request : connection.sends[side].open) {
                const Step& step = step_of(request);
                if (step.inlined && result_.requests[request].epoch == epoch) {
                    captured_[request] = memories_.taken(side, step.pieces);
                }
            }
        }
    }
}

void Model::conclude() {
    result_.polls.emplace_back();
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            const bool overruns = overrun_[side].contains(name);
            std::uint32_t polled = completions;
            if (overruns) {
                polled = program_.shared_depths[side][static_cast<std::size_t>(name.back() - '1')];  // [K164]
            }
            polled -= polled_[side][name];
            result_.polls.back()[side].counts[name] = polled;
            result_.completions[side] += completions;
        }
    }
    for (const std::size_t ending : ending_) {
        Request& request = result_.requests[ending];
        if (is_doubtful(request)) {
            result_.doubts.push_back({request.epoch, request.step});
        }
        const std::string name = cq_name(program_, request.side, request.connection, request.receive);
        if (overrun_[request.side].contains(name) || dead_[request.side].contains(name)) {
            request.fates |= kLost;
        }
        captured_.erase(ending);
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        dead_[side].insert(overrun_[side].begin(), overrun_[side].end());
    }
    for (std::size_t i = 0; i < kConnections; ++i) {
        Connection& connection = connections_[i];
        const Course& course = courses_[i];
        for (std::size_t side = 0; side < kSides; ++side) {
            for (Queue* const queue : {&connection.sends[side], &connection.receives[side]}) {
                std::erase_if(queue->open, [&](std::size_t r) { return result_.requests[r].fates != kPending; });
                queue->announced = 0;
                reclaim(*queue);
            }
            connection.receives[side].announced = connection.receives[side].open.size();
        }
        connection.objects = course.objects;
        if (course.hasty || course.calm) {
            connection.state = State::ended;
        } else if (course.breaks() && connection.state == State::alive) {
            connection.state = State::lost;
        }
    }
}

bool Model::is_doubtful(const Request& request) const {
    const Course& course = courses_[request.connection];
    const bool may_fail = request.silent && (request.fates & kSucceeds) != 0 && request.fates != kSucceeds;
    const bool breaks = course.overrun || course.failures[0] || course.failures[1];
    const Queue& sends = connections_[request.connection].sends[request.side];
    const auto announced_end = sends.open.begin() + static_cast<std::ptrdiff_t>(sends.announced);
    const bool deferred = !request.receive && std::any_of(announced_end, sends.open.end(), [&](std::size_t r) {
        return &result_.requests[r] == &request;
    });
    return may_fail || (breaks && deferred && request.epoch + 1 == result_.done.size());
}

// A slot is free once the completion of its request, or of a later one, was polled [K56, K58].
void Model::reclaim(Queue& queue) const {
    const auto polled = [&](std::size_t r) {
        const Request& request = result_.requests[r];
        return request.fates != kPending && !(request.silent && request.fates == kSucceeds);
    };
    const auto last = std::find_if(queue.slots.rbegin(), queue.slots.rend(), polled);
    queue.slots.erase(queue.slots.begin(), last.base());
}

}  // namespace

std::string cq_name(const Program& program, std::size_t side, std::size_t connection, bool receive) {
    const Endpoint& end = program.endpoints[side][connection];
    const std::uint8_t shared = receive ? end.receive_cq : end.send_cq;
    return shared == 0 ? "q" + std::to_string(connection) + (receive ? ".receive" : ".send")
                       : "shared" + std::to_string(shared);
}

bool is_late(const Program& program, const Epoch&, const Step& step) {
    return program.infiniband && step.what == What::receive && step.late;
}

std::vector<std::size_t> order_of(const Program& program, const Epoch& epoch) {
    const auto rank = [&](const Step& step) {
        return step.what == What::receive      ? (is_late(program, epoch, step) ? 2 : 0)
               : step.what == What::disconnect ? 3
                                               : 1;
    };
    std::vector<std::size_t> order(epoch.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(epoch[a]) < rank(epoch[b]); });
    return order;
}

Prediction predict(const Program& program) {
    return Model(program).run();
}

Program settle(Program program) {
    for (Prediction prediction = predict(program); !prediction.doubts.empty(); prediction = predict(program)) {
        for (const Doubt& doubt : prediction.doubts) {
            Step& step = program.epochs[doubt.epoch][doubt.step];
            step.silent = false;
            step.defer = false;
        }
    }
    return program;
}

}  // namespace ndsim::reference
