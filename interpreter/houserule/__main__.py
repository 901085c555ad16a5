"""`python -m houserule` is the command `houserule`."""

import os
import sys

AROUND = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120  nothing is imported before the path is safe
if __name__ == "__main__" and not sys.flags.safe_path and sys.path[0] != AROUND:
    # Python would look for every module in the current folder first, which may be a stranger's.
    del sys.path[0]

from houserule.cli import main  # noqa: E402  the current folder has left the path only now

if __name__ == "__main__":
    main()
