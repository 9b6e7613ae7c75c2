# SPDX-License-Identifier: Apache-2.0
"""Trains zhibi-mini on one GPU within a given time.

Two phases share one cosine over wall-clock time: rows of 2,048 tokens, then rows of 8,192. Generated rows come from worker
processes while training runs; every eighth-percent of rows (data.REAL_SHARE) is corpus text. bf16 autocast, AdamW, blocks
compiled one by one (one compilation serves all layers).
"""
import glob
import json
import math
import multiprocessing
import os
import time

import numpy as np
import torch

from . import data
from .model import CONFIG, Mini
from . import model as model_module

PEAK_FLOPS = 790e12  # measured bf16 matrix rate of one H200 on random data


def start_workers(tok_file, folder, corpus_folder, plan):
    """plan: list of (length, rows a shard, shards, processes, attachments); returns the processes, which write shards in order."""
    os.makedirs(folder, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    started = []
    for length, rows, shards, count, attach in plan:
        for k in range(count):
            numbers = list(range(k, shards, count))
            started.append(context.Process(target=data.worker, args=((tok_file, folder, length, rows, numbers, corpus_folder, attach),), daemon=True))
    for process in started:
        process.start()
    return started


class Rows:
    """Batches of one row length: generated shards in order (starting over if training is faster), corpus rows mixed in."""

    def __init__(self, folder, length, real, batch_rows, real_share):
        self.folder, self.length, self.real, self.batch, self.share = folder, length, real, batch_rows, real_share
        self.shard, self.buffer, self.pos_real, self.waits, self.reused = 0, None, 0, 0.0, 0
        self.rng = np.random.default_rng(length)

    def _next_shard(self):
        path = os.path.join(self.folder, f"rows{self.length}-{self.shard:05d}.npy")
        start = time.time()
        while not os.path.exists(path):
            made = len(glob.glob(os.path.join(self.folder, f"rows{self.length}-*.npy")))
            if time.time() - start > 20 and made > 2:
                path = os.path.join(self.folder, f"rows{self.length}-{int(self.rng.integers(0, min(made, self.shard or 1))):05d}.npy")
                self.reused += 1
                self.shard -= 1
                break
            time.sleep(0.05)
        self.waits += time.time() - start
        self.shard += 1
        return np.load(path)

    def batches(self):
        carry = 0.0
        while True:
            carry += self.batch * self.share
            real_count = int(carry)
            carry -= real_count
            need = self.batch - real_count
            while self.buffer is None or len(self.buffer) < need:
                shard = self._next_shard()
                self.buffer = shard if self.buffer is None else np.concatenate([self.buffer, shard])
            rows, self.buffer = self.buffer[:need], self.buffer[need:]
            if real_count:
                index = (self.pos_real + np.arange(real_count)) % len(self.real)
                self.pos_real += real_count
                rows = np.concatenate([rows, self.real[index]])
            yield torch.from_numpy(rows.astype(np.int32)).pin_memory()


def split_batch(batch, device):
    """uint16 rows with the loss bit -> (ids, targets) on the device."""
    batch = batch.to(device, non_blocking=True).long()
    ids = batch & (data.NO_LOSS - 1)
    targets = torch.where(batch[:, 1:] >= data.NO_LOSS, -100, ids[:, 1:])
    return ids[:, :-1].contiguous(), targets.contiguous()


def learning_rate(progress, peak, steps):
    warm = min(1.0, (steps + 1) / 150)
    return peak * warm * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0))))


def flops_per_token(config, length):
    c = config
    attn = c["num_attention_heads"] * c["head_dim"]
    per_layer = c["hidden_size"] * (2 * attn + 2 * c["num_key_value_heads"] * c["head_dim"] + 3 * c["intermediate_size"])
    matrices = c["num_hidden_layers"] * per_layer + c["vocab_size"] * c["hidden_size"]
    return 6 * matrices + 6 * c["num_hidden_layers"] * attn * length  # causal: half of 12


def train(real, folder, out_dir, seconds, long_share=0.14, peak=2.5e-3, batch_tokens=131072, real_share=data.REAL_SHARE,
          compile_model=True, init=None, log_every=100, device="cuda", config=CONFIG):
    """Returns (model, list of log records). `real` is a dict length -> rows."""
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    model = Mini(config).to(device)
    if init is not None:
        model.load_state_dict(init)
    if compile_model:
        for block in model.blocks:
            block.compile(dynamic=False)
        model_module.head_loss = torch.compile(model_module.head_loss, dynamic=False)
    # no decay on the embedding: rows of rare characters would shrink between their few uses
    plain = [p for name, p in model.named_parameters() if p.dim() != 2 or name.startswith("embed")]
    decay = [p for name, p in model.named_parameters() if p.dim() == 2 and not name.startswith("embed")]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}],
                            lr=peak, betas=(0.9, 0.95), fused=device == "cuda")
    log, steps, tokens = [], 0, 0
    start = time.time()
    for length, until in ((2048, 1 - long_share), (8192, 1.0)):
        rows = Rows(folder, length, real[length], batch_tokens // length, real_share)
        mark, mark_tokens, sums = None, 0, []
        for batch in rows.batches():
            progress = (time.time() - start) / seconds
            if progress >= until:
                break
            for group in opt.param_groups:
                group["lr"] = learning_rate(progress, peak, steps)
            ids, targets = split_batch(batch, device)
            with torch.autocast(device, torch.bfloat16):
                loss = model.loss(ids, targets)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            steps, tokens = steps + 1, tokens + ids.numel()
            sums.append(loss.detach())
            mark_tokens += ids.numel()
            if len(sums) == log_every:
                value = torch.stack(sums).mean().item()  # waits for the device
                now = time.time()
                speed = mark_tokens / (now - mark) if mark else 0.0
                record = {"step": steps, "s": round(now - start, 1), "tokens_m": round(tokens / 1e6, 1), "length": length,
                          "loss": round(value, 4), "grad": round(norm.item(), 3), "tok_s": int(speed),
                          "share_of_peak": round(speed * flops_per_token(config, length) / PEAK_FLOPS, 4),
                          "waits_s": round(rows.waits, 1), "reused": rows.reused}
                log.append(record)
                if len(log) % 3 == 1:
                    print(json.dumps(record), flush=True)
                mark, mark_tokens, sums = now, 0, []
    torch.cuda.synchronize() if device == "cuda" else None
    return model, log


@torch.no_grad()
def mean_loss(model, rows, device="cuda", batch=16):
    """Mean loss over the unmasked targets of some rows."""
    total, count = 0.0, 0
    for start in range(0, len(rows) - batch + 1, batch):
        ids, targets = split_batch(torch.from_numpy(rows[start:start + batch].astype(np.int32)), device)
        with torch.autocast(device, torch.bfloat16):
            value = model.loss(ids, targets).item()
        seen = int((targets >= 0).sum())
        total, count = total + value * seen, count + seen
    return total / max(count, 1)
