"""What can go wrong: mistakes in a model, and runs that do not reach their end."""


class ModelError(ValueError):
    """A model that cannot be what was meant.

    The message says what is wrong and what was expected.  `file`, `line` and `column` say where: in the model file, or
    in the program that built the model; `element` and `key` name the part of the model.  What is not known is None.
    `others` are further mistakes of the same model.
    """

    def __init__(self, message, file=None, line=None, column=None, element=None, key=None, others=()):
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.element = element
        self.key = key
        self.others = list(others)

    def __str__(self):
        message = self.args[0]
        more = "".join(f"\n{other}" for other in self.others)
        return message + more

    def __reduce__(self):
        return (type(self), (self.args[0], self.file, self.line, self.column, self.element, self.key, self.others))


class Failed(RuntimeError):
    """A run that did not reach its end.

    `results` holds what was computed before, `outcome` is a word such as "singular", `at` the time of the last good
    state [s], and `why` says what failed.
    """

    def __init__(self, why, results=None, outcome="failed", at=0.0):
        super().__init__(why)
        self.why = why
        self.results = results
        self.outcome = outcome
        self.at = at

    def __reduce__(self):
        return (type(self), (self.why, self.results, self.outcome, self.at))


class Interrupted(KeyboardInterrupt):
    """The user stopped a run; `results` holds what was computed before."""

    def __init__(self, why="", results=None):
        super().__init__(why)
        self.results = results


class Remark(UserWarning):
    """Something about a model or a run that its user should know."""


class Doubtful(Remark):
    """Results that do not meet the accuracy that was asked for; their verdict says why."""
