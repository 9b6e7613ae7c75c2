# SPDX-License-Identifier: Apache-2.0
"""Makes tests/golden/models: tiny random checkpoints of every family with fp32 references.

The references come from transformers (eager attention, float32, CPU); nothing of zhibi takes part.
Every model is written as a user would have it (config.json, one or more safetensors files), beside
`cases.json` (ids, positions, greedy continuations with their margins) and `.npy` files with the
logits at the chosen positions. Weights are drawn wide, so that logits are distinct and near ties
rare. Runs where torch and transformers are:

    python3 tools/golden/make_model_goldens.py OUT_DIR

Same versions and seed give the same bytes; README.md in the output says which they were.
"""

import hashlib
import json
import math
import pathlib
import sys
import traceback

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

SEED = 20261130
GREEDY_TOKENS = 24
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}

# What all decoders share unless a spec says otherwise.
DECODER = dict(
    vocab_size=256,
    hidden_size=64,
    intermediate_size=96,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    hidden_act="silu",
    max_position_embeddings=512,
    rms_norm_eps=1e-5,
    tie_word_embeddings=False,
    bos_token_id=1,
    eos_token_id=2,
)
LLAMA3_SCALING = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
INT8_SCHEME = {
    "quant_method": "compressed-tensors",
    "format": "int-quantized",
    "quantization_status": "compressed",
    "ignore": [],
    "config_groups": {
        "group_0": {
            "targets": ["Linear", "Embedding"],
            "input_activations": None,
            "output_activations": None,
            "weights": {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": True, "dynamic": False},
        }
    },
}

# style "legacy": config.json holds exactly the keys below (as files made before transformers 5 do);
# style "v5": config.json as this version of transformers writes it (rope_parameters).
DECODERS = [
    dict(name="llama2", arch="LlamaForCausalLM", dtype="f32", style="legacy", config=dict(rope_theta=10000.0)),
    dict(
        name="llama3",
        arch="LlamaForCausalLM",
        dtype="bf16",
        style="legacy",
        config=dict(vocab_size=288, num_key_value_heads=1, rope_theta=10000.0, rope_scaling=LLAMA3_SCALING),
        generation={"bos_token_id": 1, "eos_token_id": [2, 7]},
    ),
    dict(
        name="llama_linear",
        arch="LlamaForCausalLM",
        dtype="f16",
        style="legacy",
        config=dict(rope_theta=5000.0, rope_scaling={"type": "linear", "factor": 4.0}, tie_word_embeddings=True),
    ),
    dict(
        name="llama_bias",
        arch="LlamaForCausalLM",
        dtype="bf16",
        style="v5",
        config=dict(
            hidden_size=32,
            intermediate_size=64,
            head_dim=16,
            attention_bias=True,
            mlp_bias=True,
            rope_parameters=dict(LLAMA3_SCALING, rope_theta=20000.0),
        ),
    ),
    dict(
        name="mistral",
        arch="MistralForCausalLM",
        dtype="bf16",
        style="legacy",
        config=dict(sliding_window=24, rope_theta=10000.0),
    ),
    dict(
        name="qwen2",
        arch="Qwen2ForCausalLM",
        dtype="bf16",
        style="legacy",
        config=dict(rope_theta=1000000.0, tie_word_embeddings=True, rms_norm_eps=1e-6, use_sliding_window=False),
        generation={"eos_token_id": [3, 2]},
    ),
    dict(
        name="qwen2_window",
        arch="Qwen2ForCausalLM",
        dtype="f16",
        style="v5",
        config=dict(
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            use_sliding_window=True,
            sliding_window=20,
            max_window_layers=1,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        ),
    ),
    dict(
        name="qwen3",
        arch="Qwen3ForCausalLM",
        dtype="bf16",
        style="legacy",
        shards=2,
        config=dict(head_dim=32, rope_theta=1000000.0, rms_norm_eps=1e-6),
    ),
    dict(
        name="qwen3_tied",
        arch="Qwen3ForCausalLM",
        dtype="f32",
        style="v5",
        config=dict(
            hidden_size=32,
            intermediate_size=64,
            head_dim=16,
            tie_word_embeddings=True,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        ),
    ),
    dict(
        name="llama_int8",
        arch="LlamaForCausalLM",
        dtype="f32",
        style="legacy",
        int8=True,
        config=dict(vocab_size=320, rope_theta=10000.0, quantization_config=INT8_SCHEME),
    ),
]


def set_weights(model, generator, dtype):
    """Wide random values, rounded to the stored type, so that the reference sees what is stored."""
    seen = set()
    with torch.no_grad():
        for name, param in sorted(model.named_parameters()):
            if param.data_ptr() in seen:
                continue
            seen.add(param.data_ptr())
            noise = torch.randn(param.shape, generator=generator, dtype=torch.float32)
            lower = name.lower()
            if "norm.weight" in lower:
                value = 1.0 + 0.25 * noise
            elif name.endswith(".bias"):
                value = 0.3 * noise
            elif "relative_attention_bias" in name:
                value = noise
            elif "embed" in lower or "shared" in lower:
                value = noise
            elif "lm_head" in lower:
                value = noise * (2.0 / math.sqrt(param.shape[1]))
            else:
                value = noise * (1.3 / math.sqrt(param.shape[1]))
            if "q_proj" in name or name.endswith("Attention.q.weight"):
                value = value * (0.35 if name.endswith("Attention.q.weight") else 1.5)
            param.copy_(value.to(dtype).to(torch.float32))


def stored_state(model, dtype):
    """name -> tensor, tied copies once, in the stored type."""
    state, seen = {}, {}
    preferred = sorted(model.state_dict().items(), key=lambda item: ("lm_head" in item[0], "embed_tokens" in item[0] and "shared.weight" in model.state_dict(), item[0]))
    for name, tensor in preferred:
        if not tensor.dtype.is_floating_point:
            continue
        pointer = (tensor.data_ptr(), tuple(tensor.shape))
        if pointer in seen:
            continue
        seen[pointer] = name
        state[name] = tensor.detach().to(dtype).contiguous().clone()
    return state


def quantize(model):
    """Replaces matrices by their int8 values times a scale a row; returns what is stored."""
    state = {}
    with torch.no_grad():
        for name, param in model.named_parameters():
            if param.dim() != 2:
                state[name] = param.detach().clone()
                continue
            kind = torch.bfloat16 if "embed_tokens" in name else torch.float32
            scale = (param.abs().amax(dim=1, keepdim=True) / 127.0).to(kind)
            integers = torch.clamp(torch.round(param / scale.float()), -127, 127)
            param.copy_(integers * scale.float())
            state[name] = integers.to(torch.int8).contiguous()
            state[name + "_scale"] = (scale.reshape(-1) if "embed_tokens" in name else scale).contiguous().clone()
    return state


def write_checkpoint(folder, state, shards):
    metadata = {"format": "pt"}
    if shards == 1:
        save_file(state, folder / "model.safetensors", metadata=metadata)
        return
    names = sorted(state)
    weight_map = {}
    size = (len(names) + shards - 1) // shards
    for i in range(shards):
        part = {name: state[name] for name in names[i * size : (i + 1) * size]}
        file_name = f"model-{i + 1:05d}-of-{shards:05d}.safetensors"
        save_file(part, folder / file_name, metadata=metadata)
        weight_map.update({name: file_name for name in part})
    total = sum(tensor.numel() * tensor.element_size() for tensor in state.values())
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1) + "\n")


