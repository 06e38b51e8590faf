// SPDX-License-Identifier: Apache-2.0
// A part of winsock2.h on Windows; here all of it.
#pragma once

#include "ndapi/windows/include/winsock2.h"
