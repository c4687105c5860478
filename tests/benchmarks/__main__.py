"""`python -m tests.benchmarks`: the kept figures."""

import sys

from tests.benchmarks.kept import main

sys.exit(main())
