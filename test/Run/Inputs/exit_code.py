"""Usage: exit_code.py CODE COMMAND...

Runs the command; fails when its exit code is another one.
"""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], check=False).returncode
if code != int(sys.argv[1]):
    sys.exit(f"exit code {code}, not {sys.argv[1]}")
