// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/held_qp.hpp"

#include <utility>

#include "ndapi/core/connector.hpp"

namespace ndsim::core {

void HeldQp::attach(Qp& qp) {
    qp_ = &qp;
    qp.hold();
    qp.set_connector(&connector_);
    qp.set_state(Qp::State::connecting);
}

void HeldQp::detach() {
    qp_->set_connector(nullptr);
    qp_->set_state(Qp::State::idle);
    std::exchange(qp_, nullptr)->release();
}

void HeldQp::join(const QpConnection& connection, std::function<void()> joined) {
    connector_.hold();
    driver_.command(ConnectQp{qp_->number(), connection, driver_.connects_before_run()},
                    [this, joined = std::move(joined)] {
                        driver_.callbacks().interrupt([this, joined] {
                            joined();
                            connector_.release();
                        });
                    });
}

void HeldQp::use_up() {
    if (qp_ != nullptr) {
        qp_->set_state(Qp::State::disconnected);
        qp_->flush();
    }
}

}  // namespace ndsim::core
