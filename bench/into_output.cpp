#include "bench/into_output.h"

#include <utility>

#include "gyre/op/apply.h"
#include "gyre/registry/op_table.h"

namespace gyre::bench {

std::function<void()> into_output(const char* op, Tensors in, Tensor out, Attrs attrs) {
  const OpDef* def = op_table().find(op);
  if (!def) throw Error(Code::internal, op, "expected an op of the op table, got an unknown name");
  return [def, in = std::move(in), out = std::move(out), attrs = std::move(attrs)] {
    write(*def, in, {&out, 1}, attrs);
  };
}

}  // namespace gyre::bench
