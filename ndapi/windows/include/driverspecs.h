// SPDX-License-Identifier: Apache-2.0
// A part of sal.h here.
#pragma once

#include "ndapi/windows/include/sal.h"
