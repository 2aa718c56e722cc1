"""python -m prism_repl"""

import sys

from prism_repl.cli import main

sys.exit(main())
