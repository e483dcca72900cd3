#include "gyre/io/csv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows records(std::string_view text, CsvSeparator separator = CsvSeparator::comma) {
  const std::string path = "f";
  CsvReader reader(text, path, separator);
  std::vector<std::string_view> fields;
  Rows rows;
  while (reader.next(fields)) rows.emplace_back(fields.begin(), fields.end());
  return rows;
}

TEST(CsvField, IsReadAgain) {
  for (const std::string text :
       {"a", "", " a", "a\t", "a,b", "a;b", "\"", "a\"\"b", "x\ny", "\r"}) {
    EXPECT_EQ(records(csv_field(text) + ",z\n"), (Rows{{text, "z"}})) << text;
  }
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a;b"), "\"a;b\"");
}

TEST(CsvReader, SplitsByRfc4180) {
  EXPECT_EQ(records("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\r\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,\r\n,\r"), (Rows{{"a", ""}, {"", ""}}));
  EXPECT_EQ(records("\"a,\"\"b\"\"\",\"x\ny\"\n\"\",\"\"\"\""),
            (Rows{{"a,\"b\"", "x\ny"}, {"", "\""}}));
  EXPECT_EQ(records("\"\"\"a\"\"\",\"\"\"b\"\"\",\"\"\"c\"\"\""),
            (Rows{{"\"a\"", "\"b\"", "\"c\""}}));
  EXPECT_EQ(records("\xEF\xBB\xBF"
                    "a\n\nb\n"),
            (Rows{{"a"}, {""}, {"b"}}));
  EXPECT_EQ(records(""), Rows{});
}

TEST(CsvReader, DetectsTheSeparator) {
  EXPECT_EQ(records("a;b,c;d\n", CsvSeparator::detect)[0].size(), 3u);
  EXPECT_EQ(records("a\tb\n,,,,\n", CsvSeparator::detect)[0].size(), 2u);
  EXPECT_EQ(records("\";;;;\n;;\",b\n", CsvSeparator::detect)[0].size(), 2u);
  EXPECT_EQ(records("a;b\n", CsvSeparator::comma)[0].size(), 1u);
  EXPECT_EQ(records("a;b\n", CsvSeparator::semicolon)[0].size(), 2u);
  EXPECT_EQ(records("a\tb\n", CsvSeparator::tab)[0].size(), 2u);
}

TEST(CsvReader, NamesTheLineOfWhatIsWrong) {
  const auto message = [](std::string_view text) {
    return message_of(Code::parse, [&] { records(text); });
  };
  EXPECT_TRUE(contains(message("a\nb\"c"), "f: line 2: a quote inside an unquoted field"));
  EXPECT_TRUE(contains(message("a\n\"b\n\nc"), "line 2: a quoted field of the record"));
  EXPECT_TRUE(contains(message("\"a\n\"\n\"b\"c"), "line 3: text follows the quote"));
  EXPECT_TRUE(contains(message("\"b\"\rc"), "line 1: text follows the quote"));
  EXPECT_TRUE(contains(message("a\rb"), "line 1: a carriage return"));
}

TEST(CsvNumber, AcceptsDecimalsOnly) {
  const auto number = [](std::string_view field) {
    double value = -77;
    return csv_number(field, value) ? value : -1;
  };
  EXPECT_EQ(number("1.5"), 1.5);
  EXPECT_EQ(number(" -2e3  "), -2000);
  EXPECT_EQ(number("+.5"), 0.5);
  EXPECT_EQ(number("1e-999"), 0);
  EXPECT_EQ(number("1e999"), HUGE_VAL);
  EXPECT_EQ(number("inf"), HUGE_VAL);
  EXPECT_TRUE(std::isnan(number("NaN")));
  for (const char* none : {"", " ", "+", "-", "1,5", "1 2", "0x10", "+-1", "1e", "abc", "1.5a"}) {
    EXPECT_EQ(number(none), -1) << none;
  }
}

