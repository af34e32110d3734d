"""Questions about models and results that are no runs: methods compared, graphs, agreement, stability."""
import json
import os
import tempfile

from . import _core
from ._arguments import all_in_words, in_words, several, texts
from .elements import CATEGORIES, plain
from .errors import Interrupted
from .fmus import Fmus
from .pictures import Answer, Page, Picture
from .realtime import RealTime

# Variants of treatments that comparisons include besides all of them.
_VARIANTS = ({"type": "baumgarte", "gains": "taylor"}, {"type": "baumgarte", "gains": "auto"},
             {"type": "partitioning", "by": "qr"}, {"type": "partitioning", "by": "svd"})


def ways_of(setting, treatments, integrators, steps, tolerances):
    """The methods of a comparison, each as settings."""
    if treatments is None:
        kinds = [cls.kind for cls in CATEGORIES["treatments"].values()]
        treatments = sorted(kinds, key=lambda kind: kind != "standard") + list(_VARIANTS)
    sizes = [[setting("analysis.step", step)] for step in steps] + [[setting("analysis.rtol", x)] for x in tolerances]
    names = [[setting("analysis.integrator", plain(name))] for name in integrators]
    return [[setting("analysis.treatment", plain(treatment)), *name, *size]
            for size in sizes or [[]] for name in names or [[]] for treatment in treatments]


def linear_inputs(model, names):
    """Inputs of the analysis "modes", which may be named as those of simulations: "motor.moment" is the force "motor",
    and "wind.force.x" the component "wind.x"."""
    found = []
    for name in names:
        owner, *rest = name.split(".")
        stated = rest and any((section, owner, rest[0]) in model for section in ("forces", "drivers"))
        found.append(".".join([owner, *rest[1:]]) if stated else name)
    return found


@all_in_words
class Surveys(Fmus):
    """The methods of Model that are no analyses."""

    def compare(self, treatments=None, integrators=(), steps=(), tolerances=(), *, repeat=1, changes=None, **options):
        """Runs the model under many methods and compares violation, energy, error and cost.  All treatments are taken
        if none is named; integrators, steps and tolerances are those of the model if none is given."""
        from .model import setting
        settings = self._settings(None, options, None, changes)
        if treatments is not None:
            treatments = several(treatments, "treatments")
        ways = ways_of(setting, treatments, several(integrators, "integrators"), several(steps, "steps"),
                       several(tolerances, "tolerances"))
        text, page, exception = _core.compare(self._document, settings, ways, int(repeat))
        answer = Answer(json.loads(text), page=Page(page))
        if isinstance(exception, KeyboardInterrupt):
            raise Interrupted("stopped by the user", answer) from exception
        if exception is not None:
            raise exception
        return answer

    def topology(self, chords=(), *, changes=None):
        """The mechanism as a graph: tree, chords and loops, with a picture."""
        text, facts, svg = _core.topology(self._document, self._settings(None, {}, None, changes), texts(chords, "chords"))
        return Answer(json.loads(facts), text, Picture(svg))

    def independent(self, *, body=False, length=1.0, chords=(), along=False, coefficients=False, set=(), changes=None,
                    **options):
        """Independent variables at the start or along the motion, by LU, QR and SVD, with their coefficients on
        request."""
        asked = {"body": bool(body), "length": float(length), "chords": texts(chords, "chords"), "along": bool(along),
                 "coefficients": bool(coefficients), "set": texts(set, "set")}
        text, facts = _core.independent(self._document, self._settings(None, options, None, changes), asked)
        return Answer(json.loads(facts), text)

    def precompute(self, *, design=(), changes=None, **options):
        """Tables of the mechanism as a RealTime object.  Options are those of [precompute], such as bound, order,
        independent, memory and range; `design` names parameters whose changes the tables foresee."""
        from .model import setting
        settings = self._settings(None, {}, None, changes)
        settings += [setting(f"precompute.{key}", value) for key, value in options.items()]
        tables, exception = _core.precompute(self._document, settings, texts(design, "design"))
        if exception is not None:
            raise Interrupted("stopped by the user") from exception
        return RealTime(tables)

    def emit_c(self, folder=None, *, name="", single=False, step=1e-3, **options):
        """The precomputed model as C99; see RealTime.emit_c()."""
        return self.precompute(**options).emit_c(folder, name=name, single=single, step=step)

    def picture(self, **options):
        """The mechanism at its start; see Results.picture()."""
        return self.run("assembly").picture(**options)

    def _repr_svg_(self):
        return str(self.picture())


@in_words
def agree(a, b, channels=(), *, untrusted=False):
    """How well two results agree, channel by channel: largest and mean differences, limits of agreement after Bland and
    Altman, intraclass correlations.  Both are Results, folders of results or CSV files, which are `untrusted` if they come
    from a stranger.  Returns a list of dictionaries."""
    channels = texts(channels, "channels")
    with tempfile.TemporaryDirectory() as folder:
        return _core.agree(*(_file_of(x, os.path.join(folder, name)) for x, name in ((a, "a"), (b, "b"))),
                           channels, bool(untrusted))


def _file_of(results, folder):
    if isinstance(results, (str, os.PathLike)):
        return os.fspath(results)
    results.save(folder)
    return folder


@in_words
def stability(integrator, alpha, beta, step, *, order=0):
    """How an integrator treats an error that Baumgarte's method damps, e'' + 2 alpha e' + beta² e = 0: the factors per
    step, the time constant [s], the largest step that is stable [s], and the extent of the region of stability in
    alpha h and beta² h²."""
    return _core.stability(str(plain(integrator)), float(alpha), float(beta), float(step), int(order))
