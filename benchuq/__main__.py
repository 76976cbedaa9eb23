"""What `python -m benchuq` runs: the same as the command `benchuq`."""

import sys

from benchuq.reporting.run import main

if __name__ == "__main__":
    sys.exit(main())
