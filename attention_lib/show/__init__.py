"""Tables and pictures of attention, all in one look.

pandas and matplotlib load when something is shown, not before. A picture reaches its reader as
HTML with an alt text, as a PNG for viewers without HTML, and as its description in plain text.
Unless a description is given, it is made from the numbers.
"""

from attention_lib.show.bar_charts import bars
from attention_lib.show.explorer_page import explorer
from attention_lib.show.head_maps import heads
from attention_lib.show.heatmaps import heatmap
from attention_lib.show.line_charts import lines
from attention_lib.show.tables import rounded, table

__all__ = ["table", "rounded", "heatmap", "lines", "bars", "heads", "explorer"]  # noqa: RUF022 (the order on the site)