TEST(CsvNumber, AcceptsWhatPeopleWrite) {
  struct Case {
    const char* text;
    double point, comma;  // NaN: no number
  };
  constexpr double kNone = NAN;
  for (const auto& [text, point, comma] :
       std::initializer_list<Case>{{"1,234", 1234, 1.234},
                                   {"1.234", 1.234, 1234},
                                   {"1,234,567.5", 1234567.5, kNone},
                                   {"1.234.567,5", kNone, 1234567.5},
                                   {"12,34", kNone, 12.34},
                                   {"1,2345", kNone, 1.2345},
                                   {"1 234 567", 1234567, 1234567},
                                   {"1'234.5", 1234.5, kNone},
                                   {"5%", 5, 5},
                                   {"5.5 %", 5.5, kNone},
                                   {"\xE2\x82\xAC"
                                    "12",
                                    12, 12},
                                   {"-$1,200", -1200, -1.2},
                                   {"$-3", -3, -3},
                                   {"12,5 \xE2\x82\xAC", kNone, 12.5},
                                   {"-1e5", -1e5, -1e5},
                                   {"1,23,456", kNone, kNone},
                                   {"--5", kNone, kNone},
                                   {"%", kNone, kNone},
                                   {"", kNone, kNone},
                                   {"2024-01-02", kNone, kNone}}) {
    for (const bool decimal_comma : {false, true}) {
      const double wanted = decimal_comma ? comma : point;
      double value = kNone;
      const bool is_number = csv_number(text, decimal_comma, value);
      EXPECT_EQ(is_number, !std::isnan(wanted)) << text << " " << decimal_comma;
      EXPECT_TRUE(!is_number || value == wanted) << text << " " << value;
    }
  }
}

TEST(CsvTable, ReadsDecimalCommasAndGroups) {
  const CsvTable european = parse_csv("a;b;c\n1,5;1.234;5%\n2;7;x\n", "f");
  EXPECT_TRUE(european.decimal_comma);
  EXPECT_EQ(european.columns[0].numbers, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(european.columns[1].numbers, (std::vector<double>{1234, 7}));
  EXPECT_TRUE(european.columns[2].is_text);
  const CsvTable grouped = parse_csv("a,b\n\"1,234\",$5\n7,NA\n,6\n", "f");
  EXPECT_FALSE(grouped.decimal_comma);
  EXPECT_EQ(grouped.columns[0].numbers[0], 1234);
  EXPECT_TRUE(std::isnan(grouped.columns[0].numbers[2]) &&
              std::isnan(grouped.columns[1].numbers[1]));
  EXPECT_TRUE(
      parse_csv("a\n\"1,5\"\n", "f", {.decimal = CsvDecimal::comma}).columns[0].numbers[0] == 1.5);
  EXPECT_TRUE(parse_csv("a;b\n1,5;1\n", "f", {.decimal = CsvDecimal::point}).columns[0].is_text);
}

TEST(CsvTable, BlanksAroundFieldsAreNoPartOfThem) {
  const CsvTable t = parse_csv("a, b ,\t\"c, d\" \n x , y,\" z \"\n", "f");
  EXPECT_EQ(t.columns[1].name, "b");
  EXPECT_EQ(t.columns[2].name, "c, d");
  EXPECT_EQ(t.columns[0].words[0], "x");
  EXPECT_EQ(t.columns[2].words[0], " z ");
  EXPECT_EQ(parse_csv("a\tb\n\tx\n", "f").columns[1].words[0], "x") << "an empty first field";
}

TEST(CsvTable, KeepsRowsAndTheirLines) {
  CsvTable t = parse_csv("a,b\n1,x\n2,y\n\n3,x\n4,z\n", "f");
  t.keep_rows([](int64_t row) { return row != 1; });
  EXPECT_EQ(t.rows, 3);
  EXPECT_EQ(t.columns[0].numbers, (std::vector<double>{1, 3, 4}));
  EXPECT_EQ(t.columns[1].codes, (std::vector<int32_t>{0, 0, 1}));
  EXPECT_EQ(t.columns[1].words, (std::vector<std::string>{"x", "z"})) << "y was in no other row";
  EXPECT_EQ(t.line_of(0), 2);
  EXPECT_EQ(t.line_of(1), 5);
  EXPECT_EQ(t.line_of(2), 6);
}

TEST(CsvTable, HasColumnsOfNumbersAndOfTexts) {
  const CsvTable t = parse_csv("n,text,both,none\n1,a,1,\n,b,x,\n2.5,,1,\n3,a,,\n", "f");
  EXPECT_EQ(t.rows, 4);
  ASSERT_EQ(t.columns.size(), 4u);
  const CsvColumn &n = t.columns[0], &text = t.columns[1], &both = t.columns[2];
  EXPECT_FALSE(n.is_text);
  EXPECT_EQ(n.numbers[2], 2.5);
  EXPECT_TRUE(std::isnan(n.numbers[1]));
  EXPECT_TRUE(text.is_text);
  EXPECT_EQ(text.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text.codes, (std::vector<int32_t>{0, 1, -1, 0}));
  EXPECT_TRUE(both.is_text) << "detected in the second row";
  EXPECT_EQ(both.words, (std::vector<std::string>{"1", "x"}));
  EXPECT_EQ(both.codes, (std::vector<int32_t>{0, 1, 0, -1}));
  EXPECT_TRUE(std::isnan(t.columns[3].numbers[3]));
  EXPECT_EQ(t.index_of("both"), 2u);
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { (void)t.index_of("bothe"); }), "did you mean both?"));
}

