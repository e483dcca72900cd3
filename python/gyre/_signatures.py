"""inspect.signature() of functions and methods that C++ defines, from the signatures that nanobind keeps of them."""

import inspect
import re


def of_function(function):
    """The signature of a function, or of a method with its `self`; `__signature__` of these types. AttributeError for
    functions of other packages, which share the types."""
    if function.__module__.split(".")[0] != "gyre":
        raise AttributeError("__signature__")
    text, _, defaults = function.__nb_signature__[0]
    names = {f"_{number}": value for number, value in enumerate(defaults or ())}
    text = re.sub(r"\\(\d+)", r"_\1", text).replace("gyre._gyre.", "")
    exec(f"from __future__ import annotations\n{text}: ...", names)
    return inspect.signature(names[function.__name__])


def of_method(method):
    """The signature of a method of an object."""
    signature = of_function(method.__func__)
    return signature.replace(parameters=list(signature.parameters.values())[1:])
