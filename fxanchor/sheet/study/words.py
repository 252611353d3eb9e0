"""The sheet's own words, in English and in Chinese. What the paper, the source and the model say stays as it is."""

from fxanchor.sheet.study.options import Language

_WORDS: dict[str, tuple[str, str]] = {
    "study sheet": ("Study sheet", "学习单"),
    "start here": ("Start here", "从这里开始"),
    "q problem": ("Which problem does it solve?", "它解决什么问题？"),
    "q path": ("Which is the shortest way through the code?", "代码里最短的路径是哪条？"),
    "q line": ("Which line of my model sets it off?", "我的模型里哪一行触发了它？"),
    "no purpose": ("The paper does not say it in one sentence.", "论文没有用一句话说明。"),
    "no model": ("Name a model file to find out: {command}", "给出一个模型文件即可得知：{command}"),
    "not captured": ("{model} was not captured; its blockers are below.", "{model} 未能捕获；障碍列在下文。"),
    "table": ("The table", "总表"),
    "concept": ("concept", "概念"),
    "paper": ("paper", "论文"),
    "code": ("code", "代码"),
    "breakpoint": ("breakpoint", "断点"),
    "trigger": ("set off by", "触发处"),
    "cards": ("Cards", "概念卡片"),
    "paper says": ("The paper says", "论文的说法"),
    "code does": ("What the code does", "代码的做法"),
    "your model": ("On your model", "在你的模型上"),
    "first at": ("first at", "最先在"),
    "hits": ("{count} calls", "调用 {count} 次"),
    "hit": ("1 call", "调用 1 次"),
    "not reached": ("not reached", "未到达"),
    "not executable": ("no Python line can be stopped on", "没有可停下的 Python 行"),
    "break": ("Break", "断点"),
    "unproven": ("not run: no model was given", "未运行：没有给出模型"),
    "seen": ("Seen at the first stop", "第一次停下时看到"),
    "gives up": ("Gives up", "何时放弃"),
    "gives up item": ("{exception} at {place}: {message}", "{exception}，位于 {place}：{message}"),
    "moved": ("Moved since the paper", "论文发表后搬了家"),
    "homeless": ("Notes whose card is gone", "已无对应卡片的笔记"),
    "answer": ("Answer", "答案"),
    "ask": ("Ask yourself", "问问自己"),
    "q entry": (
        "On {model}, how often is {symbol} called during the capture, and which of your expressions comes first?",
        "在 {model} 的捕获过程中，{symbol} 被调用几次？最先触发它的是你的哪个表达式？",
    ),
    "a entry": ("{hits}, first for {trigger}.", "{hits}，最先由 {trigger} 触发。"),
    "q raise": ("When does {symbol} refuse to go on?", "{symbol} 在什么情况下拒绝继续？"),
    "stood there": ("I have stood there", "我在那里停下看过"),
    "understood": ("I can say what it does without looking", "我不看代码也能说出它做什么"),
    "value path": ("The path of one value", "一个值走过的路"),
    "value path text": (
        "{expression} on {place} becomes the node {node}, and this line of the generated code:",
        "{place} 的 {expression} 成为节点 {node}，再成为生成代码中的这一行：",
    ),
    "graph": ("The graph of {model}", "{model} 的计算图"),
    "blockers": ("What stands in the way", "障碍"),
    "blockers text": (
        "What a capture cannot pass, in order, and what it gets wrong in silence.",
        "捕获过不去的地方，以及悄悄出错的地方。",
    ),
    "api": ("What the paper names and the package offers", "论文提到的与软件包提供的"),
    "api named": ("Public names that the paper speaks of", "论文提到的公开名字"),
    "api unnamed": ("Public names that it never mentions", "论文从未提到的公开名字"),
    "moved title": ("What moved since the paper", "论文之后的变动"),
    "nothing moved": ("Nothing that the paper names has moved.", "论文提到的名字都还在原处。"),
    "not names": ("Words that look like names and are not", "看似名字而不是名字的词"),
    "lines": ("lines {first}-{last}", "第 {first}-{last} 行"),
    "you": ("you", "你"),
    "model": ("Model", "模型"),
    "generated": ("generated code", "生成的代码"),
    "section": ("section", "节"),
    "page": ("page", "页"),
    "line": ("line", "行"),
}


def say(key: str, language: Language, **values: object) -> str:
    """Return the words for `key`, with `values` filled in.

    Raises:
        KeyError: When there are no such words.
    """
    text = _WORDS[key][0 if language is Language.en else 1]
    return text.format(**values) if values else text


def keys() -> tuple[str, ...]:
    """Return every key, for checking that all of them have both languages."""
    return tuple(_WORDS)
