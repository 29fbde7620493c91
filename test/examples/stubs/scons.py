"""Runs a script of PlatformIO with as much of its environment as its documentation gives to scripts, and tells what was asked of it.

Usage: scons.py SCRIPT PROJECT_DIR BUILD_DIR OPTION=VALUE...
What the script does with the environment is printed as JSON, after what it prints itself.
"""

import json
import sys

script, project, build, *options = sys.argv[1:]
asked = {"append": {}, "sources": []}


class Environment:
    """No other name is there: a script that asks for one ends with an AttributeError."""

    _values = {"$PROJECT_DIR": project, "$BUILD_DIR": build}
    _options = dict(option.split("=", 1) for option in options)

    def subst(self, text):
        for name, value in self._values.items():
            text = text.replace(name, value)
        return text

    def GetProjectOption(self, name, default=None):
        return self._options.get(name, default)

    def Append(self, **lists):
        for name, values in lists.items():
            asked["append"].setdefault(name, []).extend(values)

    def BuildSources(self, variant_dir, src_dir, src_filter=None):
        asked["sources"].append([self.subst(variant_dir), self.subst(src_dir), src_filter])


names = {"__name__": "__main__", "__file__": script}
names["Import"] = lambda name: names.update({name: Environment()})
with open(script, encoding="utf-8") as source:
    exec(compile(source.read(), script, "exec"), names)
print(json.dumps(asked))