def write_config(folder, model, spec, legacy):
    if spec["style"] == "legacy":
        config = dict(architectures=[spec["arch"]], model_type=model.config.model_type, torch_dtype="float32", **legacy)
    else:
        config = json.loads(model.config.to_json_string(use_diff=True))
        config["architectures"] = [spec["arch"]]
        config["model_type"] = model.config.model_type
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    if "generation" in spec:
        (folder / "generation_config.json").write_text(json.dumps(spec["generation"], indent=2) + "\n")


def draw_ids(rng, length, vocab):
    return rng.integers(3, vocab, size=length).tolist()


def pick_positions(length, extra=()):
    wanted = {0, 1, 2, 7, 15, 16, 19, 20, 21, 23, 24, 25, 30, 31, 32, 33, 47, 48, 62, 63, 64, 65, 66, 95, 96, 97, 100, 127}
    wanted |= {128, 129, 140, length - 2, length - 1} | set(extra)
    return sorted(p for p in wanted if 0 <= p < length)


def margin(row):
    top = torch.topk(row.double(), 2).values
    return float((top[0] - top[1]) / (row.double().max() - row.double().min()))


def worst_error(given, exact):
    scale = np.abs(exact).max(axis=-1, keepdims=True)
    return float((np.abs(given - exact) / scale).max())


def decoder_logits(model, ids):
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def plain_inv_freq(config, head_dim):
    """RoPE frequencies by the papers, to be sure that the reference reads the config as meant."""
    rope = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    theta = rope.get("rope_theta", config.get("rope_theta", 10000.0))
    kind = rope.get("rope_type", rope.get("type", "default"))
    freq = 1.0 / theta ** (np.arange(0, head_dim, 2, dtype=np.float64) / head_dim)
    if kind == "linear":
        return freq / rope["factor"]
    if kind == "llama3":
        old = rope["original_max_position_embeddings"]
        wave = 2 * math.pi / freq
        smooth = (old / wave - rope["low_freq_factor"]) / (rope["high_freq_factor"] - rope["low_freq_factor"])
        smooth = np.clip(smooth, 0.0, 1.0)
        return (1 - smooth) * freq / rope["factor"] + smooth * freq
    return freq


