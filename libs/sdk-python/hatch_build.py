"""Makes the generated code before a build in a checkout. The sources of the package hold it already."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedCode(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        here = Path(self.root)
        checkout = here.parent.parent
        launcher = checkout / "apps/local/run.mjs"
        if not launcher.exists():
            return
        subprocess.run(["node", str(launcher), "clients"], check=True)
        shutil.copyfile(checkout / "LICENSE", here / "LICENSE")
