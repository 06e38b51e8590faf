// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/doorbells.hpp"

namespace ndsim::test {

// The doorbell unit, which reads the records of queue pairs. What they say, the test tells itself.
struct Records final : DoorbellRecordPort {
    void read_receive_record(QpNum qp) override { asked.push_back(qp); }
    std::vector<QpNum> asked;
};

}  // namespace ndsim::test