def make_decoder(folder, spec, versions):
    legacy = dict(DECODER, **spec["config"])
    arguments = {k: v for k, v in legacy.items() if k != "quantization_config"}
    model_class = getattr(transformers, spec["arch"])
    config = model_class.config_class(**json.loads(json.dumps(arguments)))
    config._attn_implementation = "eager"
    torch.manual_seed(SEED)
    model = model_class(config).eval().float()
    generator = torch.Generator().manual_seed(SEED + len(spec["name"]) * 1009 + sum(map(ord, spec["name"])))
    set_weights(model, generator, DTYPES[spec["dtype"]])
    state = quantize(model) if spec.get("int8") else stored_state(model, DTYPES[spec["dtype"]])
    tied = "lm_head.weight" not in state
    assert tied == legacy["tie_word_embeddings"], (spec["name"], "tied", tied)
    head_dim = legacy.get("head_dim") or legacy["hidden_size"] // legacy["num_attention_heads"]
    used = model.model.rotary_emb.inv_freq.double().numpy()
    assert np.allclose(used, plain_inv_freq(legacy, head_dim), rtol=1e-5), (spec["name"], "inv_freq", used)

    write_checkpoint(folder, state, spec.get("shards", 1))
    write_config(folder, model, spec, legacy)
    rng = np.random.default_rng(SEED + sum(map(ord, spec["name"])))
    vocab = legacy["vocab_size"]
    sequences, rows, exact = [], [], []
    all_ids = [draw_ids(rng, length, vocab) for length in (1, 5, 34, 70, 150)]
    kept = [decoder_logits(model, ids) for ids in all_ids]
    greedy = []
    for length in (6, 40):
        prompt = draw_ids(rng, length, vocab)
        ids, tokens, margins = list(prompt), [], []
        for _ in range(GREEDY_TOKENS):
            row = decoder_logits(model, ids)[-1]
            tokens.append(int(row.argmax()))
            margins.append(round(margin(row), 6))
            ids.append(tokens[-1])
        greedy.append(dict(prompt=prompt, tokens=tokens, margins=margins))
    if legacy.get("sliding_window"):
        window = model.config.sliding_window
        assert window == legacy["sliding_window"], (spec["name"], window)
    model.double()
    for ids, logits in zip(all_ids, kept):
        positions = pick_positions(len(ids))
        sequences.append(dict(ids=ids, positions=positions))
        rows.append(logits[positions].float().numpy())
        exact.append(decoder_logits(model, ids)[positions].double().numpy())
    error = worst_error(np.concatenate(rows).astype(np.float64), np.concatenate(exact))
    np.save(folder / "logits.npy", np.concatenate(rows).astype(np.float32))
    cases = dict(model=spec["name"], versions=versions, float64_error=error, sequences=sequences, greedy=greedy)
    (folder / "cases.json").write_text(json.dumps(cases) + "\n")
    return dict(error=error, least_margin=min(min(g["margins"]) for g in greedy), span=float(np.ptp(rows[-1], axis=1).mean()))


