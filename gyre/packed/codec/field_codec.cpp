#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numbers>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/codec/stored.h"
#include "gyre/packed/field/field_fit.h"

// Smooth tables (F): the matrix is cut into blocks of at most 64 x 64, each a sum of four atoms
// (packed/field/field.h). The words of a block follow one another; blocks do so along the columns.

namespace gyre {
namespace {

constexpr int64_t kSide = 64;
constexpr int kAtoms = 4;
constexpr int64_t kWordBytes = sizeof(Packed128), kBlockBytes = kAtoms * kWordBytes;

// A block: its place in the matrix and in the bytes.
struct FieldBlock {
  int64_t row, rows, col, cols, at;
};

int64_t along(int64_t n) { return (n + kSide - 1) / kSide; }

FieldBlock block_at(const MatrixSize& size, int64_t down, int64_t across) {
  const int64_t row = down * kSide, col = across * kSide;
  return {row, std::min(kSide, size.rows - row), col, std::min(kSide, size.cols - col),
          (down * along(size.cols) + across) * kBlockBytes};
}

int64_t field_bytes(const MatrixSize& size) {
  return along(size.rows) * along(size.cols) * kBlockBytes;
}

std::vector<FieldAtom> atoms_at(const std::byte* from) {
  std::vector<FieldAtom> atoms;
  for (int k = 0; k < kAtoms; ++k)
    atoms.push_back(field_atom(stored<Packed128>(from + k * kWordBytes)));
  return atoms;
}

void field_encode(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done) {
  const int64_t across = along(size.cols);
  parallel_for(along(size.rows) * across, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> table;
    for (int64_t i = begin; i < end; ++i) {
      const FieldBlock b = block_at(size, i / across, i % across);
      table.clear();
      for (int64_t row = b.row; row < b.row + b.rows; ++row) {
        const float* from = x + row * size.cols + b.col;
        table.insert(table.end(), from, from + b.cols);
      }
      const std::vector<FieldAtom> atoms = fit_atoms(table, b.rows, b.cols, kAtoms);
      for (int k = 0; k < kAtoms; ++k) {
        store(field_word(atoms[static_cast<size_t>(k)]), to + b.at + k * kWordBytes);
      }
      done.add(b.rows * b.cols);
    }
  });
}

void field_decode(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                  float* to) {
  for (int64_t across = 0; across < along(size.cols); ++across) {
    for (int64_t down = first / kSide; down * kSide < first + count; ++down) {
      const FieldBlock b = block_at(size, down, across);
      const std::vector<FieldAtom> atoms = atoms_at(from + b.at);
      for (int64_t row = std::max(first, b.row); row < std::min(first + count, b.row + b.rows);
           ++row) {
        for (int64_t j = 0; j < b.cols; ++j) {
          const FieldPlace place = field_place(b.rows, b.cols, row - b.row, j);
          double sum = 0;
          for (const FieldAtom& atom : atoms) sum += field_slopes(atom, place).value;
          to[(row - first) * size.cols + b.col + j] = static_cast<float>(sum);
        }
      }
    }
  }
}

// Atoms of tracks that grow are largest at the ends of rho and psi.
bool has_finite_sums(const FieldAtom& atom) {
  for (const double rho : {0.0, 1.0}) {
    for (const double psi : {-std::numbers::pi, std::numbers::pi}) {
      // false for NaN, too
      if (!(std::fabs(field_slopes(atom, {rho, psi}).value) < FLT_MAX / (2 * kAtoms))) return false;
    }
  }
  return true;
}

const char* field_fault(const MatrixSize& size, const std::byte* from) try {
  for (int64_t at = 0; at < field_bytes(size); at += kBlockBytes) {
    if (!std::ranges::all_of(atoms_at(from + at), has_finite_sums))
      return "an atom has values that are not finite";
  }
  return nullptr;
} catch (const Error&) {
  return "a word is not one of an atom";
}

}  // namespace

constinit const MatrixFunctions F_functions{field_bytes, field_encode, field_decode, field_fault};

}  // namespace gyre
