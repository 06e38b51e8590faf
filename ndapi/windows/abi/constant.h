// SPDX-License-Identifier: Apache-2.0
// A constant of Windows, of the type that Windows gives it. A macro, since C has no constants but those of
// enumerations. For C++ and C.
#pragma once

#ifdef __cplusplus
#define NDSIM_CONSTANT(type, name, value) constexpr type name = static_cast<type>(value)
#else
#define NDSIM_CONSTANT(type, name, value) enum { name = (type)(value) }
#endif
