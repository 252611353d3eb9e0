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
    "first operation": (
        "{place} {expression}: it is the first operation that is recorded, as {node}.",
        "{place} {expression}：它是第一个被记录的运算，记为 {node}。",
    ),
    "nothing recorded": ("In {model} no operation of yours was recorded.", "在 {model} 中没有记录到你的运算。"),
    "not captured": (
        "{model} was not captured: {place} {expression} stands in the way.",
        "{model} 未能捕获：{place} {expression} 挡住了去路。",
    ),
    "not captured at all": ("{model} was not captured.", "{model} 未能捕获。"),
    "table": ("The table", "总表"),
    "table text": (
        "Set these breakpoints in a debugger; a run came to every line that is given here.",
        "把这些断点设进调试器；表中给出的每一行，都有一次真实运行到达过。",
    ),
    "table unproven": (
        "These are the lines that stop; name a model to have them proven.",
        "这些是会停下的行；给出模型即可由运行证实。",
    ),
    "concept": ("concept", "概念"),
    "paper": ("paper", "论文"),
    "code": ("code", "代码"),
    "breakpoint": ("breakpoint", "断点"),
    "trigger": ("set off by", "触发处"),
    "trigger of": ("set off by ({model})", "触发处（{model}）"),
    "states": ("What you see when you stop here", "停在这里会看到什么"),
    "states text": (
        "What a run of {model} showed, in the order in which it came there.",
        "{model} 的一次运行按到达顺序显示的内容。",
    ),
    "state": ("what it shows", "说明"),
    "seen": ("seen", "看到"),
    "cards": ("Cards", "概念卡片"),
    "doc": ("In the source", "源码中写道"),
    "also": ("In the paper also “{phrase}”", "论文中也称“{phrase}”"),
    "no cards": ("The paper names nothing that the package has.", "论文没有提到软件包中的任何名字。"),
    "paper says": ("The paper says", "论文的说法"),
    "code does": ("What the code does", "代码的做法"),
    "your model": ("On your model", "在你的模型上"),
    "on model": ("On {model}", "在 {model} 上"),
    "first at": ("first for", "最先由"),
    "hits": ("{count} calls", "调用 {count} 次"),
    "hit": ("1 call", "调用 1 次"),
    "hit more": ("more breakpoints inside it: {count}", "其中还有 {count} 个断点"),
    "not reached": ("not reached", "未到达"),
    "not watched": ("not known", "不清楚"),
    "not executable": ("no Python line to stop on", "没有可停下的 Python 行"),
    "stops at": (
        "A debugger stops at {place}, but this run never came there",
        "调试器可停在 {place}，但这次运行没有到达",
    ),
    "not seen at": (
        "A debugger stops at {place}; whether this run came there is not known",
        "调试器可停在 {place}；不清楚这次运行是否到达",
    ),
    "break": ("Break", "断点"),
    "unproven": ("not run: no model was given", "未运行：没有给出模型"),
    "gives up": ("Where it gives up", "何时放弃"),
    "gives up item": ("{exception} at {place}: {message}", "{exception} 位于 {place}：{message}"),
    "try": ("Try it", "动手试试"),
    "true or false": ("True or false? “{statement}” ({who})", "对还是错？“{statement}”（{who}）"),
    "run it": ("Run {command}", "运行 {command}"),
    "what it gave": ("What it gave here", "这里的运行结果"),
    "verdict": ("On torch {version}: {verdict}.", "在 torch {version} 上：{verdict}。"),
    "holds": ("it holds", "成立"),
    "does not hold": ("it does not hold", "不成立"),
    "changed since": ("it has changed since", "此后有变"),
    "not applicable": ("it could not be checked", "无法检验"),
    "answer": ("Answer", "答案"),
    "ask": ("Ask yourself", "问问自己"),
    "q entry": (
        "On {model}, how often is {symbol} called during the capture, and which of your expressions comes first?",
        "在 {model} 的捕获过程中，{symbol} 被调用几次？最先触发它的是你的哪个表达式？",
    ),
    "a entry": ("{hits}, first for {trigger}.", "{hits}，最先由 {trigger} 触发。"),
    "q hits": (
        "On {model}, how often is {symbol} called during the capture?",
        "在 {model} 的捕获过程中，{symbol} 被调用几次？",
    ),
    "a hits": ("{hits}.", "{hits}。"),
    "q raise": ("When does {symbol} refuse to go on?", "{symbol} 在什么情况下拒绝继续？"),
    "q stop": (
        "On which line must a breakpoint stand to stop at every call of {symbol}?",
        "断点要设在哪一行，才会在每次调用 {symbol} 时停下？",
    ),
    "a stop": (
        "On {place}: the first line of its body that has bytecode. On the line of the {keyword} itself it would stop "
        "when the module is imported, and at no call.",
        "在 {place}：函数体中第一行有字节码的行。设在 {keyword} 那一行只会在导入模块时停下，调用时不会。",
    ),
    "q where": ("Where is {symbol} declared, and as what?", "{symbol} 在哪里声明？声明成什么？"),
    "a where": ("In {place}: {code}", "在 {place}：{code}"),
    "stood there": ("I have stood there", "我在那里停下看过"),
    "understood": ("I can say what it does without looking", "我不看代码也能说出它做什么"),
    "linked phrase": (
        "Why {symbol}: the catalogue has the phrase “{phrase}”.",
        "为何是 {symbol}：目录收录了“{phrase}”这个说法。",
    ),
    "linked": ("Why {symbol}: {why}.", "为何是 {symbol}：{why}"),
    "value path": ("The path of one value", "一个值走过的路"),
    "value path text": (
        "{expression} on {place} becomes the node {node}, and the node becomes this line of the generated code:",
        "{place} 的 {expression} 成为节点 {node}，节点又成为生成代码中的这一行：",
    ),
    "runs forward": ("runs your code on stand-ins", "用替身运行你的代码"),
    "stand-in back": ("a stand-in for the result", "结果的替身"),
    "generated": ("generated code", "生成的代码"),
    "graph": ("The graph of {model}", "{model} 的计算图"),
    "graph folded": (
        "{count} nodes, drawn by the module that they ran in; the number of nodes is in brackets.",
        "共 {count} 个节点，按所在模块合并绘制；括号中是节点数。",
    ),
    "blockers": ("What stands in the way", "障碍"),
    "blockers text": (
        "What a capture cannot pass, in order, and what it gets wrong in silence.",
        "捕获过不去的地方，以及悄悄出错的地方，按顺序列出。",
    ),
    "raises": ("raises", "抛出"),
    "silent": ("nothing is raised, and the graph is wrong", "不抛出异常，而图是错的"),
    "raised in": ("in {symbol}", "位于 {symbol}"),
    "way past": ("A way past it that was tried ({title}):", "试过可行的办法（英文：{title}）："),
    "claims": ("Claims to question", "值得追问的论断"),
    "claims text": (
        "What the paper promises, with the code that has to keep it. Tick what you have seen kept or broken.",
        "论文的承诺，以及必须兑现它的代码。看到它兑现或落空，就打勾。",
    ),
    "rests on": ("rests on", "依据"),
    "gives up at": ("gives up with", "放弃时"),
    "api": ("What the paper names and the package offers", "论文提到的与软件包提供的"),
    "api named": ("Public names that the paper speaks of", "论文提到的公开名字"),
    "api unnamed": ("Public names that it never mentions", "论文从未提到的公开名字"),
    "api missing": ("Names of the paper that the package does not have", "论文提到而软件包没有的名字"),
    "moved title": ("What moved since the paper", "论文之后的变动"),
    "moved": ("moved, now", "已移至"),
    "missing": ("not in this version", "此版本中没有"),
    "nothing moved": ("Nothing that the paper names has moved.", "论文提到的名字都还在原处。"),
    "not names": ("Words that look like names and are not", "看似名字而不是名字的词"),
    "homeless": ("Notes whose card is gone", "已无对应卡片的笔记"),
    "section of": ("section {number}", "第 {number} 节"),
    "page": ("page {number}", "第 {number} 页"),
    "line": ("line {number}", "第 {number} 行"),
    "pages": ("Pages", "各页"),
    "back": ("Back to the sheet", "回到学习单"),
    "notebook setup": (
        "Run the cells from the top. The experiments need torch alone; the trace needs fxanchor.",
        "请从上往下运行。实验只需要 torch；追踪还需要 fxanchor。",
    ),
    "notebook trace": ("Trace {model} again", "再次追踪 {model}"),
    "colon": (": ", "："),
    "comma": (", ", "，"),
    "full stop": (".", "。"),
    "what is": ("What is {symbol}?", "{symbol} 是什么？"),
}


def english(text: str, language: Language) -> str:
    """Return what the linker, the capture or a lab says, which is English, marked as that in a sheet that is not.

    Args:
        text: The English words, or "".
        language: Of the sheet's own words.
    """
    return text if language is Language.en or not text else f"（英文）{text}"


def say(key: str, language: Language, **values: object) -> str:
    """Return the words for `key`, with `values` filled in.

    Raises:
        KeyError: When there are no such words.
    """
    text = _WORDS[key][0 if language is Language.en else 1]
    return text.format(**values) if values else text


def all_keys() -> tuple[str, ...]:
    """Return every key, for checking that all of them have both languages."""
    return tuple(_WORDS)
