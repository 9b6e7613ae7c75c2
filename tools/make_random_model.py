#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model folder with the shapes, scales and tokenizer of another one and random int8 weights: what the program writes
with it is noise, so it shows which parts of a draft do not depend on the model.

usage: make_random_model.py MODEL_FOLDER OUT_FOLDER [SEED]
"""
import json
import os
import random
import shutil
import struct
import sys


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.strip())
    source, target = sys.argv[1], sys.argv[2]
    generator = random.Random(int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    os.makedirs(target, exist_ok=True)
    for name in ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json"):
        if os.path.exists(os.path.join(source, name)):
            shutil.copyfile(os.path.join(source, name), os.path.join(target, name))
    with open(os.path.join(source, "model.safetensors"), "rb") as file:
        data = bytearray(file.read())
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    for name, tensor in header.items():
        if name == "__metadata__" or tensor["dtype"] != "I8":
            continue
        begin, end = (8 + length + offset for offset in tensor["data_offsets"])
        data[begin:end] = generator.randbytes(end - begin)
    with open(os.path.join(target, "model.safetensors"), "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
