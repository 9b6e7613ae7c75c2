# SPDX-License-Identifier: Apache-2.0
"""The decoder of zhibi-mini in plain PyTorch, LLaMA-shaped: RMSNorm, RoPE (rotate-half), grouped queries, SwiGLU, tied head.

Projections that read the same input are one matrix in training (`wqkv`, `w13`); `hf_state` splits them into the names
of Hugging Face's LlamaForCausalLM.
"""
import torch
import torch.nn.functional as F
from torch import nn

CONFIG = {"vocab_size": 15360, "hidden_size": 384, "intermediate_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 6,
          "num_key_value_heads": 2, "head_dim": 64, "max_position_embeddings": 8192, "rope_theta": 100000.0, "rms_norm_eps": 1e-5}


def rms(x, weight, eps):
    y = x.float()
    return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * weight.to(x.dtype)


def rope(x, cos, sin):
    """x [rows, heads, tokens, head_dim], cos and sin [tokens, head_dim]."""
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, width = c, c["hidden_size"]
        self.q_size, self.kv_size = c["num_attention_heads"] * c["head_dim"], c["num_key_value_heads"] * c["head_dim"]
        self.norm1, self.norm2 = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        self.wqkv = nn.Linear(width, self.q_size + 2 * self.kv_size, bias=False)
        self.wo = nn.Linear(self.q_size, width, bias=False)
        self.w13 = nn.Linear(width, 2 * c["intermediate_size"], bias=False)
        self.w2 = nn.Linear(c["intermediate_size"], width, bias=False)

    def forward(self, x, cos, sin):
        c = self.c
        rows, tokens, _ = x.shape
        q, k, v = self.wqkv(rms(x, self.norm1, c["rms_norm_eps"])).split([self.q_size, self.kv_size, self.kv_size], -1)
        q, k, v = (t.view(rows, tokens, -1, c["head_dim"]).transpose(1, 2) for t in (q, k, v))
        q, k = rope(q, cos, sin), rope(k, cos, sin)
        share = c["num_attention_heads"] // c["num_key_value_heads"]
        k, v = k.repeat_interleave(share, 1), v.repeat_interleave(share, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.wo(y.transpose(1, 2).reshape(rows, tokens, self.q_size))
        gate, up = self.w13(rms(x, self.norm2, c["rms_norm_eps"])).chunk(2, -1)
        return x + self.w2(F.silu(gate) * up)


class Mini(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        self.c = c = dict(config or CONFIG)
        self.embed = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.blocks = nn.ModuleList(Block(c) for _ in range(c["num_hidden_layers"]))
        self.norm = nn.Parameter(torch.ones(c["hidden_size"]))
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 / (2 * c["num_hidden_layers"]) ** 0.5 if name.endswith(("wo.weight", "w2.weight")) else 0.02)
        self.tables = {}

    def cos_sin(self, tokens, device, dtype):
        key = (tokens, str(device), dtype)
        if key not in self.tables:
            c = self.c
            inv = 1.0 / c["rope_theta"] ** (torch.arange(0, c["head_dim"], 2, device=device).float() / c["head_dim"])
            angle = torch.arange(tokens, device=device).float()[:, None] * inv[None]
            angle = torch.cat((angle, angle), -1)
            self.tables[key] = (angle.cos().to(dtype), angle.sin().to(dtype))
        return self.tables[key]

    def hidden(self, ids):
        x = self.embed(ids)
        if torch.is_autocast_enabled():
            x = x.to(torch.bfloat16)
        cos, sin = self.cos_sin(ids.shape[1], ids.device, x.dtype)
        for block in self.blocks:
            x = block(x, cos, sin)
        return rms(x, self.norm, self.c["rms_norm_eps"])

    def loss(self, ids, targets):
        """Mean cross-entropy over targets >= 0; ids and targets [rows, tokens]."""
        return head_loss(self.hidden(ids), self.embed.weight, targets)

    def parameter_count(self):
        return sum(p.numel() for p in self.parameters())


def head_loss(x, weight, targets):
    logits = F.linear(x, weight).float()
    return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=-100)


def hf_state(model):
    """Weights under the names of LlamaForCausalLM, float32 on the CPU."""
    out, c = {"model.embed_tokens.weight": model.embed.weight, "model.norm.weight": model.norm}, model.c
    for i, b in enumerate(model.blocks):
        p = f"model.layers.{i}."
        q, k, v = b.wqkv.weight.split([b.q_size, b.kv_size, b.kv_size])
        gate, up = b.w13.weight.chunk(2)
        out.update({p + "self_attn.q_proj.weight": q, p + "self_attn.k_proj.weight": k, p + "self_attn.v_proj.weight": v,
                    p + "self_attn.o_proj.weight": b.wo.weight, p + "mlp.gate_proj.weight": gate, p + "mlp.up_proj.weight": up,
                    p + "mlp.down_proj.weight": b.w2.weight, p + "input_layernorm.weight": b.norm1,
                    p + "post_attention_layernorm.weight": b.norm2})
    return {name: t.detach().float().cpu().contiguous() for name, t in out.items()}
