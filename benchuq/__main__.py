"""What `python -m benchuq` runs: the same as the command `benchuq`."""

import sys

from benchuq.reporting.command import main

if __name__ == "__main__":
    sys.exit(main())
