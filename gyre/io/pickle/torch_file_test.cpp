#include "gyre/io/pickle/torch_file.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/io/safetensors.h"
#include "gyre/io/tensor_file.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/in_place.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Parts of pickles of protocol 2.
std::string text(const std::string& t) {
  std::string length(4, '\0');
  for (size_t i = 0; i < 4; ++i) length[i] = static_cast<char>(t.size() >> (8 * i));
  return "X" + length + t;
}
std::string small(int n) { return std::string("K") + static_cast<char>(n); }
std::string pickled(const std::string& value) { return "\x80\x02" + value + "."; }
std::string tuple(const std::string& items) { return "(" + items + "t"; }
std::string dict(const std::string& items) { return "}(" + items + "u"; }
std::string sizes(const std::vector<int>& of) {
  std::string all;
  for (const int n : of) all += small(n);
  return tuple(all);
}
std::string storage(const std::string& type = "FloatStorage", const std::string& key = "0") {
  return tuple(text("storage") + "ctorch\n" + type + "\n" + text(key) + text("cpu") + small(6)) +
         "Q";
}
std::string tensor_of(const std::string& from, const std::string& offset, const std::string& shape,
                      const std::string& strides) {
  const std::string rest =
      "\x89"
      "ccollections\nOrderedDict\n)R";
  return "ctorch._utils\n_rebuild_tensor_v2\n" + tuple(from + offset + shape + strides + rest) +
         "R";
}
std::string usual_tensor() { return tensor_of(storage(), small(0), sizes({2, 3}), sizes({3, 1})); }

std::string six_floats() {
  const float values[] = {1, 2, 3, 4, 5, 6};
  return {reinterpret_cast<const char*>(values), sizeof values};
}

class TorchFileTest : public testing::Test {
 protected:
  TorchFileTest() { create_directories(folder_); }
  ~TorchFileTest() override { remove_tree(folder_); }

  using Members = std::vector<std::pair<std::string, std::string>>;
  std::string write(const std::string& pickle, const Members& more = {}, bool compressed = false,
                    const std::string& data = six_floats()) const {
    const std::string path = folder_ + "/x.pt";
    ZipWriter zip(path);
    zip.add("x/data.pkl", pickle, compressed);
    zip.add("x/data/0", data, compressed);
    for (const auto& [name, bytes] : more) zip.add("x/" + name, bytes, compressed);
    zip.commit();
    return path;
  }
  std::string refused(Code code, const std::string& value) const {
    const std::string path = write(pickled(value));
    const std::string message = message_of(code, [&] { const TorchFile file(path); });
    EXPECT_TRUE(contains(message, path)) << message;
    return message;
  }
  std::string folder_ = testing::TempDir() + "gyre_torch_file_test";
};

TEST_F(TorchFileTest, HoldsTensorsAndOtherValues) {
  const std::string flipped = tensor_of(storage(), small(1), sizes({2, 2}), sizes({1, 3}));
  const std::string value =
      dict(text("a") + usual_tensor() + text("step") + small(7) + text("more") +
           dict(text("list") + "](" + flipped +
                "N"
                "\x88"
                "e" +
                text("name") + text("adam")));
  for (const bool compressed : {false, true}) {
    const TorchFile file(write(pickled(value), {{"byteorder", "little"}}, compressed));
    for (const FileAccess access : {FileAccess::read, FileAccess::map}) {
      const std::vector<NamedTensor> all = file.load_all(access);
      ASSERT_EQ(all.size(), 2U);
      EXPECT_EQ(all[0].name, "a");
      EXPECT_EQ(to_vector<double>(all[0].tensor), (std::vector<double>{1, 2, 3, 4, 5, 6}));
      EXPECT_EQ(all[1].name, "more.list.0");
      EXPECT_EQ(all[1].tensor.strides(), (Shape{1, 3}));
      EXPECT_EQ(to_vector<double>(all[1].tensor), (std::vector<double>{2, 5, 3, 6}));
      copy_(all[0].tensor, Tensor(9.0));  // they share a storage
      EXPECT_EQ(to_vector<double>(all[1].tensor), std::vector<double>(4, 9));
      EXPECT_EQ(to_vector<double>(file.load(file.entries()[1], FileAccess::read)),
                (std::vector<double>{2, 5, 3, 6}));
    }
    Json others = Json::object();
    for (const auto& [name, other] : file.others()) others[name] = other;
    EXPECT_EQ(others.dump(),
              R"({"step":7,"more.list.1":null,"more.list.2":true,"more.name":"adam"})");
  }
  EXPECT_EQ(read_tensors(write(pickled(usual_tensor()))).at(0).name, "");
}

