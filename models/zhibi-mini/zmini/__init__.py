# SPDX-License-Identifier: Apache-2.0
"""The recipe of zhibi-mini: case generator, clause grammar, tokenizer, training, export and evaluation."""
