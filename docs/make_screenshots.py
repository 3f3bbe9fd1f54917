"""Make ``docs/images/<page>.png`` of every page: ``python docs/make_screenshots.py``.

Light theme, 1280 px wide, the whole page, with a palette so that each stays under 150 KB.
"""

import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from dashboard import NAMES, Visit, context_of, launched, path_of, serving  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

MOST_BYTES = 150_000


def optimised(picture):
    """The screenshot as a palette PNG with as many colours as fit."""
    page = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        out = io.BytesIO()
        # Without dithering, whose dots would make letters rough and files large.
        few = page.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
        if len(out.getvalue()) < MOST_BYTES:
            return out.getvalue()
    raise SystemExit(f"A screenshot stays above {MOST_BYTES:,} bytes with 32 colours.")


def main():
    images = ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "server.log") as url,
        sync_playwright() as playwright,
    ):
        visit = Visit(context_of(launched(playwright), "desk", "light"), url)
        for name in NAMES:
            picture, _ = visit.open(path_of(name)).whole_page()
            content = optimised(picture)
            (images / f"{name}.png").write_bytes(content)
            print(f"docs/images/{name}.png: {len(content):,} bytes")


if __name__ == "__main__":
    main()
