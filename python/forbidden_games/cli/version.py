"""What `--version` prints: package, build, and the versions of each game's rules and layout."""

from __future__ import annotations

import forbidden_games as fg
from forbidden_games import _build, _rust


def lines() -> list[str]:
    """The package; the cargo profile, the oldest processor and the build id; then a line for each game."""
    made = f"build id {_build.BUILD_ID}" if _build.BUILD_ID else "from source"
    build = f"build: {_rust.build_profile}, {_rust.build_cpu_level}, {made}"
    infos = [fg.game_info(name) for name in fg.games()]
    games = [f"{info.name}: rules {info.rules_version}, layout {info.layout_version}" for info in infos]
    return [f"forbidden-games {fg.__version__}", build, *games]
