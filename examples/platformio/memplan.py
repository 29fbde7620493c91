"""Plans the memory of a model before a PlatformIO build, and builds with the C of the plan.

Options of the environment in platformio.ini: custom_memplan_model and custom_memplan_target, and where they are wanted
custom_memplan_options and custom_memplan_command. memplan leaves files alone whose bytes are the same, so running it
before every build costs a fraction of a second and builds nothing anew.
"""

import os
import shlex
import subprocess
import sys

Import("env")  # noqa: F821 (SCons gives it to the script)

project = env.subst("$PROJECT_DIR")  # noqa: F821
out = os.path.join(env.subst("$BUILD_DIR"), "memplan")  # noqa: F821


def option(name, default=None):
    value = env.GetProjectOption("custom_memplan_" + name, default)  # noqa: F821
    if value is None:
        sys.exit("memplan.py: platformio.ini does not say custom_memplan_" + name)
    return value


command = shlex.split(option("command", "npx memplan")) + [
    option("model"),
    "--target",
    option("target"),
    "--out",
    out,
    "--quiet",
]
finished = subprocess.run(command + shlex.split(option("options", "")), cwd=project, check=False)
if finished.returncode != 0:
    sys.exit(finished.returncode)
env.Append(CPPPATH=[out])  # noqa: F821
env.BuildSources(os.path.join("$BUILD_DIR", "memplan-objects"), out, "+<*.c>")  # noqa: F821
