"""The class behind `show.rounded`. It stands apart because importing it imports pandas."""

import pandas as pd

from attention_lib.show.number_formats import fixed


class RoundedFrame(pd.DataFrame):
    """A DataFrame that prints its fractions with `_decimals` decimals."""

    _metadata = ["_decimals"]  # noqa: RUF012 (pandas asks for a list)
    _decimals = 2

    @property
    def _constructor(self):
        return RoundedFrame

    def __repr__(self):
        with self._print_options():
            return pd.DataFrame.__repr__(self._with_text_labels())

    def _repr_html_(self):
        """pandas' HTML, made accessible: one row of headers, each with its scope, none of them empty."""
        frame = self._with_text_labels()
        if self.index.nlevels == self.columns.nlevels == 1:
            corner = "\u00a0\\\u00a0".join(str(axis.name) for axis in self.axes if axis.name)
            frame = frame.rename_axis(index=None, columns=corner or None)
        with self._print_options():
            page = pd.DataFrame._repr_html_(frame)
        if page is None or "<tbody>" not in page:
            return page  # pandas' options ask for text, or for a summary of a large table
        head, body = page.replace("<th></th>", "<td></td>").split("<tbody>")
        head = head.replace("<th>", '<th scope="col">')
        return head + "<tbody>" + body.replace("<th>", '<th scope="row">')

    def _print_options(self):
        return pd.option_context(
            *("display.float_format", lambda number: fixed(number, self._decimals)),
            *("display.expand_frame_repr", False),
            *("display.max_columns", 20),
        )

    def _with_text_labels(self):
        """Labels that are fractions as text, so that 0.001 in an index is not rounded."""
        rows, columns = (axis.map(str) if axis.dtype.kind == "f" else axis for axis in self.axes)
        return self.set_axis(rows).set_axis(columns, axis="columns")
