# SPDX-License-Identifier: Apache-2.0
"""Reference outputs of the shipped int8 model, for tests of the importer and the engine.

float32 on the CPU through transformers with dequantized weights: for a few prompts the ids, the greedy continuation, and
the ten largest logits (id, value) at some positions. Positions from which two best logits are near each other are marked
by their gap, so that a test can stop there.
"""
import json
import os

from . import evaluate, prompt


def write(stored, tok, out_dir, greedy=96, positions=64):
    import torch

    from .export import reference_model
    torch.set_num_threads(max(1, (os.cpu_count() or 2) - 2))
    model = reference_model(stored)
    drawn = evaluate.cases(4242, 2, True)
    texts = [prompt.elements_text(drawn[0]) + f"{prompt.CLAUSE}{prompt.CLAUSES[0]}\n",
             prompt.elements_text(drawn[1]) + f"{prompt.CLAUSE}{prompt.CLAUSES[0]}\n",
             "中华人民共和国民法典 合同编\n第五百七十七条 当事人一方不履行合同义务"]
    prompts = [tok.encode(t, add_special_tokens=False).ids for t in texts]
    continued, tops = [], []
    for n, ids in enumerate(prompts):
        sequence, gaps = list(ids), []
        with torch.no_grad():
            for _ in range(greedy):
                best = model(input_ids=torch.tensor([sequence])).logits[0, -1].topk(2)
                gaps.append(round((best.values[0] - best.values[1]).item(), 5))
                sequence.append(int(best.indices[0]))
            logits = model(input_ids=torch.tensor([sequence])).logits[0]
        continued.append({"ids": sequence[len(ids):], "gap": gaps, "text": tok.decode(sequence[len(ids):], skip_special_tokens=False)})
        at = list(range(len(sequence) - positions, len(sequence))) if n < 2 else list(range(min(len(sequence), 24)))
        rows = logits[at].topk(10)
        tops.append({"sequence_ids": sequence, "range": round((logits.max() - logits.min()).item(), 4),
                     "positions": at if n == 2 else [at[0], at[-1] + 1],
                     "ids": rows.indices.tolist(), "values": [[round(v, 5) for v in row] for row in rows.values.tolist()]})
    folder = os.path.join(out_dir, "golden")
    os.makedirs(folder, exist_ok=True)
    for name, value in (("prompt_ids", prompts), ("prompt_text", texts), ("greedy", continued), ("top_logits", tops)):
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
            json.dump(value, out, ensure_ascii=False, separators=(",", ":"))
            out.write("\n")
    return continued
