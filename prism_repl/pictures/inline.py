"""Pictures within the text of a terminal: the protocols of kitty, of iTerm2, and sixel."""

from __future__ import annotations

import base64
import io
import itertools
import os

from prism_repl.pictures.files import imported

CHUNK = 4096  # bytes of one piece of kitty's protocol


def protocol(flag: str) -> str | None:
    """How this terminal shows pictures; None if it does not, or the flag says no."""
    if flag == "off":
        return None
    if flag != "auto":
        return flag
    term, program = os.environ.get("TERM", ""), os.environ.get("TERM_PROGRAM", "")
    if os.environ.get("KITTY_WINDOW_ID") or "kitty" in term or program == "ghostty":
        return "kitty"
    if program in ("iTerm.app", "WezTerm", "mintty"):
        return "iterm2"
    if "sixel" in term or term.startswith(("foot", "mlterm")):
        return "sixel"
    return None


def sequence(name: str, png: bytes) -> str:
    """What to write to the terminal."""
    return {"kitty": kitty, "iterm2": iterm2, "sixel": sixel}[name](png)


def kitty(png: bytes) -> str:
    data = base64.b64encode(png).decode()
    pieces = [data[i : i + CHUNK] for i in range(0, len(data), CHUNK)]
    parts = []
    for i, piece in enumerate(pieces):
        head = "f=100,a=T," if i == 0 else ""
        parts.append(f"\x1b_G{head}m={int(i < len(pieces) - 1)};{piece}\x1b\\")
    return "".join(parts)


def iterm2(png: bytes) -> str:
    data = base64.b64encode(png).decode()
    return f"\x1b]1337;File=inline=1;size={len(png)}:{data}\x07"


def sixel(png: bytes) -> str:
    """Six rows of pixels at a time, one pass for each colour in them."""
    image = imported("PIL.Image").open(io.BytesIO(png)).convert("RGB").quantize(64)
    width, height = image.size
    palette = image.getpalette()
    pixels = image.tobytes()
    colors = sorted(set(pixels))
    parts = [f'\x1bPq"1;1;{width};{height}']
    for color in colors:
        red, green, blue = (round(palette[3 * color + i] * 100 / 255) for i in range(3))
        parts.append(f"#{color};2;{red};{green};{blue}")
    for top in range(0, height, 6):
        rows = [pixels[y * width : (y + 1) * width] for y in range(top, min(top + 6, height))]
        for color in sorted(set(b"".join(rows))):
            bits = [sum(1 << k for k, row in enumerate(rows) if row[x] == color) for x in range(width)]
            parts.append(f"#{color}{runs(bits)}$")
        parts.append("-")
    return "".join(parts) + "\x1b\\"


def runs(bits: list[int]) -> str:
    """Sixels; many equal ones as a count and one of them, empty ones at the end left out."""
    parts = []
    for bit, group in itertools.groupby(bits):
        count, text = len(list(group)), chr(63 + bit)
        parts.append(text * count if count < 4 else f"!{count}{text}")
    if parts and not bits[-1]:
        parts.pop()
    return "".join(parts)
