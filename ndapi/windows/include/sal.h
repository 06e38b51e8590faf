// SPDX-License-Identifier: Apache-2.0
// Annotations of parameters, of all ages. They say nothing to the compilers that build programs here.
#pragma once

#include <sys/stat.h>  // Linux has a field with the name __reserved in it

// The standard library has parameters with the names __in, __out, __valid and __bound, so what uses them comes first.
#ifdef __cplusplus
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <iostream>
#include <locale>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <tuple>
#if __cplusplus > 201703L
#include <ranges>
#endif
#endif

#include <ndsim/sal_words.h>  // written by the build from sal_words.txt