TEST(CsvTable, RecognisesMissingValues) {
  const CsvTable t = parse_csv("a,b\nNA,None\n1,1\n?,x\nnull,2\n", "f");
  EXPECT_FALSE(t.columns[0].is_text);
  EXPECT_EQ(t.columns[0].numbers[1], 1);
  for (size_t row : {0u, 2u, 3u}) EXPECT_TRUE(std::isnan(t.columns[0].numbers[row])) << row;
  EXPECT_TRUE(t.columns[1].is_text) << "x is neither a number nor missing";
  EXPECT_EQ(t.columns[1].words, (std::vector<std::string>{"None", "1", "x", "2"}));
  for (const char* word : {"", "N/A", "n/a", "#N/A", "<NA>", "NULL"})
    EXPECT_TRUE(csv_missing(word));
  for (const char* word : {"0", "na", "-", "nan", " "}) EXPECT_FALSE(csv_missing(word)) << word;
}

TEST(CsvTable, RereadsColumnsThatTurnOutToBeTexts) {
  for (const char* text : {"\n1\n\nB\n", "\n\na\n1\n\nB\n", "\na,b\n1,2\n\nB,2\n"}) {
    const CsvTable t = parse_csv(text, "f");
    EXPECT_EQ(static_cast<int64_t>(t.columns[0].codes.size()), t.rows) << text;
    EXPECT_EQ(t.columns[0].words, (std::vector<std::string>{"1", "B"}));
  }
}

TEST(CsvTable, ReadsNumbersAsTextsOnRequest) {
  const std::vector<std::string> texts{"b"};
  const CsvTable t = parse_csv("a,b\n1,01\n2,1\n", "f", {}, texts);
  EXPECT_FALSE(t.columns[0].is_text);
  EXPECT_EQ(t.columns[1].words, (std::vector<std::string>{"01", "1"}));
}

