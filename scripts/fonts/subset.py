"""Makes the fonts of src/web/assets/fonts from @fontsource-variable/inter: the letters, the weights and the features
that pages use. Run it after an update of that package, from the root of the project, in an environment with
`pip install fonttools==4.68.0 brotli==1.2.1`: python scripts/fonts/subset.py
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SOURCE = Path("node_modules/@fontsource-variable/inter/files")
TARGET = Path("src/web/assets/fonts")
# The lightest and the heaviest text of any style sheet.
WEIGHTS = (400, 700)
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk", "tnum"]
# Latin Extended-A, the Romanian letters with a comma, the capital ß: what names in Europe are written with. The
# package has some of them (Œ) in the first font, so `unicode-range` in theme.css leaves them out.
EUROPEAN = [*range(0x100, 0x180), *range(0x218, 0x21C), 0x1E9E]


def subset(name: str, letters: list[int] | None) -> None:
    font = TTFont(SOURCE / f"inter-{name}-wght-normal.woff2")
    options = Options(layout_features=FEATURES, hinting=False, recalc_bounds=False)
    chosen = Subsetter(options)
    chosen.populate(unicodes=letters or font.getBestCmap())
    chosen.subset(font)
    instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
    font.flavor = "woff2"
    font.save(TARGET / f"inter-{name}.woff2")


subset("latin", None)
subset("latin-ext", EUROPEAN)
