#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_samples.py PROGRAM: sets the documents of docs/samples again and draws the pages that their README describes.

Needs pdftoppm (poppler-utils). Pictures have eight greys, so that they stay small. Look at them before committing them;
the positions of their lines are in tests/export/pdf/golden.
"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "samples"
PAGES = {"judgment": (1, 5), "complaint": (2, 3), "element-form": (1, 2)}
DPI = 144


def png_of_pgm(pgm):
    """A PNG of 4 bits a pixel, of eight greys, from a binary PGM."""
    magic, width, height = pgm.split(maxsplit=3)[:3]
    assert magic == b"P5"
    width, height = int(width), int(height)
    pixels = pgm[-width * height:]
    grey = bytes(min(round(value / 255 * 7) * 15 // 7, 15) for value in range(256))
    rows = bytearray()
    for y in range(height):
        row = pixels[y * width:(y + 1) * width].translate(grey) + b"\0" * (width % 2)
        rows.append(0)
        rows += bytes(a << 4 | b for a, b in zip(row[::2], row[1::2]))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        for name, pages in PAGES.items():
            pdf = Path(scratch) / f"{name}.pdf"
            subprocess.run([sys.argv[1], "export", FOLDER / f"{name}.json", "--out", pdf], check=True)
            for page in pages:
                pgm = subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-f", str(page), "-l", str(page), pdf],
                                     check=True, capture_output=True).stdout
                (FOLDER / f"{name}-{page}.png").write_bytes(png_of_pgm(pgm))


if __name__ == "__main__":
    main()
