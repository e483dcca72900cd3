#include "gyre/data/table/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/ops/create/create.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Tables : public testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  Table read(const std::string& text, const TableOptions& options = {}) const {
    write_file_atomic(path_, text);
    return read_table(path_, options);
  }
  Table read(const std::string& text, const TableEncoding& encoding) const {
    write_file_atomic(path_, text);
    return read_table(path_, encoding);
  }
  std::string refusal(const std::string& text, const TableOptions& options = {}) const {
    return message_of(Code::value, [&] { read(text, options); });
  }
  std::string path_ = testing::TempDir() + "gyre_table_test.csv";
};

const char* const kFlowers =
    "width,colour,length,kind\n"
    "1,red,10,rose\n"
    "2,blue,,tulip\n"
    "3,,30,rose\n"
    "6,red,20,lily\n";

TEST_F(Tables, BecomeFeaturesAndClasses) {
  const Table t = read(kFlowers);
  const Tensor &x = (*t.data)["x"], &y = (*t.data)["y"];
  ASSERT_EQ(x.shape(), (Shape{4, 5}));
  ASSERT_EQ(x.dtype(), DType::f32);
  // By hand: widths 1 2 3 6 have mean 3 and variance 3.5, lengths 10 30 20 mean 20, 200 / 3.
  const auto w = [](double v) { return static_cast<float>((v - 3) / std::sqrt(3.5)); };
  const auto l = [](double v) { return static_cast<float>((v - 20) / std::sqrt(200.0 / 3)); };
  const std::vector<float> wanted{w(1), 0, 1, l(10), 0, w(2), 1, 0, 0,     1,
                                  w(3), 0, 0, l(30), 0, w(6), 0, 1, l(20), 0};
  const std::vector<float> found = to_vector<float>(x);
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6) << i;
  EXPECT_EQ(t.encoding.classes, (std::vector<std::string>{"lily", "rose", "tulip"}))
      << "rare classes are kept";
  EXPECT_EQ(to_vector<int64_t>(y), (std::vector<int64_t>{1, 2, 1, 0}));
  EXPECT_EQ(t.encoding.columns[1].words, (std::vector<std::string>{"blue", "red"}));
  EXPECT_NEAR(t.encoding.columns[0].deviation, std::sqrt(3.5), 1e-15);
  EXPECT_TRUE(t.encoding.columns[2].has_missing);
  EXPECT_EQ(t.encoding.features(), 5);
}

TEST_F(Tables, SelectTargetAndExcludeColumns) {
  const Table t = read(kFlowers, {.target = "width", .exclude = {"kind", "length"}});
  EXPECT_EQ((*t.data)["x"].shape(), (Shape{4, 2}));
  EXPECT_TRUE(t.encoding.classes.empty());
  EXPECT_EQ((*t.data)["y"].dtype(), DType::f64);
  EXPECT_EQ(to_vector<double>((*t.data)["y"]), (std::vector<double>{1, 2, 3, 6}));
}

