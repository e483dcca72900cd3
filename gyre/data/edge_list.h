#pragma once
#include <string>
#include <vector>

#include "gyre/io/csv.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

struct EdgeListOptions {
  std::string columns{};
  CsvHeader header = CsvHeader::detect;
};
GYRE_FIELDS(EdgeListOptions,
            GYRE_FIELD(columns,
                       "names of the child and parent columns (needs a header); default: the first "
                       "two columns",
                       .metavar = "CHILD,PARENT"),
            GYRE_FIELD(header, "whether the first line of a file holds the column names"));

/// The edges of a file, and notes for the user.
struct EdgeList {
  NameTable names;
  std::vector<TaxonomyEdge> edges;  ///< without self-loops
  std::vector<std::string> notes;
};

/// Reads the edges of a TSV or CSV file (io/csv.h). Each record is a node, its parent
/// (`dog,mammal`) and optionally a weight, which is ignored. A header is detected by common column
/// names (`id1,id2`, `child,parent`, `source,target`, ...) or by a non-numeric third column;
/// `columns` selects columns by name in files with a header. Self-loops are dropped and reported in
/// the notes. Errors: io; parse, with file, line and column: no records, too few or too many
/// columns, a record of another length, a name that is empty, not UTF-8 or contains a tab or a
/// newline, and errors of CsvReader; value for an unknown column name.
EdgeList read_edges(const std::string& path, const EdgeListOptions& options = {});

/// The same for text in memory; `path` is used in messages.
EdgeList parse_edges(std::string_view text, const std::string& path,
                     const EdgeListOptions& options = {});

}  // namespace gyre
