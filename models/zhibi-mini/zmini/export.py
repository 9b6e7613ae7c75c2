# SPDX-License-Identifier: Apache-2.0
"""Writes the shipped files: int8 safetensors in the compressed-tensors layout, config.json, generation_config.json.

A matrix `X.weight` [out, in] is stored as int8 with `X.weight_scale` [out, 1] float32, weight = int8 * scale, symmetric,
scale = max|row| / 127, then searched a little below it for the least squared error. The embedding, which is also the
head, is treated the same (a row is a token). Norm weights stay float32.
"""
import json
import os

import torch

from .model import CONFIG


def quantize(weight):
    """float [out, in] -> (int8 [out, in], float32 scale [out, 1])."""
    top = weight.abs().amax(1, keepdim=True).clamp_min(1e-8)
    best = None
    for factor in (1.0, 0.97, 0.94, 0.91, 0.88):
        scale = top * (factor / 127)
        ids = (weight / scale).round().clamp(-127, 127)
        error = (ids * scale - weight).pow(2).sum(1, keepdim=True)
        if best is None:
            best = (ids, scale, error)
        else:
            less = error < best[2]
            best = tuple(torch.where(less, new, old) for new, old in zip((ids, scale, error), best))
    return best[0].to(torch.int8), best[1].float()


def quantized_state(state):
    """Float state (Hugging Face names) -> tensors of the shipped file."""
    out = {}
    for name, tensor in state.items():
        if tensor.dim() == 2:
            out[name], out[name + "_scale"] = quantize(tensor)
        else:
            out[name] = tensor.float()
    return out


def dequantized_state(stored):
    """The shipped tensors as float32 under their plain names."""
    return {name: tensor.float() * stored[name + "_scale"] if name + "_scale" in stored else tensor.float()
            for name, tensor in stored.items() if not name.endswith("_scale")}


def error_report(state, stored):
    """Largest and mean relative error ||q - w|| / ||w|| over the matrices."""
    back = dequantized_state(stored)
    errors = {name: ((back[name] - w).norm() / w.norm()).item() for name, w in state.items() if w.dim() == 2}
    worst = max(errors, key=errors.get)
    return {"mean": sum(errors.values()) / len(errors), "worst": errors[worst], "worst_name": worst}


def write(state, tok, out_dir):
    """Writes model.safetensors, config.json and generation_config.json; returns the stored tensors."""
    from safetensors.torch import save_file
    stored = quantized_state(state)
    save_file(dict(sorted(stored.items())), os.path.join(out_dir, "model.safetensors"), metadata={"format": "pt"})
    ends = [tok.token_to_id("<|end|>"), tok.token_to_id("<|endoftext|>")]
    weights = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel", "dynamic": False, "group_size": None,
               "block_structure": None, "actorder": None, "observer": "mse", "observer_kwargs": {}}
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", **CONFIG, "hidden_act": "silu", "attention_bias": False,
              "mlp_bias": False, "attention_dropout": 0.0, "initializer_range": 0.02, "tie_word_embeddings": True,
              "rope_scaling": None, "bos_token_id": None, "eos_token_id": ends, "pad_token_id": tok.token_to_id("<|pad|>"),
              "pretraining_tp": 1, "torch_dtype": "float32", "use_cache": True,
              "quantization_config": {"quant_method": "compressed-tensors", "format": "int-quantized",
                                      "quantization_status": "compressed", "ignore": [], "kv_cache_scheme": None,
                                      "config_groups": {"group_0": {"targets": ["Linear", "Embedding"], "weights": weights,
                                                                    "input_activations": None, "output_activations": None}}}}
    _json(config, os.path.join(out_dir, "config.json"))
    _json({"eos_token_id": ends, "pad_token_id": config["pad_token_id"], "do_sample": False},
          os.path.join(out_dir, "generation_config.json"))
    return stored


def _json(value, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(value, out, ensure_ascii=False, indent=2)
        out.write("\n")


def reference_model(stored):
    """transformers' LlamaForCausalLM in float32 with the dequantized weights."""
    from transformers import LlamaConfig, LlamaForCausalLM
    plain = {k: v for k, v in CONFIG.items() if k != "rope_theta"}
    config = LlamaConfig(**plain, tie_word_embeddings=True, attention_bias=False, hidden_act="silu", bos_token_id=None,
                         eos_token_id=None, pad_token_id=None, rope_parameters={"rope_type": "default", "rope_theta": CONFIG["rope_theta"]})
    model = LlamaForCausalLM(config)
    missing, unexpected = model.load_state_dict(dequantized_state(stored), strict=False)
    if unexpected or any(name != "lm_head.weight" for name in missing):
        raise ValueError(f"state does not fit LlamaForCausalLM: missing {missing}, unexpected {unexpected}")
    model.tie_weights()
    return model.float().eval()
