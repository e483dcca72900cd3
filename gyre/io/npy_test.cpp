#include "gyre/io/npy.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/zip.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

/// Written by NumPy 2.4.
std::string by_numpy(const std::string& name) {
  const std::string kind = name.substr(name.rfind('.') + 1);
  return "tests/fuzz/corpus/" + kind + "/" + name;
}

class Npy : public testing::Test {
 protected:
  Npy() { create_directories(folder_); }
  ~Npy() override { remove_tree(folder_); }

  std::string file(const std::string& content, const std::string& name = "file") const {
    write_file_atomic(folder_ + "/" + name, content);
    return folder_ + "/" + name;
  }
  std::string folder_ = testing::TempDir() + "gyre_npy_test";
};

/// An .npy file with this dictionary.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(dictionary.size() >> (8 * i));
  }
  return file + dictionary + data;
}

const std::vector<double> kQuarters{0, 0.25, 0.5, 0.75, 1, 1.25};

TEST_F(Npy, ReadsWhatNumPyWrites) {
  const auto expect = [](const char* name, DType dtype, const std::vector<double>& values) {
    const Tensor mapped = read_npy(by_numpy(name), FileAccess::map);
    const Tensor copy = npy_tensor(read_file(by_numpy(name)), name);
    for (const Tensor& t : {mapped, copy, read_npy(by_numpy(name))}) {
      EXPECT_EQ(t.dtype(), dtype) << name;
      EXPECT_EQ(t.shape(), (Shape{2, 3})) << name;
      EXPECT_EQ(to_vector<double>(t), values) << name;
    }
  };
  expect("f4.npy", DType::f32, kQuarters);
  expect("f2_big.npy", DType::f16, kQuarters);
  expect("f8_fortran.npy", DType::f64, kQuarters);
  expect("i2_big_fortran.npy", DType::i16, {-3, -2, -1, 0, 1, 2});
  expect("u2.npy", DType::u16, {0, 13107, 26214, 39321, 52428, 65535});
  expect("u8_big.npy", DType::u64, {0, 1e18, 2e18, 3e18, 4e18, 5e18});
  expect("bool.npy", DType::boolean, {0, 1, 0, 1, 0, 1});
  expect("version2.npy", DType::i32, {0, 1, 2, 3, 4, 5});
  expect("version3.npy", DType::i8, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(read_npy(by_numpy("scalar.npy")).item(), 3.5);
  EXPECT_EQ(read_npy(by_numpy("scalar.npy")).rank(), 0);
}

TEST_F(Npy, WritesTheBytesThatNumPyWrites) {
  const std::string path = folder_ + "/a.npy";
  for (const char* name : {"f4.npy", "bool.npy", "scalar.npy"}) {
    write_npy(path, read_npy(by_numpy(name)));
    EXPECT_EQ(read_file(path), read_file(by_numpy(name))) << name;
  }
}

TEST_F(Npy, TensorsOfEveryDTypeAndLayoutRoundTrip) {
  const std::string path = folder_ + "/a.npy";
  for (int d = 0; d < kDTypes; ++d) {
    const auto dtype = static_cast<DType>(d);
    const Tensor x = to(tensor(std::vector<double>{0, 1, 1, 0, 1, 0}, {2, 3}), dtype);
    if (dtype == DType::bf16) {
      EXPECT_EQ(code_of([&] { write_npy(path, x); }), Code::dtype);
      continue;
    }
    for (const Tensor& t : {x, transpose(x, 0, 1), slice(x, {.axis = 1, .step = 2}),
                            select(x, {.axis = 0, .index = 1}), zeros({0, 3}, {.dtype = dtype}),
                            zeros({}, {.dtype = dtype})}) {
      write_npy(path, t);
      const Tensor back = read_npy(path);
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.shape(), t.shape());
      EXPECT_EQ(to_vector<double>(back), to_vector<double>(t));
    }
  }
  EXPECT_EQ(code_of([&] { write_npy(path, Tensor()); }), Code::value);
  Tensor far = ones({2});
  far.impl()->meta.device.kind = Device::cuda;
  EXPECT_EQ(code_of([&] { write_npy(path, far); }), Code::unavailable);
}

