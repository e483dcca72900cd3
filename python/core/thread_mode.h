#pragma once
#include <algorithm>
#include <thread>
#include <vector>

#include "python/core/errors.h"

namespace gyre::python {

/// The context manager of a mode of the thread, `with gyre.no_grad():`; threads may share one
/// object. `get` and `set` read and write the mode of this thread.
template <auto get, auto set>
struct ThreadMode {
  using Value = decltype(get());
  struct Entry {
    std::thread::id thread;
    Value before;
  };

  void enter() {
    entries.push_back({std::this_thread::get_id(), get()});
    set(value);
  }
  void leave() {
    const auto self = std::this_thread::get_id();
    auto last = std::find_if(entries.rbegin(), entries.rend(),
                             [&](const Entry& e) { return e.thread == self; });
    if (last == entries.rend())
      throw Error(Code::value, name, "__exit__ without __enter__ on this thread");
    set(last->before);
    entries.erase(std::next(last).base());
  }

  static void bind(nb::module_& m, const char* class_name, const char* doc) {
    name = class_name;
    nb::class_<ThreadMode>(m, class_name, doc)
        .def("__enter__", &ThreadMode::enter)
        .def(
            "__exit__", [](ThreadMode& mode, nb::handle, nb::handle, nb::handle) { mode.leave(); },
            nb::arg().none(), nb::arg().none(), nb::arg().none(),
            nb::sig("def __exit__(self, kind: object, value: object, trace: object, /) -> None"))
        .def(
            "__call__", [](nb::handle mode, nb::handle function) { return within(mode, function); },
            nb::arg("function"), nb::sig("def __call__(self, function: typing.Any) -> typing.Any"),
            "Decorator: a function that runs in this mode.");
  }
  /// `function` as one that runs in the mode.
  static nb::object within(nb::handle mode, nb::handle function) {
    return nb::module_::import_("gyre._functions.gradients").attr("within")(mode, function);
  }

  Value value;
  std::vector<Entry> entries{};  ///< one for each active `with`
  static inline const char* name = "";
};

}  // namespace gyre::python