TEST_F(TorchFileTest, OpcodesOfNewerProtocols) {
  using namespace std::string_literals;
  const std::string framed = "\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x94("s +
                             "\x8C\x01"
                             "a\x94" +
                             "K\x05" +
                             "\x8C\x01"
                             "b" +
                             "\x8A\x02\x00\xFF"s +
                             "\x8C\x01"
                             "c" +
                             "G\x3F\xF8\x00\x00\x00\x00\x00\x00"s +
                             "\x8C\x01"
                             "d" +
                             "\x8C\x0B"
                             "collections"
                             "\x8C\x0B"
                             "OrderedDict"
                             "\x93)R" +
                             "\x8C\x01"
                             "e" +
                             "h\x01" +
                             "\x8C\x01"
                             "f" +
                             "\x8F(K\x01K\x02\x90" + "u.";
  const TorchFile file(write(framed));
  Json others = Json::object();
  for (const auto& [name, other] : file.others()) others[name] = other;
  EXPECT_EQ(others.dump(), R"({"a":5,"b":-256,"c":1.5,"e":"a","f.0":1,"f.1":2})");
}

TEST_F(TorchFileTest, OtherOpcodesAreRefusedByName) {
  const std::pair<const char*, const char*> kOther[] = {
      {"I1\n", "INT"},         {"L1L\n", "LONG"},           {"F1\n", "FLOAT"},
      {"S'a'\n", "STRING"},    {"Va\n", "UNICODE"},         {"g0\n", "GET"},
      {"p0\n", "PUT"},         {"P0\n", "PERSID"},          {"(ios\nsystem\n", "INST"},
      {"(o", "OBJ"},           {"))\x81", "NEWOBJ"},        {")))\x92", "NEWOBJ_EX"},
      {"\x82\x01", "EXT1"},    {"\x83\x01\x01", "EXT2"},    {"\x84\x01\x01\x01\x01", "EXT4"},
      {"\x97", "NEXT_BUFFER"}, {"\x98", "READONLY_BUFFER"}, {"\x80\x02", "PROTO"}};
  for (const auto& [bytes, name] : kOther) {
    EXPECT_TRUE(contains(refused(Code::unsupported, bytes),
                         "opcode " + std::string(name) + " is not supported"));
  }
  EXPECT_TRUE(contains(refused(Code::parse, "\x01"), "byte 1 is no opcode"));
}

TEST_F(TorchFileTest, OtherNamesAreRefused) {
  for (const char* name : {"os\nsystem", "builtins\neval", "torch\nload", "collections\ndeque",
                           "numpy.core.multiarray\n_reconstruct", "torch\nComplexFloatStorage"}) {
    std::string whole = name;
    const std::string message =
        refused(Code::unsupported, "c" + whole + "\n" + tuple(text("ls")) + "R");
    EXPECT_TRUE(contains(message, "it contains a " + whole.replace(whole.find('\n'), 1, ".")));
  }
}

