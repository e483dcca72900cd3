#include "python/nn/lending.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "gyre/base/error.h"
#include "gyre/base/scoped_value.h"
#include "gyre/nn/replace_tensors.h"
#include "gyre/nn/tensor_walk.h"
#include "python/core/convert.h"
#include "python/core/patient_lock.h"
#include "python/nn/module_object.h"

namespace gyre::python {
namespace {

using Addresses = std::vector<const Tensor*>;  // by address

Addresses places_in(nn::Module& module) {
  Addresses places;
  nn::for_each_tensor(module, [&](const std::string&, Tensor& t, bool) { places.push_back(&t); });
  std::sort(places.begin(), places.end());
  return places;
}

bool have_in_common(const Addresses& a, const Addresses& b) {
  for (const Tensor* t : a) {
    if (std::binary_search(b.begin(), b.end(), t)) return true;
  }
  return false;
}

// The replaced tensors, by thread.
struct Borrowers {
  struct One {
    std::thread::id thread;
    const Addresses* places;
  };
  std::mutex mutex;
  std::condition_variable fewer;
  std::vector<One> all;

  bool are_here(std::thread::id thread) const {
    return std::any_of(all.begin(), all.end(), [&](const One& o) { return o.thread == thread; });
  }
  bool have_some_of(const Addresses& places, std::thread::id but) const {
    return std::any_of(all.begin(), all.end(), [&](const One& o) {
      return o.thread != but && have_in_common(places, *o.places);
    });
  }
};

// A forked child has only the forking thread.
Borrowers& borrowers() {
  static OwnedByProcess<Borrowers> all;
  return all.here();
}

// Exclusive use of some tensors by this thread. Needs the GIL.
class Turn {
 public:
  explicit Turn(const Addresses& places) : places_(places) {
    Borrowers& b = borrowers();
    const auto self = std::this_thread::get_id();
    for (std::unique_lock lock(b.mutex);; lock.lock()) {
      if (!b.have_some_of(places, self)) {
        b.all.push_back({self, &places_});
        return;
      }
      if (b.are_here(self)) {
        throw Error(Code::value, "functional_call",
                    "nested functional_call: another thread is replacing tensors of this module; "
                    "do not nest calls on modules that threads share");
      }
      nb::gil_scoped_release release;
      b.fewer.wait(lock, [&] { return !b.have_some_of(places, self); });
      lock.unlock();  // before waiting for the GIL
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    Borrowers& b = borrowers();
    {
      std::lock_guard lock(b.mutex);
      std::erase_if(b.all, [&](const Borrowers::One& o) { return o.places == &places_; });
    }
    b.fewer.notify_all();
  }

 private:
  const Addresses& places_;
};

thread_local bool changing_hands = false;

// Results that must outlive the call: a tensor object that was replaced gets a new object, and
// lists, tuples and dicts that hold one are copied. They may contain themselves.
class Results {
 public:
  Results(const Addresses& places, const std::vector<NamedTensor>& lent)
      : places_(places), lent_(lent) {}

  nb::object kept(const nb::object& result) {
    find_holders(result);
    return copied(result);
  }

 private:
  // Python's limit of recursion, which raises RecursionError.
  struct Descent {
    Descent() {
      if (Py_EnterRecursiveCall(" in a result of functional_call")) throw nb::python_error();
    }
    ~Descent() { Py_LeaveRecursiveCall(); }
  };

  static bool is_container(PyObject* o) {
    return PyDict_CheckExact(o) || PyList_CheckExact(o) || PyTuple_CheckExact(o) || is_named(o);
  }
  static bool is_named(PyObject* o) { return PyTuple_Check(o) && nb::hasattr(o, "_make"); }
  static nb::object items_of(PyObject* o) {
    return PyDict_CheckExact(o) ? nb::object(nb::borrow<nb::dict>(o).values()) : nb::borrow(o);
  }

  // Fills holders_ with the containers that lead to a replaced tensor.
  void find_holders(const nb::object& result) {
    std::unordered_map<PyObject*, std::vector<PyObject*>> within;  // by item
    std::vector<nb::object> next{result};
    std::vector<PyObject*> reached;
    for (; !next.empty();) {
      const nb::object o = std::move(next.back());
      next.pop_back();
      if (const Tensor* t = as_tensor(o.ptr()); t && is_lent(*t)) reached.push_back(o.ptr());
      if (!is_container(o.ptr())) continue;
      for (nb::handle item : items_of(o.ptr())) {
        auto [holders, first] = within.try_emplace(item.ptr());
        holders->second.push_back(o.ptr());
        if (first) next.push_back(nb::borrow(item));
      }
    }
    for (; !reached.empty();) {
      PyObject* o = reached.back();
      reached.pop_back();
      for (PyObject* holder : within[o]) {
        if (holders_.insert(holder).second) reached.push_back(holder);
      }
    }
  }

  nb::object copied(const nb::object& o) {
    if (const Tensor* t = as_tensor(o.ptr())) return is_lent(*t) ? tensor_object(*t) : o;
    if (!holders_.contains(o.ptr())) return o;
    if (const auto before = copies_.find(o.ptr()); before != copies_.end()) return before->second;
    const Descent one_deeper;
    return PyDict_CheckExact(o.ptr()) ? copied_dict(nb::borrow<nb::dict>(o)) : copied_items(o);
  }
  // A copy is known before it is filled, since its items may contain it.
  nb::object copied_dict(const nb::dict& items) {
    nb::dict all;
    copies_[items.ptr()] = all;
    for (const auto& [key, value] : items) all[key] = copied(nb::borrow(value));
    return all;
  }
  nb::object copied_items(const nb::object& o) {
    nb::list items;
    const bool list = PyList_Check(o.ptr());
    if (list) copies_[o.ptr()] = items;
    for (nb::handle item : o) items.append(copied(nb::borrow(item)));
    if (list) return items;
    return copies_[o.ptr()] = is_named(o.ptr()) ? o.type().attr("_make")(items) : nb::tuple(items);
  }
  bool is_lent(const Tensor& t) const {
    return std::binary_search(places_.begin(), places_.end(), &t) &&
           std::any_of(lent_.begin(), lent_.end(),
                       [&](const NamedTensor& l) { return l.tensor.impl() == t.impl(); });
  }

  const Addresses& places_;
  const std::vector<NamedTensor>& lent_;
  std::unordered_set<PyObject*> holders_;
  std::unordered_map<PyObject*, nb::object> copies_;
};

}  // namespace

bool tensors_change_hands() { return changing_hands; }

nb::object Lending::around(FunctionRef<nb::object()> call) const {
  nn::Module& module = module_of(*module_);
  const Addresses places = places_in(module);
  Turn turn(places);
  CheckpointSurroundingsScope scope{Ref<const CheckpointSurroundings>(this)};
  nb::object result;
  auto lock = patient_lock<std::unique_lock>(tensors_in_use());
  ScopedValue change(changing_hands, true);
  nn::with_tensors(module, tensors_, [&] {
    ScopedValue none(changing_hands, false);
    lock.unlock();
    std::exception_ptr raised;
    try {
      result = Results(places, tensors_).kept(call());
    } catch (...) {
      raised = std::current_exception();
    }
    lock = patient_lock<std::unique_lock>(tensors_in_use());
    if (raised) std::rethrow_exception(raised);
  });
  return result;
}

void Lending::within(FunctionRef<void()> call) const {
  nb::gil_scoped_acquire held;
  (void)around([&]() -> nb::object {
    unlocked(call);
    return nb::none();
  });
}

}  // namespace gyre::python