TEST_F(Tables, TreatNumbersAsClassesByOption) {
  const std::string text = "a,b\n1,10\n2,9\n3,10\n";
  const Table numbers = read(text), classes = read(text, {.task = TableTask::classes});
  EXPECT_EQ(to_vector<double>((*numbers.data)["y"]), (std::vector<double>{10, 9, 10}));
  EXPECT_EQ(classes.encoding.classes, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(to_vector<int64_t>((*classes.data)["y"]), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_TRUE(
      contains(refusal("a,b\n1,x\n", {.task = TableTask::number}), "target b contains text"));
  EXPECT_TRUE(
      contains(refusal(text, {.exclude = {"b"}}), "b is the target and cannot be excluded"));
}

TEST_F(Tables, EncodeNewRows) {
  const TableEncoding fitted = read(kFlowers).encoding;
  const TableEncoding encoding = TableEncoding::from_json(Json::parse(fitted.to_json().dump()));
  const Table whole = read(kFlowers), again = read(kFlowers, encoding);
  EXPECT_EQ(to_vector<float>((*again.data)["x"]), to_vector<float>((*whole.data)["x"]));
  // Reordered columns, an extra column, and a single numeric row.
  const Table one = read("kind,more,width,length,colour\nlily,x,6,20,red\n", encoding);
  std::vector<float> last = to_vector<float>((*whole.data)["x"]);
  last.erase(last.begin(), last.end() - 5);
  EXPECT_EQ(to_vector<float>((*one.data)["x"]), last);
  EXPECT_EQ((*one.data)["y"].item(), 0);
  // Without a target.
  const CsvTable rows = parse_csv("width,length,colour\n6,20,red\n", "f", {}, encoding.texts());
  EXPECT_EQ(to_vector<float>(encoding.encode(rows)), last);
  // Words that look like numbers.
  const TableEncoding coded = read("c,y\n1,2\nx,3\n").encoding;
  EXPECT_EQ(to_vector<float>((*read("c,y\n1,2\n", coded).data)["x"]), (std::vector<float>{1, 0}));
}

TEST_F(Tables, KeepTheCellsOfTheirExamples) {
  const Table t = read("a,b,y\n1,x,5\n2,,\n3,z,6\n");
  ASSERT_EQ(t.cells.rows, 2);
  EXPECT_EQ(t.cells.columns[0].numbers, (std::vector<double>{1, 3}));
  EXPECT_EQ(t.cells.columns[1].words, (std::vector<std::string>{"x", "z"}));
  EXPECT_EQ(t.cells.columns[2].numbers, (std::vector<double>{5, 6}));
  EXPECT_EQ(read("a,b,y\n7,x,8\n", t.encoding).cells.columns[0].numbers, std::vector<double>{7});
}

TEST_F(Tables, RejectRowsThatDoNotMatchTheEncoding) {
  const TableEncoding encoding = read(kFlowers).encoding;
  const auto message = [&](const std::string& rows) {
    return message_of(Code::value,
                      [&] { read("width,colour,length,kind\n1,red,1,rose\n" + rows, encoding); });
  };
  EXPECT_TRUE(contains(message("1,rad,1,rose\n"), "line 3: colour is \"rad\""));
  EXPECT_TRUE(contains(message("1,rad,1,rose\n"), "did you mean red?"));
  EXPECT_TRUE(contains(message("1,red,1,oak\n"), "line 3: kind is \"oak\""));
  EXPECT_TRUE(contains(message(",red,1,rose\n"), "line 3: width is missing"));
  EXPECT_TRUE(contains(message("1,red,inf,rose\n"), "line 3: length is infinite"));
  EXPECT_TRUE(contains(message("x,red,1,rose\n"), "line 3: width: expected numbers, got text"));
  EXPECT_TRUE(contains(message("1,red,1,\n"), "line 3: the target kind is missing"));
  EXPECT_EQ(code_of([&] { read("width,colour\n1,red\n", encoding); }), Code::value);
  const CsvTable untold = parse_csv("width,length,colour\n6,20,1\n", "f");
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)encoding.encode(untold); }),
                       "colour: expected text, got numbers"));
}

TEST_F(Tables, EncodeNumericRows) {
  const Table whole = read("a,b,y\n1,10,0\n2,,1\n6,30,0\n");
  const Tensor rows = tensor<double>({1., 10., 2., std::nan(""), 6., 30.}, {3, 2});
  EXPECT_EQ(to_vector<float>(whole.encoding.encode(rows)), to_vector<float>((*whole.data)["x"]));
  const auto message = [&](Code code, const TableEncoding& encoding, const Tensor& wrong) {
    return message_of(code, [&] { (void)encoding.encode(wrong); });
  };
  EXPECT_TRUE(contains(message(Code::shape, whole.encoding, ones({3, 3})),
                       "rows have shape [3, 3], but the encoding expects 2 columns of features"));
  const Tensor holes = tensor<double>({1., 1., std::nan(""), 1.}, {2, 2});
  EXPECT_TRUE(contains(message(Code::value, whole.encoding, holes), "rows: row 1: a is missing"));
  EXPECT_TRUE(contains(message(Code::value, read(kFlowers).encoding, ones({1, 3})),
                       "column colour is text; pass a CSV file"));
}

