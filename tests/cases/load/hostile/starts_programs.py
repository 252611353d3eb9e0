"""Leaves programs running, with an empty environment too."""

import subprocess

for environment in (None, {}):
    subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True, env=environment)
