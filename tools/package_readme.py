"""The README as a package index shows it: there is no checkout beside it, so nothing is relative.

Hatchling calls `PackageReadme` when it builds. Where `[project.urls]` has a `Source`, pictures and
links lead there, at the tag of the version. Without one there is no address to lead to: a picture
becomes its description, and a link the name of the file, which the source archive holds.
"""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

IMAGE = re.compile(r"!\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!\w+:|#)([^)]+)\)")


def standing_alone(text, source, version):
    """The README without relative pictures and links.

    Parameters
    ----------
    text : str
        The README.
    source, version : str or None, str
        The address of the source, if there is one, and the version whose tag is meant.
    """
    if source:
        at = f"{source.rstrip('/')}/{{}}/v{version}"
        text = IMAGE.sub(lambda m: f"![{m[1]}]({at.format('raw')}/{m[2]})", text)
        return LINK.sub(lambda m: f"[{m[1]}]({at.format('blob')}/{m[2]})", text)
    text = IMAGE.sub(lambda m: f"*Picture: {m[1]}*", text)
    return LINK.sub(lambda m: f"{m[1]} (`{m[2].partition('#')[0]}`)", text)


class PackageReadme(MetadataHookInterface):
    """Gives the package its long description."""

    def update(self, metadata):
        """Fill in the readme, which pyproject.toml declares as dynamic."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source")
        alone = standing_alone(text, source, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": alone}