TEST_F(Tables, NoteColumnTypeGuesses) {
  const auto notes = [&](const std::string& text, const TableOptions& options = {}) {
    std::string all;
    for (const std::string& note : read(text, options).notes) all += note + "\n";
    return all;
  };
  EXPECT_TRUE(contains(notes("a,y\n1,.5\n\n2,1\nlow,2\nhigh,3\n3,7\n4,.5\n"),
                       ": a is read as text because of \"low\" in line 5, so each number is a "
                       "category; leave the field empty if it marks a missing value\n"));
  EXPECT_TRUE(contains(notes("a,y\n1,.5\n2,1\n3,n/a?\n4,\n5,NA\n6,7\n"),
                       ": y is read as text because of \"n/a?\" in line 4, so each number is a "
                       "class; leave"));
  EXPECT_FALSE(contains(notes("a,y\n1,2\n2,3\n3,n/a?\n", {.task = TableTask::classes}), "line 4"));
  EXPECT_TRUE(contains(notes("a;y\n1,5;1.5\n5 %;2.5\n2,5;3.5\n1.75;4.5\n"), "\"1.75\" in line 5"));
  EXPECT_TRUE(contains(notes("a,y\n1,0\n2,1\n3,0\n4,1\n"), "y has 2 distinct integers"));
  EXPECT_EQ(notes("a,y\n1,0\n2,1\n3,0\n4,1\n", {.task = TableTask::number}), "");
  EXPECT_EQ(notes("a,y\nred,.5\nblue,1\n7,2\nNA,7\n"), "");
  EXPECT_EQ(notes("a,y\nNA,0\n1,1\n2,2\n3,3\n"), "") << "unique numbers";
}

TEST_F(Tables, NameTheCellThatMakesAColumnOfNumbersText) {
  std::string many = "a,b,y\n", numbers = "a,y\n";
  for (int i = 0; i < 1200; ++i) {
    const std::string cell = i == 30 ? "n/a?" : std::to_string(i * 1.5);
    many += cell + ",1,2\n";
    numbers += "1," + cell + "\n";
  }
  const std::vector<std::string> left_out = read(many).notes;
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_TRUE(contains(left_out[0],
                       ": a is read as text because of \"n/a?\" in line 32 and, since it has 1200 "
                       "distinct texts in 1200 rows, left out; leave the field empty"))
      << left_out[0];
  EXPECT_TRUE(
      contains(refusal(many, {.include = {"a"}}),
               "the column a, read as text because of \"n/a?\" in line 32, has 1200 distinct "
               "texts, more than 1000; leave the field empty if it marks a missing value; "
               "exclude"));
  EXPECT_TRUE(contains(refusal(numbers, {.task = TableTask::number}),
                       "the target y is read as text because of \"n/a?\" in line 32; leave"));
}

TEST_F(Tables, AcceptConstantColumns) {
  const Table t = read("a,b,y\n5,x,1\n5,x,2\n");
  EXPECT_EQ(to_vector<float>((*t.data)["x"]), (std::vector<float>{0, 1, 0, 1}));
  EXPECT_EQ(t.encoding.columns[0].deviation, 1);
}

TEST_F(Tables, FitLargeNumbersAndManyRows) {
  std::string text = "a,y\n";
  for (int i = 0; i < 10000; ++i) text += std::to_string(1000000000 + i % 2) + ",0\n";
  const TableColumn column = read(text).encoding.columns[0];
  EXPECT_NEAR(column.mean, 1000000000.5, 1e-6);
  EXPECT_NEAR(column.deviation, 0.5, 1e-12);
  const Table large = read("a,y\n0,0\n1e300,0\n");
  EXPECT_EQ(to_vector<float>((*large.data)["x"]), (std::vector<float>{-1, 1}));
}