TEST_F(TorchFileTest, DamagedPicklesAreRefused) {
  const std::string whole = pickled(dict(text("a") + usual_tensor()));
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string path = write(whole.substr(0, length));
    EXPECT_EQ(code_of([&] { const TorchFile file(path); }), Code::parse) << length;
  }
  for (const char* wrong : {"",
                            "0",
                            "2",
                            "t",
                            "e",
                            "a",
                            "s",
                            "u",
                            "(u",
                            "h\x05",
                            "NNa",
                            "NN(NNu",
                            "](Nu",
                            "}(Nu",
                            "NR",
                            "N)R",
                            "Nb",
                            "NN",
                            "(N",
                            "N(",
                            "ca\n",
                            "U\x01\xFF",
                            "\x8C\x05"
                            "a",
                            "ccollections\nOrderedDict\n(NtR",
                            "ccollections\nOrderedDict\n(]]tR",
                            "c_codecs\nencode\n)R",
                            "\x93",
                            "NN\x93",
                            "}(N"
                            "Nu"}) {
    const std::string path = write(pickled(wrong));
    const Code code = code_of([&] { const TorchFile file(path); });
    EXPECT_TRUE(code == Code::parse || code == Code::unsupported) << wrong;
  }
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { const TorchFile file(write("N.")); }),
                       "protocol 2 to 5"));
  EXPECT_TRUE(
      contains(message_of(Code::unsupported, [&] { const TorchFile file(write("\x80\x01N.")); }),
               "got protocol 1"));
  EXPECT_TRUE(contains(refused(Code::unsupported,
                               "\x8A\x09"
                               "123456789"),
                       "an integer of 9 bytes"));
  EXPECT_TRUE(contains(refused(Code::unsupported, "](Ne}b"), "attributes of other objects"));
}

TEST_F(TorchFileTest, BombsAreRefused) {
  std::string deep = "]";
  for (int i = 0; i < 100; ++i) deep += "\x85";
  EXPECT_TRUE(contains(refused(Code::resource, deep), "nested at most 64 deep"));
  std::string wide = small(1);  // each tuple has the one before twice
  for (int i = 0; i < 60; ++i) wide += "2\x86";
  EXPECT_TRUE(contains(refused(Code::resource, wide), "at most 1000000 values"));
  EXPECT_EQ(code_of([&] { const TorchFile file(write(pickled("]2a"))); }), Code::resource);
  std::string copies = "](";
  for (int i = 0; i < 1000; ++i) copies += "N";
  copies += "eq" + std::string(1, '\0') + "0";
  for (int i = 0; i < 1100; ++i) copies += "cbuiltins\nset\n(h" + std::string(1, '\0') + "tR0";
  EXPECT_TRUE(contains(refused(Code::resource, copies + "N"), "copies more than"));
}

TEST_F(TorchFileTest, TensorsOutsideTheirStorageAreRefused) {
  const auto wrong = [&](const std::string& value) { return refused(Code::parse, value); };
  EXPECT_TRUE(contains(wrong(tensor_of(storage(), small(1), sizes({2, 3}), sizes({3, 1}))),
                       "ends outside its storage"));
  EXPECT_TRUE(contains(wrong(tensor_of(storage("DoubleStorage"), small(0), sizes({4}), sizes({1}))),
                       "ends outside its storage"));
  EXPECT_TRUE(contains(wrong(tensor_of(storage(), "J\xFF\xFF\xFF\xFF", sizes({1}), sizes({1}))),
                       "begins outside"));
  const std::string minus = tuple("J\xFF\xFF\xFF\xFF");
  EXPECT_TRUE(contains(wrong(tensor_of(storage(), small(0), minus, sizes({1}))), "out of range"));
  EXPECT_TRUE(contains(wrong(tensor_of(storage(), small(0), sizes({1}), minus)), "out of range"));
  const std::string large = "\x8A\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
  EXPECT_TRUE(contains(wrong(tensor_of(storage(), small(0), tuple(large + large), sizes({1, 1}))),
                       "out of range"));
  EXPECT_TRUE(
      contains(wrong(tensor_of(storage(), small(0), sizes({2}), sizes({3, 1}))), "do not fit"));
  EXPECT_TRUE(
      contains(wrong(tensor_of(storage("FloatStorage", "../0"), small(0), sizes({1}), sizes({1}))),
               "not in the file"));
  EXPECT_TRUE(contains(wrong(tensor_of(small(1), small(0), sizes({1}), sizes({1}))),
                       "not built as expected"));
  EXPECT_TRUE(contains(
      wrong(dict(text("a.b") + usual_tensor() + text("a") + dict(text("b") + usual_tensor()))),
      "two tensors have the path \"a.b\""));
  EXPECT_TRUE(contains(wrong(dict("N" + usual_tensor())), "neither a text nor an integer"));
  const std::string path =
      write(pickled(tensor_of(storage("BoolStorage"), small(0), sizes({1}), sizes({1}))), {}, false,
            "\2");
  EXPECT_EQ(code_of([&] { (void)TorchFile(path).load_all(FileAccess::map); }), Code::value);
}

