# SPDX-License-Identifier: Apache-2.0
"""The whole recipe of zhibi-mini on one GPU machine: tokenizer, data, training, export, evaluation, reference outputs.

    python3 recipe.py tokenizer --corpus DIR --out DIR
    python3 recipe.py train --corpus DIR --tokenizer tokenizer.json --out DIR --seconds 420

Needs torch, transformers, tokenizers, safetensors, numpy. `train` leaves in --out: model.safetensors (int8), config.json,
generation_config.json, golden/, log.jsonl, report.json, samples.txt and float.pt (bf16, to go on from with --init).
"""
import argparse
import json
import os
import random
import time

import numpy as np

from zmini import corpus, data, evaluate, facts, narrate, prompt, stories


def run_tokenizer(args):
    from zmini import tokenizer
    start = time.time()
    tok = tokenizer.train(random.Random(11), args.corpus, args.out, args.documents)
    sample = [evaluate.prompt.elements_text(c) for c in evaluate.cases(5, 200, False)]
    texts = [data.case_document(random.Random(n)) for n in range(300)]
    ids = [len(e.ids) for e in tok.encode_batch(texts, add_special_tokens=False)]
    heads = [len(e.ids) for e in tok.encode_batch(sample, add_special_tokens=False)]
    print(json.dumps({"tokenizer_s": round(time.time() - start, 1), "vocab": tok.get_vocab_size(), "chars_a_token":
                      round(sum(map(len, texts)) / sum(ids), 3), "tokens_a_document": sum(ids) / len(ids), "longest": max(ids),
                      "tokens_a_prompt": sum(heads) / len(heads)}), flush=True)
    return tok