TEST_F(Tables, FitOnTrainingRowsOnly) {
  std::string text = "a,word,y\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i * i) + ",w" + std::to_string(i) + "," + std::to_string(i) + "\n";
  }
  const Table t = read(text, {.include = {"word"}, .held_back = 0.25, .seed = 7});
  const RowSplit rows = split_rows(40, 0.25, 7);
  ASSERT_EQ(rows.training.size(), 30u);
  double mean = 0;
  for (int64_t row : rows.training) mean += static_cast<double>(row * row) / 30;
  EXPECT_NEAR(t.encoding.columns[0].mean, mean, 1e-9);
  EXPECT_EQ(t.encoding.columns[1].words.size(), 40u) << "all of them can be told apart";
  const Table some = read("a,y\n5,1\n,2\n,3\n", {.held_back = 0.4});
  EXPECT_EQ(some.encoding.columns[0].mean, 5) << "of all rows if the given rows have no values";
}

TEST_F(Tables, NoteHeaderGuesses) {
  EXPECT_TRUE(read("a,b\n1,2\n").notes.empty());
  EXPECT_TRUE(contains(read("1,2\n3,4\n").notes.at(0), "column2 is the target"));
  EXPECT_TRUE(read("1,2\n3,4\n", {.header = CsvHeader::absent}).notes.empty());
  EXPECT_TRUE(contains(read(",a,y\n0,1,2\n1,3,4\n").notes.at(0), "column1 has no name"));
  EXPECT_TRUE(read(",a,y\n0,1,2\n1,3,4\n", {.exclude = {"column1"}}).notes.empty());
  std::string many = "a,y\n";
  for (int i = 0; i < 30; ++i) many += "1,c" + std::to_string(i) + "\n";
  EXPECT_TRUE(contains(read(many).notes.at(0), "30 classes in 30 rows"));
}

TEST_F(Tables, DatesBecomeNumbersAndCycles) {
  const std::string text = "sold,y\n2024-01-01,1\n,2\n2024-01-03T12:00,3\n";
  const Table t = read(text);
  EXPECT_TRUE(t.notes.empty());
  ASSERT_EQ(t.encoding.columns.size(), 4u);
  EXPECT_EQ(t.encoding.columns[0].mean, 19723 + 1.25);
  EXPECT_EQ(t.encoding.columns[1].mean, 2024);
  EXPECT_EQ(t.encoding.features(), 2 + 2 + 12 + 7);
  const std::vector<float> x = to_vector<float>((*t.data)["x"]);
  std::vector<size_t> ones;  // of month and day of the week: January and Monday, missing, Wednesday
  for (size_t i = 0; i < x.size(); ++i) {
    if (i % 23 >= 4 && x[i] != 0) ones.push_back(i / 23 * 100 + i % 23);
  }
  EXPECT_EQ(ones, (std::vector<size_t>{4, 16, 204, 218}));
  const TableEncoding again = TableEncoding::from_json(Json::parse(t.encoding.to_json().dump()));
  EXPECT_EQ(to_vector<float>((*read(text, again).data)["x"]), to_vector<float>((*t.data)["x"]));
  EXPECT_NO_THROW(read("sold,y\n2031-12-31,1\n", again)) << "a later date";
  EXPECT_TRUE(contains(message_of(Code::value, [&] { read("sold,y\nsoon,1\n", again); }),
                       "line 2: sold is \"soon\""));
  Json odd = t.encoding.to_json();
  std::string other = odd.dump();
  other.replace(other.find("year_first"), 10, "week_first");
  EXPECT_EQ(code_of([&] { TableEncoding::from_json(Json::parse(other)); }), Code::parse);
  std::string older = odd.dump();
  older.insert(older.find("\"month\"") + 7, ",\"mean\":6");
  EXPECT_TRUE(
      contains(message_of(Code::parse, [&] { TableEncoding::from_json(Json::parse(older)); }),
               "train again"));
}