TEST_F(Npy, RefusesTextAfterTheHeader) {
  const std::string dictionary = "{'descr':'<f4','fortran_order':False,'shape':(1,)}";
  for (const std::string& after :
       {std::string(1, '\0'), std::string("\0anything", 9), std::string(" x")}) {
    write_file_atomic(folder_ + "/a.npy", npy(dictionary + after, std::string(4, '\0')));
    EXPECT_TRUE(contains(message_of(Code::parse, [&] { (void)read_npy(folder_ + "/a.npy"); }),
                         "text follows its header"));
  }
}

TEST_F(Npy, MapsFilesWithoutChangingThem) {
  const std::string path = folder_ + "/a.npy";
  write_npy(path, ones({1000}));
  const std::string before = read_file(path);
  const Tensor t = read_npy(path, FileAccess::map);
  EXPECT_FALSE(read_npy(path).impl()->storage->borrowed);
  EXPECT_TRUE(t.impl()->storage->borrowed);
  t.data<float>()[0] = 7;
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(to_vector<float>(t)[0], 7);
  EXPECT_TRUE(read_npy(by_numpy("f8_fortran.npy"), FileAccess::map).impl()->storage->borrowed);
  EXPECT_FALSE(read_npy(by_numpy("f2_big.npy"), FileAccess::map).impl()->storage->borrowed);
  const std::string odd =
      npy("{'descr':'<f4','fortran_order':False,'shape':(1,) }", std::string("\0\0\x80\x3f", 4));
  ASSERT_NE(npy_header(odd, "").begin % 4, 0u);
  EXPECT_EQ(read_npy(file(odd)).item(), 1) << "copied, since kernels read whole elements";
}

TEST_F(Npy, AcceptsPythonHeaders) {
  EXPECT_EQ(
      npy_header(npy("{\"shape\": (2L , 1), 'fortran_order':True,'descr':'|i1'} \n", "ab"), "")
          .shape,
      (Shape{2, 1}));
  EXPECT_TRUE(
      npy_header(npy("{'descr': '=i2', 'fortran_order': True, 'shape': ()}", "ab", 2), "").fortran);
}

TEST_F(Npy, RejectsUnsupportedDTypes) {
  const auto message = [](const std::string& file) {
    return message_of(Code::dtype, [&] { (void)npy_tensor(file, "f"); });
  };
  EXPECT_TRUE(contains(message(read_file(by_numpy("c8.npy"))), "complex numbers (<c8)"));
  EXPECT_TRUE(contains(message(read_file(by_numpy("text.npy"))), "strings (<U2)"));
  EXPECT_TRUE(contains(message(read_file(by_numpy("record.npy"))), "records"));
  for (const auto& [descr, what] : {std::pair{"|O", "Python objects"},
                                    {"|S3", "byte strings"},
                                    {"|V2", "raw bytes"},
                                    {"<M8[s]", "dates"},
                                    {"<m8[s]", "durations"},
                                    {"<f16", "floats of that width"},
                                    {"<q8", "unknown type"},
                                    {"", "unknown type"},
                                    {"<", "unknown type"},
                                    {"<b2", "unknown type"}}) {
    const std::string file =
        npy("{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': ()}", "");
    EXPECT_TRUE(contains(message(file), what)) << descr;
  }
  const std::string large = npy("{'descr': '<u8', 'fortran_order': False, 'shape': (2,)}",
                                std::string(15, '\0') + '\x80');
  EXPECT_EQ(to_vector<uint64_t>(npy_tensor(large, "f")), (std::vector<uint64_t>{0, 1ull << 63}));
}