def bits_per_char(model, tok, folder):
    """Bits per character of the validation documents, by kind, contexts of 2,048."""
    from zmini.train import mean_loss
    out = {}
    for bundle in ("pleadings", "court", "statutes"):
        texts = [r["text"][:6000] + prompt.TEXT_END for r in corpus.read(os.path.join(folder, f"{bundle}.val.jsonl.xz"))]
        packer = data.Packer(2048, tok.token_to_id("<|pad|>"))
        encoded = data.encode(tok, texts, None)
        for ids in encoded:
            packer.add(ids)
        while packer.pool:
            packer.flush_one()
        rows = np.stack(packer.rows)
        rows = np.concatenate([rows] * (1 + 16 // len(rows)))[:max(16, len(rows) // 16 * 16)]
        loss = mean_loss(model, rows)
        out[bundle] = round(loss / np.log(2) * sum(map(len, encoded)) / sum(map(len, texts)), 3)
    return out


def bits_by_depth(model, tok, folder):
    """Bits per character of validation judgments at positions 0-1k, 1-4k, 4-8k of rows of 8,192 tokens."""
    import torch
    import torch.nn.functional as F

    from zmini.train import split_batch
    texts = [r["text"] + prompt.TEXT_END for r in corpus.read(os.path.join(folder, "court.val.jsonl.xz"))]
    flat = np.concatenate(data.encode(tok, texts, None))
    chars = sum(map(len, texts)) / len(flat)
    sums = np.zeros(8192)
    rows = min(len(flat) // 8192, 24)
    for n in range(rows):
        row = torch.from_numpy(flat[n * 8192:n * 8192 + 8193].astype(np.int32))[None]
        if row.shape[1] < 8193:
            rows = n
            break
        ids, targets = split_batch(row, "cuda")
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16):
            logits = F.linear(model.hidden(ids), model.embed.weight.to(torch.bfloat16)).float()
        sums += F.cross_entropy(logits[0], targets[0], reduction="none").cpu().numpy()
    mean = sums / max(rows, 1) / np.log(2) / chars
    return {"0-1k": round(mean[:1024].mean(), 3), "1-4k": round(mean[1024:4096].mean(), 3), "4-8k": round(mean[4096:].mean(), 3), "rows": rows}


def run_table(args):
    """Short runs of several shapes on the same data: layers,width,inner,heads,kv heads."""
    import torch
    from tokenizers import Tokenizer

    from zmini import train
    from zmini.model import CONFIG
    shards = os.path.join(args.scratch, "shards")
    short = max(1, int(args.seconds * args.expect / 2048 / 2048))
    workers = train.start_workers(args.tokenizer, shards, args.corpus, [(2048, 2048, short, 12, False), (8192, 512, 3, 3, True)])
    tok = Tokenizer.from_file(args.tokenizer)
    real = {length: data.real_rows(tok, args.corpus, length, length) for length in (2048, 8192)}
    names = ("num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads")
    for shape in args.shapes.split():
        config = {**CONFIG, **dict(zip(names, map(int, shape.split(","))))}
        torch.compiler.reset()
        torch.compiler.set_stance("default")
        model, log = train.train(real, shards, args.out, args.seconds, long_share=0.3, peak=args.peak, batch_tokens=args.batch_tokens, config=config)
        torch.compiler.set_stance("force_eager")
        print("table", json.dumps({"shape": shape, "parameters": model.parameter_count(), "last": log[-1] if log else None,
                                   "bits": bits_by_depth(model, tok, args.corpus)}), flush=True)
        del model
    for process in workers:
        process.terminate()


def hand_back(args):
    """Copies the weights to --parts in pieces of 15 MB, so that they leave a machine that returns small files only."""
    if not args.parts:
        return
    for name in ("model.safetensors", "float.pt"):
        with open(os.path.join(args.out, name), "rb") as source:
            for n, piece in enumerate(iter(lambda: source.read(15_000_000), b"")):
                with open(os.path.join(args.parts, f"{name}.part{n}"), "wb") as out:
                    out.write(piece)


def story_report(args, model, reference, tok):
    """Drafts of every type but the private-lending complaint: held-out and seen families, int8, and BLEU-4 against float."""
    from zmini import export
    from zmini.model import hf_state
    stories.SENTENCES = stories.sentences(r["text"] for r in corpus.read(os.path.join(args.corpus, "court.val.jsonl.xz")))
    result, per = {}, max(1, args.drafts // 6)
    for name, test in (("held_out", True), ("seen", False)):
        rng = random.Random(4711 + test)
        batch = [stories.make_story(rng, kind, test) for kind in stories.TYPES for _ in range(per)]
        drafts = evaluate.draft_stories(reference, tok, batch)
        checks = [stories.check(s, d) for s, d in zip(batch, drafts)]
        result[name] = evaluate.story_summary(checks)
        result[name]["bleu4_generator"] = evaluate.bleu4(drafts, [s["text"] for s in batch])
        print("stories", name, json.dumps(result[name]), flush=True)
        result[name]["types"] = {k: evaluate.story_summary([c for s, c in zip(batch, checks) if s["type"] == k]) for k in stories.TYPES}
        with open(os.path.join(args.out, f"stories_{name}.txt"), "w", encoding="utf-8") as out:
            for s, d, c in zip(batch, drafts, checks):
                out.write(stories.elements_text(s) + d + "\n## " + json.dumps({k: v for k, v in c.items() if v}, ensure_ascii=False) + "\n\n")
        if test:
            floats = evaluate.draft_stories(export.reference_model(hf_state(model)).cuda(), tok, batch)
            result["bleu4_int8_float"] = evaluate.bleu4(drafts, floats)
            print("bleu4 int8 against float", result["bleu4_int8_float"], flush=True)
    return result


def run_train(args):
    import torch
    from tokenizers import Tokenizer

    from zmini import train
    begin = time.time()
    print("device", torch.cuda.get_device_name(0), "torch", torch.__version__, flush=True)
    os.makedirs(args.out, exist_ok=True)
    shards = os.path.join(args.scratch, "shards")
    # rows: enough for 2 M tokens a second in the first phase, 1 M in the second; workers stop early if that is not needed
    short = max(1, int(args.seconds * (1 - args.long_share) * args.expect / 2048 / 2048))
    long = max(1, int(args.seconds * args.long_share * args.expect * 0.5 / 8192 / 512))
    plan = [(2048, 2048, short, max(2, args.workers - 4), False), (8192, 512, long, 4, True)]
    workers = train.start_workers(args.tokenizer, shards, args.corpus, plan)
    tok = Tokenizer.from_file(args.tokenizer)
    real = {length: data.real_rows(tok, args.corpus, length, length) for length in (2048, 8192)}
    print(json.dumps({"prepare_s": round(time.time() - begin, 1), "real_rows": {k: len(v) for k, v in real.items()}, "shards": [short, long]}), flush=True)
    init = torch.load(args.init) if args.init else None
    init = {k: v.float() for k, v in init.items()} if init else None
    left = args.seconds if not args.until else args.until - (time.time() - begin)
    model, log = train.train(real, shards, args.out, left, long_share=args.long_share, peak=args.peak, init=init, batch_tokens=args.batch_tokens)
    for process in workers:
        process.terminate()
    report(args, model, log, tok, begin)


def report(args, model, log, tok, begin):
    import torch

    from zmini import export, golden, train
    from zmini.model import Mini, hf_state
    torch.compiler.set_stance("force_eager")  # other shapes come now, not worth a compilation
    if log:
        print(json.dumps(log[-1]), flush=True)
    with open(os.path.join(args.out, "log.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(json.dumps(r) + "\n" for r in log)
    torch.save({k: v.to(torch.bfloat16) for k, v in model.state_dict().items()}, os.path.join(args.out, "float.pt"))
    state = hf_state(model)
    stored = export.write(state, tok, args.out)
    hand_back(args)
    result = {"parameters": model.parameter_count(), "last": log[-1] if log else None, "quantization": export.error_report(state, stored)}
    # loss of the float and of the int8 model on the same unseen rows of held-out families
    rng = random.Random(77)
    texts = []
    for _ in range(600):
        case, _ = facts.make_case(rng, test=True)
        texts.append(prompt.document_text(case, narrate.write_clauses(rng, case)))
    packer = data.Packer(2048, tok.token_to_id("<|pad|>"))
    for ids in data.encode(tok, texts, [prompt.CLAUSE]):
        packer.add(ids)
    rows = np.stack(packer.rows)
    result["loss_heldout_float"] = round(train.mean_loss(model, rows), 5)
    result["bits_per_char_val"] = bits_per_char(model, tok, args.corpus)
    rounded = Mini().cuda()
    rounded.load_state_dict(merged(export.dequantized_state(stored), rounded))
    result["loss_heldout_int8"] = round(train.mean_loss(rounded, rows), 5)
    result["bits_per_char_val_int8"] = bits_per_char(rounded, tok, args.corpus)
    print(json.dumps(result, ensure_ascii=False), flush=True)
    reference = export.reference_model(stored).cuda()
    result["bits_by_depth"] = bits_by_depth(model, tok, args.corpus)
    print(json.dumps(result["bits_by_depth"]), flush=True)
    result["stories"] = story_report(args, model, reference, tok)
    write_report(args, result)
    for name, test in (("held_out_families", True), ("seen_families", False)):
        drawn = evaluate.cases(991, args.drafts, test)
        start = time.time()
        drafts = evaluate.draft(reference, tok, drawn)
        checks = [evaluate.check(c, d) for c, d in zip(drawn, drafts)]
        result["copy_" + name] = evaluate.summary(checks)
        print(name, round(time.time() - start, 1), json.dumps(result["copy_" + name]), flush=True)
        with open(os.path.join(args.out, f"samples_{name}.txt"), "w", encoding="utf-8") as out:
            order = sorted(range(len(drawn)), key=lambda i: -sum(len(checks[i][k]) for k in ("foreign", "misnamed", "missing")))
            for i in order[:60] + order[-30:]:
                out.write(prompt.elements_text(drawn[i]) + "\n".join(drafts[i]) + "\n## " + json.dumps({k: v for k, v in checks[i].items() if v}, ensure_ascii=False) + "\n\n")
    with open(args.cases, encoding="utf-8") as source:
        by_hand = json.load(source)
    with open(os.path.join(args.out, "drafts.txt"), "w", encoding="utf-8") as out:
        for case, clauses in zip(by_hand, evaluate.draft(reference, tok, by_hand)):
            found = {k: v for k, v in evaluate.check(case, clauses).items() if v}
            out.write(prompt.elements_text(case) + "\n".join(clauses) + "\n## " + json.dumps(found, ensure_ascii=False) + "\n\n")
    golden.write(stored, tok, args.out)
    write_report(args, result)
    result["copy_far"] = far_copy(args, reference, tok)
    print("far", json.dumps(result["copy_far"]), flush=True)
    result["all_s"] = round(time.time() - begin, 1)
    write_report(args, result)
    print("done", result["all_s"], flush=True)


def write_report(args, result):
    with open(os.path.join(args.out, "report.json"), "w", encoding="utf-8") as out:
        json.dump(result, out, ensure_ascii=False, indent=1)
        out.write("\n")


def far_copy(args, reference, tok, count=16):
    """Copy metrics when about 6,000 tokens of other text stand between elements and clauses."""
    texts = [r["text"] for r in corpus.read(os.path.join(args.corpus, "court.val.jsonl.xz")) if "借款" not in r["text"]]
    text = "\n".join(texts)
    fillers = [text[n * 3000:n * 3000 + 9500] for n in range(count) if (n * 3000 + 9500) < len(text)]
    drawn = evaluate.cases(313, len(fillers), False)
    sizes = [len(e.ids) for e in tok.encode_batch(fillers, add_special_tokens=False)]
    checks = [evaluate.check(c, d) for c, d in zip(drawn, evaluate.draft(reference, tok, drawn, fillers=fillers))]
    return {"filler_tokens": [min(sizes), max(sizes)], **evaluate.summary(checks)}


def merged(state, model):
    """Hugging Face names -> the training model's merged matrices."""
    import torch
    out = {"embed.weight": state["model.embed_tokens.weight"], "norm": state["model.norm.weight"]}
    for i in range(len(model.blocks)):
        p, b = f"model.layers.{i}.", f"blocks.{i}."
        out[b + "wqkv.weight"] = torch.cat([state[p + f"self_attn.{x}_proj.weight"] for x in "qkv"])
        out[b + "w13.weight"] = torch.cat([state[p + f"mlp.{x}_proj.weight"] for x in ("gate", "up")])
        out[b + "wo.weight"], out[b + "w2.weight"] = state[p + "self_attn.o_proj.weight"], state[p + "mlp.down_proj.weight"]
        out[b + "norm1"], out[b + "norm2"] = state[p + "input_layernorm.weight"], state[p + "post_attention_layernorm.weight"]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=["tokenizer", "train", "table"])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tokenizer", default="tokenizer.json")
    parser.add_argument("--documents", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=420, help="training time")
    parser.add_argument("--until", type=float, default=0, help="instead: training ends this long after the start of the program")
    parser.add_argument("--long-share", type=float, default=0.14)
    parser.add_argument("--peak", type=float, default=2.5e-3)
    parser.add_argument("--batch-tokens", type=int, default=131072)
    parser.add_argument("--expect", type=float, default=2.2e6, help="tokens a second that data is prepared for")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--drafts", type=int, default=192)
    parser.add_argument("--cases", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests", "cases.json"))
    parser.add_argument("--init", default="")
    parser.add_argument("--parts", default="", help="folder that gets the weights in small pieces")
    parser.add_argument("--shapes", default="8,384,1024,6,2 8,256,704,4,2 12,320,864,5,1 5,512,1408,8,2")
    parser.add_argument("--scratch", default="/dev/shm/zhibi-mini")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    {"tokenizer": run_tokenizer, "train": run_train, "table": run_table}[args.stage](args)


if __name__ == "__main__":
    main()