TEST_F(Tables, LeaveOutIdentifiersAndRowsWithoutTarget) {
  const auto columns = [&](const std::string& text, const TableOptions& options = {}) {
    std::string names;
    for (const TableColumn& c : read(text, options).encoding.columns) names += c.name + " ";
    return names;
  };
  EXPECT_EQ(columns("order_id,a,y\n7,1,1\n9,1,2\n8,2,3\n"), "a ");
  EXPECT_EQ(columns("order_id,a,y\n7,1,1\n9,1,2\n8,2,3\n", {.include = {"order_id"}}),
            "order_id a ");
  EXPECT_EQ(columns("id,a,y\n7,1,1\n7,1,2\n"), "id a ") << "not distinct";
  EXPECT_EQ(columns("width,a,y\n7,1,1\n8,1,2\n"), "width a ") << "distinct integers are common";
  EXPECT_EQ(columns("id,y\n7,1\n8,2\n"), "id ") << "the only feature";
  const Table some = read("a,y\n1,2\n5,\n3,4\n");
  EXPECT_EQ(to_vector<double>((*some.data)["y"]), (std::vector<double>{2, 4}));
  EXPECT_EQ(some.encoding.columns[0].mean, 2);
  EXPECT_TRUE(contains(some.notes.at(0), "1 row of 3 left out: the target y is missing"));
}