TEST_F(TorchFileTest, OtherFilesAreRefused) {
  const std::string path = folder_ + "/x.pt";
  const auto wrong = [&](Code code) {
    return message_of(code, [&] { const TorchFile file(path); });
  };
  EXPECT_EQ(code_of([&] { const TorchFile file(path); }), Code::io);
  write_file_atomic(path, "no zip file");
  wrong(Code::parse);
  ZipWriter zip(path);
  zip.add("x/y", "z", false);
  zip.commit();
  EXPECT_TRUE(contains(wrong(Code::parse), "without data.pkl"));
  write(pickled("N"), {{"constants.pkl", "N."}});
  EXPECT_TRUE(contains(wrong(Code::unsupported), "TorchScript"));
  write(pickled("N"), {{"byteorder", "big"}});
  EXPECT_TRUE(contains(wrong(Code::unsupported), "big-endian"));
}

std::vector<double> values(const std::string& file, const std::string& name) {
  const std::string path = test_data("fixtures/" + file);
  for (const NamedTensor& t : read_tensors(path, Verify::checksum, FileAccess::map)) {
    if (t.name == name) return to_vector<double>(t.tensor);
  }
  ADD_FAILURE() << file << " has no " << name;
  return {};
}

TEST(TorchFiles, OfPyTorch) {
  if (!file_exists(test_data("fixtures/test.pt"))) GTEST_SKIP() << no_test_data("fixtures");
  const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(values("test_with_key.pt", "model_state_dict.test"), eight);
  std::vector<double> ordered;
  for (int i = 1; i <= 24; ++i) ordered.push_back(i);
  EXPECT_EQ(values("fortran_tensor_3d.pth", "tensor_fortran"), ordered);
  const TorchFile checkpoint(test_data("fixtures/pt/checkpoint.pt"));
  EXPECT_GT(checkpoint.entries().size(), 4U);
  EXPECT_FALSE(checkpoint.others().empty());
  for (const char* old : {"simple_legacy", "legacy_with_offsets", "legacy_shared_storage"}) {
    const std::string path = test_data("fixtures/pt/" + std::string(old) + ".pt");
    EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { const TorchFile file(path); }),
                         "convert it with"));
  }
}

TEST(TorchFiles, OfATrainedModel) {
  const std::string path = test_data("images/burn_mnist_cnn.pt");
  if (!file_exists(path)) GTEST_SKIP() << no_test_data(path);
  const SafetensorsFile twin(test_data("images/burn_mnist_cnn.safetensors"));
  const std::vector<NamedTensor> all = read_tensors(path, Verify::checksum, FileAccess::map);
  EXPECT_EQ(all.size(), twin.entries().size());
  for (const NamedTensor& t : all) {
    const Tensor wanted = twin.load(t.name);
    EXPECT_EQ(t.tensor.dtype(), wanted.dtype()) << t.name;
    EXPECT_EQ(t.tensor.shape(), wanted.shape()) << t.name;
  }
  // as PyTorch reads it; its twin is of another training run
  EXPECT_EQ(values("../images/burn_mnist_cnn.pt", "norm2.num_batches_tracked"),
            std::vector<double>{3752});
  double sum = 0;
  for (const double v : values("../images/burn_mnist_cnn.pt", "fc1.weight")) sum += v;
  EXPECT_NEAR(sum, -510.434496281791, 1e-9);
}

}  // namespace
}  // namespace gyre
