"""IPython runs this in each new kernel of the site: it explains a NameError after a reload, and tells the page what
Python does."""

from IPython import get_ipython
from js import tell_page


def explain(shell, kind, error, traceback, tb_offset=None):
    error.add_note(
        "Python starts anew when the page is loaded, and after Restart.\n"
        f"If a cell above makes {error.name!r}:\n"
        "tap Run above in the toolbar."
    )
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


shell = get_ipython()
shell.set_custom_exc((NameError,), explain)
shell.events.register("pre_run_cell", lambda info, tell=tell_page: tell("busy"))
shell.events.register("post_run_cell", lambda result, tell=tell_page: tell("idle"))
tell_page("ready")
del explain, get_ipython, shell, tell_page
