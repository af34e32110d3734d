"""Models as FMUs."""
import os
import tempfile

from . import _core
from ._arguments import all_in_words, texts


@all_in_words
class Fmus:
    """What models have for other programs."""

    def fmu(self, path, *, version="2.0", kind="cs", engine="full", inputs=(), outputs=(), name="", report=True, force=False, changes=None, **options):
        """Writes the model as an FMU for other programs, as `mubody fmu` does: `version` is "2.0" or "3.0", `kind` "cs" for
        co-simulation, "me" for model exchange or "both", `engine` "full" or "compiled".  `outputs` are channels besides the
        outputs of the model, `inputs` formulas of forces that may be set; with `report` the model is run, for a page of its
        motion in the FMU; a file that is no FMU of mubody is replaced with `force` alone; options are those of [analysis].
        Returns the token of the FMU."""
        settings = self._settings(None, options, None, changes)
        wishes = (str(version), str(kind), str(engine), str(name), texts(inputs, "inputs"), texts(outputs, "outputs"), bool(report))
        with tempfile.TemporaryDirectory() as folder:
            file = self._document.path
            if not self._document.text:
                file = os.path.join(folder, "model.toml")
                self.save(file)
            return _core.fmu(os.fspath(path), bool(force), file, settings, *wishes)
