#pragma once
#include <string>
#include <vector>

#include "gyre/io/csv.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

struct EdgeListOptions {
  std::string columns{};  ///< names of the two columns, with a comma between; empty: the first two
  CsvHeader header = CsvHeader::detect;
};

/// The edges of a file, and what is to be told of it.
struct EdgeList {
  NameTable names;
  std::vector<TaxonomyEdge> edges;  ///< without those from a node to itself
  std::vector<std::string> notes;
};

/// The edges in a TSV or CSV file (io/csv.h), a record each: a node and one above it (`dog,
/// mammal`), and perhaps a weight, which is not used. A header is detected by names that are usual
/// there (`id1,id2`, `child,parent`, `source,target`, ...) or by a third column that is no number;
/// `columns` is for files that have a header and any columns. Edges from a node to itself are left
/// out, which the notes say. Errors: io; parse, naming file, line and column: no record, too few
/// columns or more than are known, a record of another length, a name that is empty, not UTF-8 or
/// holds a tab or a newline, and what CsvReader refuses; value, naming a column that is not there.
EdgeList read_edges(const std::string& path, const EdgeListOptions& options = {});

/// The same for a text in memory; `path` is for messages.
EdgeList parse_edges(std::string_view text, const std::string& path,
                     const EdgeListOptions& options = {});

}  // namespace gyre
