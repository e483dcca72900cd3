#include <cmath>
#include <vector>

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/packed/packed.h"
#include "tests/conformance/op_test.h"

// Invalid calls fail with the right error code and the name of the op, and change nothing.

namespace gyre::conformance {
namespace {

std::string bytes_of(const Tensors& in) {
  std::string bytes;
  for (const Tensor& t : in) {
    if (!t.defined()) continue;
    if (is_packed(t)) {
      const std::vector<std::byte> stored = packed_storage(t).stored();
      bytes.append(reinterpret_cast<const char*>(stored.data()), stored.size());
      continue;
    }
    const Storage& s = *t.impl()->storage;
    bytes.append(reinterpret_cast<const char*>(s.data), s.bytes);
  }
  return bytes;
}

class Refusal : public OpTest {
 protected:
  // The Error of a call, which must have changed nothing; code `internal` when there was none.
  Error error_of(const Tensors& in, const Attrs& attrs, const std::string& where) const {
    std::string before = bytes_of(in);
    int64_t tensors = live_tensors();
    Error seen(Code::internal, "nothing", "was thrown");
    try {
      apply(op(), in, attrs);
    } catch (const Error& e) {
      seen = e;
    }
    EXPECT_EQ(live_tensors(), tensors) << where << ": tensors leaked";
    EXPECT_TRUE(grad_enabled()) << where;
    EXPECT_EQ(bytes_of(in), before) << where << ": operands were modified";
    return seen;
  }

  void expect_refused(Code code, const Tensors& in, const Attrs& attrs, const std::string& where) {
    Error e = error_of(in, attrs, where);
    EXPECT_STREQ(code_name(e.code), code_name(code)) << where << ": " << e.what();
    EXPECT_EQ(e.op, op().name) << where << ": " << e.what();
  }

  // Either works, or fails with the op's name and a code that blames the call.
  void expect_handled(const Tensors& in, const Attrs& attrs, const std::string& where) {
    Error e = error_of(in, attrs, where);
    if (e.op == "nothing") return;
    EXPECT_EQ(e.op, op().name) << where << ": " << e.what();
    EXPECT_TRUE(e.code == Code::shape || e.code == Code::dtype || e.code == Code::index ||
                e.code == Code::value || e.code == Code::unsupported || e.code == Code::numeric)
        << where << ": " << code_name(e.code) << ", " << e.what();
  }

  std::string what(const char* kind, size_t number) const {
    return std::string(op().name) + " " + kind + " " + std::to_string(number);
  }
};

TEST_P(Refusal, SamplesAreRefused) {
  const auto& refusals = samples_of(op()).refusals;
  for (size_t r = 0; r < refusals.size(); ++r) {
    const auto& call = refusals[r];
    expect_refused(call.code, call.in, call.attrs, what("refusal", r));
    Tensors tracked;
    for (const Tensor& t : call.in) {
      tracked.push_back(is_varied(t) ? t.detach() : t);
      if (is_varied(t)) tracked.back().set_requires_grad();
    }
    expect_refused(call.code, tracked, call.attrs, what("recorded refusal", r));
    rows().add(op(), "forward", "refusal", "own", "plain");
  }
}

TEST_P(Refusal, WrongNumberOfOperands) {
  const Call& call = calls().at(0);
  bool variadic = op().args.variadic();
  if (!variadic) {
    Tensors more = call.in;
    while (more.size() <= op().args.size())
      more.push_back(samples_of(op()).calls[0].in.empty() ? Tensor(1.0) : call.in[0]);
    expect_refused(Code::value, more, call.attrs, what("too many operands", more.size()));
  }
  size_t least = 0;
  for (const Arg& a : op().args) least += !a.optional && !a.variadic;
  if (least > 0) {
    Tensors fewer(call.in.begin(), call.in.begin() + static_cast<ptrdiff_t>(least - 1));
    expect_refused(Code::value, fewer, call.attrs, what("too few operands", fewer.size()));
  }
  for (size_t i = 0; i < call.in.size(); ++i) {
    if (argument(op(), i).optional) continue;
    Tensors absent = call.in;
    absent[i] = Tensor();
    expect_refused(Code::value, absent, call.attrs, what("absent operand", i));
  }
}

TEST_P(Refusal, AxesOutOfRange) {
  for (size_t s = 0; s < calls().size() && op().attrs; ++s) {
    for (const Field& field : op().attrs->fields) {
      std::string name = field.name;
      bool one = field.type == Field::integer && name.starts_with("axis");
      bool many = field.type == Field::shape && name == "axes";
      for (int64_t axis : {kMaxRank + 1, -kMaxRank - 2}) {
        Attrs attrs;
        if (one) attrs = with_integer(calls()[s].attrs, field, axis);
        if (many) attrs = with_shape(calls()[s].attrs, field, Shape{axis});
        if (!attrs) continue;
        Error e = error_of(calls()[s].in, attrs, what("axis", s));
        bool right = e.code == Code::index || (many && e.code == Code::value);
        EXPECT_TRUE(right) << place(op(), s, name) << " = " << axis << ": " << e.what();
        EXPECT_EQ(e.op, op().name) << place(op(), s, name) << ": " << e.what();
      }
    }
  }
}

TEST_P(Refusal, OperandsOfOtherShapes) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (size_t i = 0; i < call.in.size(); ++i) {
      if (!call.in[i].defined()) continue;
      const Tensor& t = call.in[i];
      std::vector<Shape> shapes{{}, {0}, {2, 0, 3}};
      Shape unit, longer = t.shape(), deeper = t.shape();
      for (int k = 0; k < kMaxRank; ++k) unit.push_back(1);
      shapes.push_back(unit);
      for (int64_t& d : longer) ++d;
      if (t.rank()) shapes.push_back(longer);
      deeper.push_back(2);
      shapes.push_back(deeper);
      for (const Shape& shape : shapes) {
        Tensors in = call.in;
        in[i] = lay_out(Values(static_cast<size_t>(numel(shape)), 1.0), shape, t.dtype());
        expect_handled(in, call.attrs,
                       place(op(), s, "operand " + std::to_string(i) + " " + to_string(shape)));
      }
    }
  }
}

TEST_P(Refusal, OperandsOfOtherDtypes) {
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (size_t i = 0; i < call.in.size(); ++i) {
      for (int d = 0; d < kDTypes && call.in[i].defined(); ++d) {
        Tensors in = call.in;
        Values v = values_of(in[i]);
        for (double& x : v) x = std::fabs(x);
        in[i] = lay_out(v, in[i].shape(), static_cast<DType>(d));
        expect_handled(
            in, call.attrs,
            place(op(), s, "operand " + std::to_string(i) + " " + name_of(in[i].dtype())));
      }
    }
  }
}

GYRE_FOR_EVERY_OP(Refusal);

}  // namespace
}  // namespace gyre::conformance
