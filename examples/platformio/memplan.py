"""Plans the memory of a model before a PlatformIO build, and builds with the C of the plan.

Options of the environment in platformio.ini: custom_memplan_model and custom_memplan_target, and where they are wanted
custom_memplan_emit (instead of ld: runner, pool, ...), custom_memplan_options and custom_memplan_command. memplan leaves
files alone whose bytes are the same, so running it before every build costs a fraction of a second and builds nothing
anew. When the firmware is linked, memplan checks it, unless custom_memplan_check = no.
"""

import os
import shlex
import shutil
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


def memplan():
    """The words that start it."""
    program, *words = shlex.split(option("command", "npx memplan"))
    found = shutil.which(program)
    if found is None:
        sys.exit("memplan.py: there is no program " + program)
    return [found, *words]


def plan():
    """Writes the C."""
    emit = ",".join(["h,c,json", *option("emit", "ld").replace(",", " ").split()])
    command = [*memplan(), option("model"), "--target", option("target"), *shlex.split(option("options", ""))]
    finished = subprocess.run([*command, "--emit", emit, "--out", out, "--quiet"], cwd=project, check=False)
    if finished.returncode != 0:
        sys.exit(finished.returncode)


def check(target, source, env):
    """Holds the linked firmware against the plan."""
    command = [*memplan(), "check-elf", target[0].get_abspath(), "--plan", os.path.join(out, "plan.json"), "--quiet"]
    return subprocess.run(command, cwd=project, check=False).returncode


if not env.IsCleanTarget():  # noqa: F821
    plan()
    env.Append(CPPPATH=[out])  # noqa: F821
    env.Append(LIBPATH=[out])  # noqa: F821 (where INCLUDE of a linker script looks)
    env.BuildSources(os.path.join("$BUILD_DIR", "memplan-objects"), out, "+<*.c>")  # noqa: F821
    if env.PioPlatform().is_embedded() and option("check", "yes") == "yes":  # noqa: F821
        env.AddPostAction("$PROGPATH", env.VerboseAction(check, "Checking the arenas of $PROGPATH"))  # noqa: F821
