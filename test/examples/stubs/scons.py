"""Builds with a script of PlatformIO as PlatformIO does, with no more of its environment than scripts are documented to have.

Usage: scons.py SCRIPT PROJECT_DIR BUILD_DIR [clean] [native] [ld=LINKER_SCRIPT] OPTION=VALUE...

The script runs before the platform has set anything. With a linker script, the sources it named and src/main.c of the
project are then compiled and linked for a Cortex-M7, and the actions behind the link run. What the script asked for is
printed as JSON at the end.
"""

import fnmatch
import json
import os
import subprocess
import sys

script, project, build, *rest = sys.argv[1:]
flags = [word for word in rest if "=" not in word]
options = dict(word.split("=", 1) for word in rest if "=" in word)
linker_script = options.pop("ld", None)
asked = {"append": {}, "sources": []}
post_actions = []


class Node:
    """What SCons gives to an action: relative as text."""

    def __init__(self, path):
        self._path = path

    def __str__(self):
        return os.path.relpath(self._path)

    def get_abspath(self):
        return self._path


class Platform:
    def is_embedded(self):
        return "native" not in flags


class Environment:
    """No other name is there: a script that asks for one ends with an AttributeError."""

    _values = {"$PROJECT_DIR": project, "$BUILD_DIR": build}

    def subst(self, text):
        for name, value in self._values.items():
            text = text.replace(name, value)
        return text

    def GetProjectOption(self, name, default=None):
        return options.get(name, default)

    def IsCleanTarget(self):
        return "clean" in flags

    def PioPlatform(self):
        return Platform()

    def Append(self, **lists):
        for name, values in lists.items():
            asked["append"].setdefault(name, []).extend(values)

    def BuildSources(self, variant_dir, src_dir, src_filter=None):
        """Looks for the sources when it is called: they must be there by then."""
        folder = self.subst(src_dir)
        assert src_filter.startswith("+<") and src_filter.endswith(">"), src_filter
        found = sorted(name for name in os.listdir(folder) if fnmatch.fnmatch(name, src_filter[2:-1]))
        asked["sources"].append([self.subst(variant_dir), folder, found])

    def VerboseAction(self, action, text):
        return action, text

    def AddPostAction(self, files, action):
        """The name of the program is not known yet: a platform changes it."""
        assert files == "$PROGPATH", files
        post_actions.append(action)


def link(env):
    firmware = os.path.join(build, "firmware.elf")
    sources = [os.path.join(folder, name) for _, folder, names in asked["sources"] for name in names]
    search = [*("-I" + path for path in asked["append"]["CPPPATH"]), *("-L" + path for path in asked["append"]["LIBPATH"])]
    compiler = ["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-Os", "-ffunction-sections", "-fdata-sections"]
    linker = ["-nostartfiles", "--specs=nosys.specs", "-Wl,--gc-sections", "-T", linker_script, "-lm", "-o", firmware]
    subprocess.run([*compiler, *search, "src/main.c", *sources, *linker], cwd=project, check=True)
    for action, text in post_actions:
        print(text.replace("$PROGPATH", firmware), flush=True)
        status = action(target=[Node(firmware)], source=[], env=env)
        if status:
            sys.exit(status)


environment = Environment()
names = {}
names["Import"] = lambda name: names.update({name: environment})
with open(script, encoding="utf-8") as source:
    exec(compile(source.read(), script, "exec"), names)
if linker_script is not None:
    link(environment)
print(json.dumps({**asked, "actions": len(post_actions)}))