TEST_F(Npy, RejectsInvalidHeaders) {
  const std::string rest = ", 'fortran_order': False, 'shape': (1,)}";
  for (const std::string& dictionary : std::vector<std::string>{
           "", "{", "{}", "{'descr': '<f4'}", "{'descr': <f4" + rest, "{'descr' '<f4'" + rest,
           "{'descr': '<f4'" + rest + "x", "{'descr': '<f4', 'descr': '<f4'" + rest,
           "{'descr': '<f4', 'more': 1" + rest,
           "{'descr': '<f4', 'fortran_order': no, 'shape': (1,)}",
           "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000000000000,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (900000000000000000, 900)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': "
           "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}"}) {
    EXPECT_EQ(code_of([&] { (void)npy_tensor(npy(dictionary, "abcd"), "f"); }), Code::parse)
        << dictionary;
  }
  EXPECT_EQ(code_of([&] { (void)npy_tensor(npy("{'descr': '<f4'" + rest, "abcd", 4), "f"); }),
            Code::parse);
  EXPECT_EQ(code_of([] { (void)read_npy("none"); }), Code::io);
  EXPECT_EQ(code_of([] {
              (void)npy_tensor(npy("{'descr':'|b1','fortran_order':False,'shape':()}", "\2"), "f");
            }),
            Code::value);
}

TEST_F(Npy, RefusesFilesCutShortAndSurvivesDamage) {
  const std::string whole = read_file(by_numpy("i2_big_fortran.npy"));
  for (size_t n = 0; n < whole.size(); ++n) {
    EXPECT_EQ(code_of([&] { (void)npy_tensor(whole.substr(0, n), "f"); }), Code::parse) << n;
  }
  EXPECT_EQ(code_of([&] { (void)npy_tensor(whole + "x", "f"); }), Code::parse);
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int flip : {1, 16, 255}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        const Tensor t = npy_tensor(damaged, "f");
        EXPECT_EQ(t.numel() * static_cast<int64_t>(size_of(t.dtype())), 12);
      } catch (const Error&) {
      }
    }
  }
}

TEST_F(Npy, ReadsNpzOfNumPy) {
  const auto stored = read_npz(by_numpy("stored.npz"));
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].name, "x");
  EXPECT_EQ(to_vector<double>(stored[0].tensor), kQuarters);
  EXPECT_EQ(to_vector<int64_t>(stored[1].tensor), (std::vector<int64_t>{0, 1, 2}));
  const auto deflated = read_npz(by_numpy("deflated.npz"));
  ASSERT_EQ(deflated.size(), 3u);
  EXPECT_EQ(deflated[0].tensor.shape(), (Shape{20, 3}));
  EXPECT_EQ(to_vector<double>(deflated[1].tensor), kQuarters);
  EXPECT_EQ(deflated[2].tensor.shape(), (Shape{0, 2}));
}

TEST_F(Npy, WritesNpzThatItReads) {
  const std::vector<NamedTensor> tensors{
      {"w", tensor(kQuarters, {2, 3})}, {"a/b", ones({40, 40})}, {"é", zeros({0})}};
  for (bool compressed : {false, true}) {
    const std::string path = folder_ + "/a.npz";
    write_npz(path, tensors, {.compressed = compressed});
    EXPECT_EQ(file_size(path) < 6400, compressed);
    const auto back = read_npz(path);
    ASSERT_EQ(back.size(), tensors.size());
    for (size_t i = 0; i < back.size(); ++i) {
      EXPECT_EQ(back[i].name, tensors[i].name);
      EXPECT_EQ(back[i].tensor.dtype(), tensors[i].tensor.dtype());
      EXPECT_EQ(to_vector<double>(back[i].tensor), to_vector<double>(tensors[i].tensor));
    }
  }
}

TEST_F(Npy, RejectsArchivesOfOtherFiles) {
  ZipWriter zip(folder_ + "/a.npz");
  zip.add("note.txt", "text", false);
  zip.commit();
  const std::string message = message_of(Code::parse, [&] { (void)read_npz(folder_ + "/a.npz"); });
  EXPECT_TRUE(contains(message, "a.npz: the member \"note.txt\" is not an .npy file")) << message;
  EXPECT_EQ(code_of([&] { write_npz(folder_ + "/b.npz", std::vector<NamedTensor>(1)); }),
            Code::value);
  EXPECT_FALSE(file_exists(folder_ + "/b.npz"));
}

}  // namespace
}  // namespace gyre
