#pragma once
// Every function a body may call on Vec; Dual's derivatives of them are in dual.h.
#include "gyre/simd/math_erf.h"
#include "gyre/simd/math_exp.h"
#include "gyre/simd/math_log.h"
