# SPDX-License-Identifier: Apache-2.0
"""The shipped files: layout of the int8 file, config, tokenizer against an independent encoder, reference outputs."""
import json
import os
import struct
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
sys.path.insert(0, HERE)
import bpe_reference  # noqa: E402


def load(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as source:
        return json.load(source)


class Weights(unittest.TestCase):
    def setUp(self):
        self.path, self.config = os.path.join(ROOT, "model.safetensors"), load("config.json")
        with open(self.path, "rb") as source:
            size = struct.unpack("<Q", source.read(8))[0]
            self.header = json.loads(source.read(size))
        self.header.pop("__metadata__", None)
        self.data_bytes = os.path.getsize(self.path) - 8 - size

    def test_size(self):
        self.assertLessEqual(os.path.getsize(self.path), 24_000_000)

    def test_layout(self):
        c, found = self.config, {n: (t["dtype"], tuple(t["shape"])) for n, t in self.header.items()}
        width, inner, head = c["hidden_size"], c["intermediate_size"], c["head_dim"]
        shapes = {"self_attn.q_proj": (c["num_attention_heads"] * head, width), "self_attn.k_proj": (c["num_key_value_heads"] * head, width),
                  "self_attn.v_proj": (c["num_key_value_heads"] * head, width), "self_attn.o_proj": (width, c["num_attention_heads"] * head),
                  "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width), "mlp.down_proj": (width, inner)}
        wanted = {"model.norm.weight": ("F32", (width,))}
        matrices = {"model.embed_tokens": (c["vocab_size"], width)}
        for layer in range(c["num_hidden_layers"]):
            matrices.update({f"model.layers.{layer}.{n}": s for n, s in shapes.items()})
            for norm in ("input_layernorm", "post_attention_layernorm"):
                wanted[f"model.layers.{layer}.{norm}.weight"] = ("F32", (width,))
        for name, shape in matrices.items():
            wanted[name + ".weight"] = ("I8", shape)
            wanted[name + ".weight_scale"] = ("F32", (shape[0], 1))
        self.assertEqual(found, wanted)

    def test_offsets_are_dense(self):
        spans = sorted(tuple(t["data_offsets"]) for t in self.header.values())
        self.assertEqual(spans[0][0], 0)
        self.assertEqual(spans[-1][1], self.data_bytes)
        for (_, end), (start, _) in zip(spans, spans[1:]):
            self.assertEqual(end, start)

    def test_config(self):
        c = self.config
        self.assertTrue(c["tie_word_embeddings"])
        self.assertEqual([c["hidden_size"] % 64, c["intermediate_size"] % 64, c["head_dim"], c["max_position_embeddings"]], [0, 0, 64, 8192])
        self.assertEqual(c["quantization_config"]["quant_method"], "compressed-tensors")


class Tokens(unittest.TestCase):
    def setUp(self):
        self.encoder = bpe_reference.Encoder(os.path.join(ROOT, "tokenizer.json"))

    def test_vocabulary(self):
        ids = sorted(self.encoder.vocab.values())
        self.assertEqual(ids, list(range(load("config.json")["vocab_size"])))
        self.assertEqual([self.encoder.special[t] for t in ("<|endoftext|>", "<|elements|>", "<|clause|>", "<|end|>")], [0, 1, 2, 3])

    def test_golden_ids(self):
        for text, ids in zip(load("golden", "prompt_text.json"), load("golden", "prompt_ids.json"), strict=True):
            self.assertEqual(self.encoder.encode(text), ids)

    def test_digits_stand_alone(self):
        self.assertEqual(len(self.encoder.encode("2024")), 4)

    def test_common_characters_are_one_token(self):
        text = "".join(chr(c) for c in range(0x4E00, 0x9FA6) if self._in(chr(c), "gb2312"))
        self.assertGreater(len(text), 6700)
        self.assertEqual([c for c in text if len(self.encoder.piece(c)) != 1], [])

    @staticmethod
    def _in(char, charset):
        try:
            char.encode(charset)
        except UnicodeEncodeError:
            return False
        return True


class Golden(unittest.TestCase):
    def test_consistent(self):
        greedy, tops, prompts = load("golden", "greedy.json"), load("golden", "top_logits.json"), load("golden", "prompt_ids.json")
        for one, top, ids in zip(greedy, tops, prompts, strict=True):
            self.assertEqual(top["sequence_ids"], ids + one["ids"])
            # logits at position p choose the id at p + 1 wherever the two best are apart
            first = top["positions"][0]
            for row, (best, values) in enumerate(zip(top["ids"], top["values"])):
                at = first + row + 1 - len(ids)
                if 0 <= at < len(one["ids"]) and values[0] - values[1] > 1e-3:
                    self.assertEqual(best[0], one["ids"][at])


if __name__ == "__main__":
    unittest.main()
