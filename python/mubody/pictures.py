"""Pictures that notebooks show."""


class Picture(str):
    """A drawing as SVG: shown in a notebook, written with save()."""

    __slots__ = ()

    def _repr_svg_(self):
        return str(self)

    def save(self, path):
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)

    def __repr__(self):
        return f"<mubody.Picture of {len(self)} bytes>"


class Page(str):
    """A page of HTML: shown in a notebook, written with save()."""

    __slots__ = ()

    def _repr_html_(self):
        import html
        return f'<iframe srcdoc="{html.escape(self, quote=True)}" style="width: 100%; height: 640px; border: 0"></iframe>'

    def save(self, path):
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)

    def __repr__(self):
        return f"<mubody.Page of {len(self)} bytes>"


class Answer(dict):
    """What was found out about a model, as a dictionary; `text` says it in words, and print() shows that."""

    def __init__(self, values, text="", picture=None, page=None):
        super().__init__(values)
        self.text, self.picture, self.page = text, picture, page

    def __str__(self):
        return self.text or super().__repr__()

    def _repr_svg_(self):
        return self.picture

    def _repr_html_(self):
        return self.page._repr_html_() if self.page is not None else None