TEST_F(Tables, UnknownValuesAreNotedOnRequest) {
  const TableEncoding encoding = read(kFlowers).encoding;
  const CsvTable rows = parse_csv("width,colour,length,kind\n1,rad,x,rose\n,rad,,oak\ninf,red,3,\n",
                                  "f", {}, encoding.texts());
  std::vector<std::string> notes;
  const std::vector<float> x = to_vector<float>(encoding.encode(rows, &notes));
  EXPECT_EQ(std::vector<float>(x.begin() + 1, x.begin() + 5), (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(x[5], 0) << "the mean";
  EXPECT_EQ(to_vector<int64_t>(encoding.encode_target(rows, &notes)),
            (std::vector<int64_t>{1, -1, -1}));
  std::string all;
  for (const std::string& note : notes) all += note + "\n";
  for (const char* words :
       {"f: line 2: colour is \"rad\", unknown to the encoding; did you mean red?; taken as "
        "missing "
        "(2 rows)",
        "f: line 2: length: expected numbers, got text (x)", "f: line 4: width is infinite",
        "f: line 3: width is missing", "f: line 3: kind is \"oak\""}) {
    EXPECT_TRUE(contains(all, words)) << words << "\n" << all;
  }
}

TEST_F(Tables, NoteEachOddNumberOnce) {
  const TableEncoding encoding = read(kFlowers).encoding;
  const CsvTable rows =
      parse_csv("width,colour,length\ninf,red,1\n1e300,red,1\n,red,1\n", "f", {}, encoding.texts());
  std::vector<std::string> notes;
  const std::vector<float> x = to_vector<float>(encoding.encode(rows, &notes));
  for (const float number : x) EXPECT_TRUE(std::isfinite(number));
  std::sort(notes.begin(), notes.end());
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_TRUE(contains(notes[0], "f: line 2: width is infinite; taken as missing"));
  EXPECT_TRUE(contains(notes[1], "f: line 3: width is too large; taken as missing"));
  EXPECT_TRUE(contains(notes[2], "f: line 4: width is missing") && !contains(notes[2], "rows)"));
}

TEST_F(Tables, NoteDatesThatBeginWithDayOrMonth) {
  const auto notes = [&](const char* day) {
    std::string all;
    for (const std::string& note : read(std::string("d,y\n01/02/2024,1.5\n") + day + ",2\n").notes)
      all += note;
    return all;
  };
  EXPECT_TRUE(contains(notes("03/04/2024"), "d may begin with the day or the month"));
  EXPECT_FALSE(contains(notes("30/04/2024"), "day or the month"));
}

TEST_F(Tables, TakeNoPartOfAText) {
  const TableEncoding encoding = read(kFlowers).encoding;
  const auto encoded = [&](const char* width) {
    const CsvTable rows = parse_csv(std::string("width,colour,length\n") + width + ",red,1\n", "f",
                                    {}, encoding.texts());
    std::vector<std::string> notes;
    return to_vector<float>(encoding.encode(rows, &notes));
  };
  for (const char* text : {"7kg", "20 kg", "1.2.3", "12-13", "1e", "0x10"})
    EXPECT_EQ(encoded(text), encoded("")) << text;
}

TEST_F(Tables, RowsWithoutATargetDecideNothing) {
  std::string text = "day,y\n";
  for (int i = 1; i <= 24; ++i)
    text += "2024-01-" + std::to_string(10 + i % 18) + "," + std::to_string(i) + "\n";
  EXPECT_EQ(read(text + "Total,\n").encoding.features(), read(text).encoding.features());
}

TEST_F(Tables, NoteTextColumnsWithUniqueValues) {
  // `single` unique texts, and one text shared by the other rows
  const auto notes = [&](int single, int rows, const TableOptions& options = {}) {
    std::string text = "a,note,y\n";
    for (int i = 0; i < rows; ++i) {
      text += "1," + (i < single ? "n" + std::to_string(i) : std::string("same")) + ",.5\n";
    }
    return read(text, options).notes;
  };
  ASSERT_EQ(notes(30, 40).size(), 1u);
  EXPECT_TRUE(contains(notes(30, 40)[0], "note has 31 distinct texts in 40 rows, so it is left"));
  EXPECT_TRUE(contains(notes(30, 40)[0], "`include` note uses it"));
  EXPECT_TRUE(notes(30, 40, {.include = {"note"}}).empty());
  EXPECT_TRUE(notes(30, 40, {.exclude = {"note"}}).empty());
  EXPECT_TRUE(notes(20, 40).empty()) << "half of the rows share a text";
  EXPECT_EQ(notes(21, 41).size(), 1u);
  EXPECT_TRUE(notes(20, 20).empty()) << "few";
}

TEST_F(Tables, RejectInvalidTables) {
  EXPECT_TRUE(contains(refusal("a,b\n1,2\n", {.target = "c"}), "no column \"c\""));
  EXPECT_TRUE(contains(refusal("a,b\n1,2\n", {.exclude = {"c"}}), "no column \"c\""));
  EXPECT_TRUE(contains(refusal("a,b\n1,2\n", {.exclude = {"a"}}), "no column left beside b"));
  EXPECT_TRUE(contains(refusal("a\n1\n"), "no column left beside a"));
  EXPECT_TRUE(contains(refusal("a,b\n,2\n"), "the column a has no values"));
  EXPECT_TRUE(
      contains(refusal("a,b\n1,\n", {.task = TableTask::classes}), "column b has no values"));
  EXPECT_TRUE(contains(refusal("a,b\n1,2\ninf,2\n"), "line 3: a is infinite"));
  EXPECT_TRUE(contains(refusal("a,b\n1,2\n1,inf\n"), "line 3: the target b is missing or inf"));
  EXPECT_TRUE(contains(refusal("a,b\n1,x\n2,x\n"), "the target b has one class, x"));
  EXPECT_TRUE(contains(refusal("a,b\n-1.7e308,2\n1.7e308,2\n"), "too far apart"));
  std::string many = "a,b\n";
  for (int i = 0; i <= kMostWords; ++i) many += "w" + std::to_string(i) + ",1\n";
  EXPECT_TRUE(contains(refusal(many), "a has 1001 distinct texts, more than 1000"));
  const std::vector<std::string> texts{"a"};
  const CsvTable blank = parse_csv("a,b\n,1\n", "f", {}, texts);
  EXPECT_EQ(code_of([&] { table_encoding(blank); }), Code::value) << "no text, either";
  const TableEncoding encoding = read("a,y\n1,2\n").encoding;
  Json json = encoding.to_json();
  EXPECT_EQ(TableEncoding::from_json(json).columns.size(), 1u);
  const std::string damaged = R"({"target": "y", "classes": [], "columns":
      [{"name": "a", "mean": 0, "deviation": 0, "has_missing": false}]})";
  EXPECT_EQ(code_of([&] { TableEncoding::from_json(Json::parse(damaged)); }), Code::parse);
  EXPECT_EQ(code_of([&] { read("", TableOptions()); }), Code::parse);
}

TEST_F(Tables, TakeOptionsAsARecord) {
  TableOptions options;
  record_from_json(options,
                   Json::parse(R"({"target": "a", "task": "classes", "header": "present"})"));
  EXPECT_EQ(options.task, TableTask::classes);
  EXPECT_EQ(options.header, CsvHeader::present);
}

}  // namespace
}  // namespace gyre