TEST(CsvTable, DetectsAHeader) {
  EXPECT_EQ(parse_csv("1,2\n3,4\n", "f").columns[1].name, "column2");
  EXPECT_EQ(parse_csv("1,2\n3,4\n", "f").rows, 2);
  EXPECT_EQ(parse_csv("a,a\nb,c\n", "f").rows, 2) << "not a header: duplicate name";
  EXPECT_EQ(parse_csv("a,\nb,c\n", "f").rows, 2);
  EXPECT_EQ(parse_csv("a,b\nc,d\n", "f").rows, 1);
  EXPECT_EQ(parse_csv("?,b\n1,d\n", "f").rows, 1);
  EXPECT_FALSE(parse_csv("x,2020,2021\ny,1,2\n", "f").has_header) << "numbers are not names";
  const CsvTable indexed = parse_csv("\n,a,b\n0,1,\"x\"\"y\"\n1,,z\n", "f");
  EXPECT_TRUE(indexed.has_header) << "a is above a number";
  EXPECT_EQ(indexed.rows, 2);
  EXPECT_EQ(indexed.columns[0].name, "column1");
  EXPECT_FALSE(indexed.columns[0].has_name);
  EXPECT_TRUE(indexed.columns[1].has_name);
  EXPECT_EQ(parse_csv("a,b\nc,d\n", "f", {.header = CsvHeader::absent}).rows, 2);
  EXPECT_EQ(parse_csv("1,2\n3,4\n", "f", {.header = CsvHeader::present}).columns[0].name, "1");
}

TEST(CsvTable, KnowsTheLinesOfItsRows) {
  const CsvTable t = parse_csv("\n\na,b\n1,2\n\n\"x\ny\",3\n4,5\n", "f");
  EXPECT_EQ(t.rows, 3);
  EXPECT_EQ(t.line_of(0), 4);
  EXPECT_EQ(t.line_of(1), 6);
  EXPECT_EQ(t.line_of(2), 8);
  const CsvTable one = parse_csv("a\n1\n\n2\n", "f");
  EXPECT_EQ(one.rows, 3) << "an empty line of a single column is a missing value";
  EXPECT_EQ(one.line_of(2), 4);
}

TEST(CsvTable, SaysWhatIsWrong) {
  const auto message = [](std::string_view text, const CsvOptions& options = {}) {
    return message_of(Code::parse, [&] { parse_csv(text, "f", options); });
  };
  EXPECT_TRUE(contains(message(""), "f: is empty"));
  EXPECT_TRUE(contains(message("\n\n"), "f: is empty"));
  EXPECT_TRUE(contains(message("a,b\n"), "contains only a header"));
  EXPECT_TRUE(contains(message("a,b\n1,2\n3\n"), "line 3: 1 field, but the header has 2"));
  EXPECT_TRUE(contains(message("1,2\n1,2,3\n"), "line 2: 3 fields, but the first record has 2"));
  EXPECT_TRUE(contains(message("a,a\n1,2\n", {.header = CsvHeader::present}),
                       "line 1: the name of column 2, a, is a duplicate"));
  EXPECT_TRUE(contains(message("a,a\n1,2\n"), "the name of column 2, a, is a duplicate"));
  EXPECT_TRUE(contains(message("column2,\n1,2\n"), "column2, is a duplicate"));
  EXPECT_TRUE(contains(message("a,\xff\n1,2\n"), "the name of column 2 is not UTF-8"));
  EXPECT_TRUE(contains(message("a,b\n1,\xff\n"), "line 2: the text of b is not UTF-8"));
  EXPECT_EQ(code_of([] { read_csv("none"); }), Code::io);
}

TEST(CsvTable, ReadsFilesAndSurvivesDamage) {
  const std::string path = testing::TempDir() + "gyre_csv_test.csv";
  const std::string whole = "a,\"b \"\"c\"\"\",d\r\n1,\"x\ny\",2.5\r\n,z,\r\n";
  write_file_atomic(path, whole);
  EXPECT_EQ(read_csv(path).columns[1].name, "b \"c\"");
  remove_tree(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const std::string& text :
         {whole.substr(0, i), whole.substr(0, i) + '"' + whole.substr(i + 1),
          whole.substr(0, i) + '\n' + whole.substr(i + 1),
          whole.substr(0, i) + ',' + whole.substr(i)}) {
      try {
        const CsvTable t = parse_csv(text, "f");
        for (const CsvColumn& column : t.columns) {
          const size_t rows = column.is_text ? column.codes.size() : column.numbers.size();
          ASSERT_EQ(static_cast<int64_t>(rows), t.rows);
        }
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace gyre
