# SPDX-License-Identifier: Apache-2.0
"""From a form to the skeleton of its rows. Each rendered line is a row of a table, cells apart by ｜, lines of a cell
by ↵; the marks and lines themselves are macros of data/doctypes/_shared/element_form.jinja."""

HEAD = "{#- Written by tools/make_element_forms.py from tools/element_forms/causes; change it there. -#}\n"


def _quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _value(field, path):
    """An expression for what stands in the cell."""
    if field.kind in ("text", "paragraph"):
        return f"{path} | cell"
    if field.kind == "money":
        return f"{path} | yuan"
    if field.kind == "date":
        return f"{path} | date"
    if field.kind == "percent":
        return f"({path} | rate) ~ '%'"
    if field.kind == "integer":
        return path
    if field.kind == "list":
        return f"list_{field.key}({path})"
    raise ValueError(field.kind)


def _options(field):
    return "[" + ", ".join(f"[{_quoted(v)}, {_quoted(label)}]" for v, label in field.options.items()) + "]"


def _line(field, parent, always=False):
    """always: a required field, which the schema or the mark of a missing value fills whenever the row is printed."""
    path = f"{parent}.{field.stored}"
    title = _quoted(field.title)
    if field.kind == "tri":
        return f"line({title}, tri({path}))"
    if field.kind == "choice":
        made = f"line({title}, pick({path}, {_options(field)}))"
    elif field.kind == "list":
        made = f"block({title}, {_value(field, path)})"
    else:
        made = f"line({title}, {_value(field, path)})"
    if field.required and always:
        return made
    there = f"{path} is defined" if field.kind in ("money", "integer", "percent") else path
    return f"{made} if {there} else ''"


def _list_macro(field):
    """（1）日期：…，金额：… one line for each entry."""
    parts = ",\n    ".join(_line(inner, "entry", always=True) for inner in field.fields)
    return (f"{{%- macro list_{field.key}(entries) -%}}\n{{%- for entry in entries -%}}\n"
            f"{{{{ '' if loop.first else '↵' }}}}（{{{{ loop.index }}}}）{{{{ [\n    {parts}\n  ] | select | join('，') }}}}\n"
            f"{{%- endfor -%}}\n{{%- endmacro -%}}\n")


def _macros(items):
    fields = [f for item in items for f in item.fields if f.kind == "list"]
    if len({f.key for f in fields}) != len(fields):
        raise ValueError("two lists of one key: " + ", ".join(f.key for f in fields))
    return "".join(_list_macro(f) for f in fields)


def _row(number, item, group):
    parent = f"{group}.{item.key}"
    parts = [_line(f, parent, always=not item.ask) for f in item.fields]
    if item.ask:
        parts.insert(0, f"tri({parent}.state)")
    return f"{number}. {item.title}｜{{{{ lines([\n  " + ",\n  ".join(parts) + "\n]) }}\n"


def claims(form):
    text = HEAD + _macros(form.claims) + "诉讼请求｜内容\n"
    for number, item in enumerate(form.claims, 1):
        text += _row(number, item, "claims")
    number = len(form.claims) + 1
    if form.has_total:
        text += (f"{number}. 标的总额｜{{{{ lines([\n  derived.total_fen | yuan ~ '（大写：人民币' ~ "
                 "(derived.total_fen | capital) ~ '）' if derived.total_fen else '',\n"
                 "  line('计算', derived.formula ~ '＝' ~ (derived.total_fen | yuan)) if derived.formula else ''\n]) }}\n")
        number += 1
    text += (f"{number}. 请求依据｜{{{{ lines([\n  line('合同约定', basis.contract | cell) if basis.contract else '',\n"
             "  line('法律规定', citations ~ ('；' ~ (basis.law | cell) if basis.law else '')) if citations else\n"
             "  (line('法律规定', basis.law | cell) if basis.law else '')\n]) }}\n")
    return text


def facts(form):
    text = HEAD + _macros(form.facts) + "事实与理由｜内容\n"
    for number, item in enumerate(form.facts, 1):
        text += _row(number, item, "facts")
    return text


def _answer_row(number, item, group):
    path = f"{group}.{item.key}"
    parts = [f"position({path}.position)"]
    if item.answer_amount:
        parts.append(f"line('认可的金额', {path}.amount_fen | yuan) if {path}.amount_fen is defined else ''")
    parts.append(f"line('事实和理由', {path}.reason | cell) if {path}.reason else ''")
    return f"{number}. 对{item.title}的意见｜{{{{ lines([\n  " + ",\n  ".join(parts) + "\n]) }}\n"


def answer_rows(title, items, group):
    text = HEAD + f"{title}｜内容\n"
    for number, item in enumerate(items, 1):
        text += _answer_row(number, item, group)
    return text