def make_bert(folder, versions):
    legacy = dict(
        vocab_size=256, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96,
        hidden_act="gelu", max_position_embeddings=160, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0,
    )
    config = transformers.BertConfig(**legacy)
    config._attn_implementation = "eager"
    model = transformers.BertModel(config).eval().float()
    set_weights(model, torch.Generator().manual_seed(SEED + 1), torch.float16)
    state = stored_state(model, torch.float16)
    write_checkpoint(folder, state, 1)
    write_config(folder, model, dict(arch="BertModel", style="legacy"), legacy)
    rng = np.random.default_rng(SEED + 2)
    sequences, rows, pooled, exact = [], [], [], []

    def run(ids, types):
        with torch.no_grad():
            out = model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types]))
        return out.last_hidden_state[0], out.pooler_output[0]

    for length in (1, 9, 40, 150):
        ids = draw_ids(rng, length, 256)
        types = [0] * (length // 2) + [1] * (length - length // 2)
        positions = pick_positions(length)
        hidden, pool = run(ids, types)
        sequences.append(dict(ids=ids, token_types=types, positions=positions))
        rows.append(hidden[positions].numpy())
        pooled.append(pool.numpy())
    model.double()
    for case in sequences:
        exact.append(run(case["ids"], case["token_types"])[0][case["positions"]].numpy())
    error = worst_error(np.concatenate(rows).astype(np.float64), np.concatenate(exact))
    np.save(folder / "hidden.npy", np.concatenate(rows).astype(np.float32))
    np.save(folder / "pooled.npy", np.stack(pooled).astype(np.float32))
    cases = dict(model="bert", versions=versions, float64_error=error, sequences=sequences)
    (folder / "cases.json").write_text(json.dumps(cases) + "\n")
    return dict(error=error)


def make_t5(folder, name, versions):
    gated = name == "t5_v11"
    legacy = dict(
        vocab_size=256, d_model=32, d_kv=16, d_ff=64, num_layers=2, num_decoder_layers=2 if gated else 3, num_heads=4,
        relative_attention_num_buckets=16, relative_attention_max_distance=40, layer_norm_epsilon=1e-6,
        feed_forward_proj="gated-gelu" if gated else "relu", is_encoder_decoder=True, tie_word_embeddings=not gated,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0,
    )
    config = transformers.T5Config(**legacy)
    if hasattr(config, "scale_decoder_outputs"):
        assert config.scale_decoder_outputs == (not gated), config.scale_decoder_outputs
    config._attn_implementation = "eager"
    dtype = torch.float16 if gated else torch.bfloat16
    model = transformers.T5ForConditionalGeneration(config).eval().float()
    # Tied as in the published checkpoints, whatever this version does by itself: the stacks share the
    # table; the head has its own in v1.1 only.
    model.encoder.embed_tokens = model.shared
    model.decoder.embed_tokens = model.shared
    if gated:
        model.lm_head.weight = torch.nn.Parameter(torch.empty_like(model.shared.weight))
    else:
        model.lm_head.weight = model.shared.weight
    set_weights(model, torch.Generator().manual_seed(SEED + 3 + gated), dtype)
    if not gated:
        with torch.no_grad():  # logits are scaled by d_model^-0.5 there, which leaves too little spread
            model.shared.weight.mul_(4.0)
    state = stored_state(model, dtype)
    assert ("lm_head.weight" in state) == gated, sorted(state)
    assert "shared.weight" in state and "decoder.embed_tokens.weight" not in state, sorted(state)
    write_checkpoint(folder, state, 1)
    write_config(folder, model, dict(arch="T5ForConditionalGeneration", style="legacy"), legacy)
    rng = np.random.default_rng(SEED + 5 + gated)

    def run(source, ids):
        with torch.no_grad():
            out = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([ids]), use_cache=False)
        return out.logits[0], out.encoder_last_hidden_state[0]

    sequences, rows, hidden, exact, greedy = [], [], [], [], []
    for source_length, length in ((1, 1), (7, 20), (45, 70), (100, 40)):
        source = draw_ids(rng, source_length, 256)
        ids = [0] + draw_ids(rng, length - 1, 256)
        logits, encoded = run(source, ids)
        positions, source_positions = pick_positions(length), pick_positions(source_length)
        sequences.append(dict(source=source, ids=ids, positions=positions, source_positions=source_positions))
        rows.append(logits[positions].numpy())
        hidden.append(encoded[source_positions].numpy())
    for source_length in (12, 50):
        source = draw_ids(rng, source_length, 256)
        ids, margins = [0], []
        for _ in range(GREEDY_TOKENS):
            row = run(source, ids)[0][-1]
            margins.append(round(margin(row), 6))
            ids.append(int(row.argmax()))
        greedy.append(dict(source=source, prompt=[0], tokens=ids[1:], margins=margins))
    model.double()
    for case in sequences:
        exact.append(run(case["source"], case["ids"])[0][case["positions"]].numpy())
    error = worst_error(np.concatenate(rows).astype(np.float64), np.concatenate(exact))
    np.save(folder / "logits.npy", np.concatenate(rows).astype(np.float32))
    np.save(folder / "hidden.npy", np.concatenate(hidden).astype(np.float32))
    cases = dict(model=name, versions=versions, float64_error=error, sequences=sequences, greedy=greedy)
    (folder / "cases.json").write_text(json.dumps(cases) + "\n")
    return dict(error=error, least_margin=min(min(g["margins"]) for g in greedy), span=float(np.ptp(rows[-1], axis=1).mean()))


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(4)
    versions = dict(torch=torch.__version__.split("+")[0], transformers=transformers.__version__, numpy=np.__version__, seed=SEED)
    jobs = [(spec["name"], lambda folder, spec=spec: make_decoder(folder, spec, versions)) for spec in DECODERS]
    jobs.append(("bert", lambda folder: make_bert(folder, versions)))
    jobs += [(name, lambda folder, name=name: make_t5(folder, name, versions)) for name in ("t5", "t5_v11")]
    failed = []
    for name, job in jobs:
        folder = out / name
        folder.mkdir(exist_ok=True)
        try:
            print(name, json.dumps(job(folder)), flush=True)
        except Exception:  # one bad model must not cost the run of the others
            traceback.print_exc()
            failed.append(name)
    sums = []
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.name not in ("SHA256SUMS", "README.md"):
            sums.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out).as_posix()}")
    (out / "SHA256SUMS").write_text("\n".join(sums) + "\n")
    print("versions", json.dumps(versions), "failed", failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
