"""Makes the generated code before a build in a checkout. The sources of the package hold it already."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedCode(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        launcher = Path(self.root).parent.parent / "apps/local/run.mjs"
        if launcher.exists():
            subprocess.run(["node", str(launcher), "clients"], check=True)
