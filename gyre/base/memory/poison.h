#pragma once
// ASAN_POISON_MEMORY_REGION(p, n) and ASAN_UNPOISON_MEMORY_REGION(p, n): AddressSanitizer reports
// accesses to poisoned bytes; without it they do nothing. GYRE_ASAN is 1 or 0.

#if defined(__SANITIZE_ADDRESS__)
#define GYRE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GYRE_ASAN 1
#endif
#endif
#ifndef GYRE_ASAN
#define GYRE_ASAN 0
#endif

#if GYRE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif
