#include "python/nn/lending.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <thread>

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

// Copies results that must outlive the call: a tensor object that was replaced gets a new object.
// lent, is another object.
class Results {
 public:
  Results(const Addresses& places, const std::vector<NamedTensor>& lent)
      : places_(places), lent_(lent) {}

  nb::object kept(const nb::object& o) const {
    if (const Tensor* t = as_tensor(o.ptr())) return is_lent(*t) ? tensor_object(*t) : o;
    if (PyDict_CheckExact(o.ptr())) return kept_dict(nb::borrow<nb::dict>(o));
    bool named = PyTuple_Check(o.ptr()) && nb::hasattr(o, "_make");
    if (!named && !PyList_CheckExact(o.ptr()) && !PyTuple_CheckExact(o.ptr())) return o;
    bool same = true;
    nb::list items;
    for (nb::handle item : o) {
      items.append(kept(nb::borrow(item)));
      same &= items[items.size() - 1].ptr() == item.ptr();
    }
    if (same) return o;
    if (named) return o.type().attr("_make")(items);
    return PyList_Check(o.ptr()) ? nb::object(items) : nb::tuple(items);
  }

 private:
  bool is_lent(const Tensor& t) const {
    return std::binary_search(places_.begin(), places_.end(), &t) &&
           std::any_of(lent_.begin(), lent_.end(),
                       [&](const NamedTensor& l) { return l.tensor.impl() == t.impl(); });
  }
  nb::object kept_dict(const nb::dict& items) const {
    bool same = true;
    nb::dict all;
    for (const auto& [key, value] : items) {
      nb::object now = kept(nb::borrow(value));
      same &= now.ptr() == value.ptr();
      all[key] = now;
    }
    return same ? items : all;
  }

  const Addresses& places_;
  const std::vector<NamedTensor>& lent_;
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
