"""What users give to functions of this package, and how they are told that it is of another kind than it should be."""
import functools
import inspect
import re

_WORDS = {"float": "a number", "int": "a whole number", "str": "a text", "bool": "True or False",
          "List[str]": "a list of texts", "List[float]": "a list of numbers", "Optional[float]": "a number or None",
          "Optional[bool]": "True, False or None", "mubody._core.Snapshot": "what save() gave"}


def texts(value, what):
    """A list of names.  A single text is one too for Python, letter by letter, and never what was meant."""
    if isinstance(value, str):
        raise TypeError(f"{what}: expected a list of names, got the text {value!r}; write [{value!r}]")
    return [str(item) for item in several(value, what, "names")]


def several(value, what, of="values"):
    """A list of values."""
    if isinstance(value, (str, dict)):
        raise TypeError(f"{what}: expected a list of {of}, got {value!r}; write [{value!r}]")
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{what}: expected a list of {of}, got {_short(value)}") from None


def told(error, name, given):
    """A TypeError in words of this package, if it is in those of the layer below."""
    message = str(error)
    if "incompatible function arguments" not in message and "incompatible constructor arguments" not in message:
        return error
    signature = re.search(r"1\. .*?\((.*)\)", message)
    types = re.findall(r"\w+: ([\w.]+(?:\[[\w. ,\[\]]*?\])?)(?=,|$| =)", signature[1]) if signature else []
    wanted = [_WORDS[kind] for kind in types if kind in _WORDS]
    expected = f"expected {', '.join(dict.fromkeys(wanted))}" if wanted else "a value of another type was expected"
    return TypeError(f"{name}: {expected}, got {', '.join(given) or 'nothing'}")


def _short(value):
    text = repr(value)
    return text if len(text) < 60 else f"{text[:50]}... ({type(value).__name__})"


def in_words(function, name=None, skip=0):
    """The function with its TypeErrors in words that users know."""
    @functools.wraps(function)
    def wrapped(*args, **keys):
        try:
            return function(*args, **keys)
        except TypeError as error:
            given = [_short(x) for x in args[skip:]] + [f"{key}={_short(x)}" for key, x in keys.items()]
            other = told(error, (name or function.__name__) + "()", given)
            if other is error:
                raise
            raise other from None
    return wrapped


def all_in_words(cls):
    """A class whose public methods are so."""
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and (not name.startswith("_") or name == "__init__"):
            shown = cls.__name__ if name == "__init__" else f"{cls.__name__}.{name}"
            setattr(cls, name, in_words(member, shown, 1))
    return cls


def _refuse(self, *args, **keys):
    raise TypeError("this is a copy of what the model says; set it in the model, as in m[\"bodies.rod.mass\"] = 2")


class Table(dict):
    """A table of a model as it is now; it cannot be changed, since the model would not know."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse

    def __reduce__(self):
        return (dict, (dict(self),))


class Items(list):
    """An array of a model, likewise."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = extend = insert = pop = remove = clear = sort = reverse = \
        _refuse

    def __reduce__(self):
        return (list, (list(self),))


def fixed(value):
    """The value with all tables and arrays in it as such copies."""
    if isinstance(value, dict):
        return Table((key, fixed(item)) for key, item in value.items())
    if isinstance(value, list):
        return Items(fixed(item) for item in value)
    return value
