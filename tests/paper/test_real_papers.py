"""Real papers, where they are at hand: what a person sees on their pages is what is read."""

import ast
from pathlib import Path

import pytest

from fxanchor.errors import InputError
from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper

_READ: dict[Path, Paper] = {}


def read(papers: Path, name: str) -> Paper:
    path = papers / name
    if not path.is_file():
        pytest.skip(f"{name} is not here")
    if path not in _READ:
        _READ[path] = read_paper(path)
    return _READ[path]


def prose(paper: Paper) -> str:
    return "\n".join(passage.text for passage in paper.passages if passage.role == "prose")


def listings(paper: Paper) -> list[str]:
    return [passage.text for passage in paper.passages if passage.role == "listing"]


def test_the_fx_paper(papers: Path) -> None:
    paper = read(papers, "torch_fx_2112.08429.pdf")
    assert paper.title.startswith("torch.fx: Practical Program Capture")
    names = """Abstract 1 2 2.1 2.2 2.3 3 4 4.1 4.2 4.3 5 5.1 5.2 5.3 5.4 5.5 5.6 6 6.1 6.2 6.2.1 6.2.2 6.2.3 6.3
        6.4 7 8 References A A.1 A.2 B C D"""
    assert [section.name for section in paper.sections] == names.split()
    text = prose(paper)
    assert "capturing code with torch.fx. symbolic_trace takes a function" in text
    assert "invokes a sub-Module’s forward method" in text
    assert "Proxy is a duck-typed Python class that records attribute accesses" in text
    assert "\ufb01" not in text and "\ufffd" not in text
    labels = {passage.label for passage in paper.passages if passage.role == "listing"}
    assert {"Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 5"} <= labels
    for listing in listings(paper)[:4]:
        ast.parse(listing)


def test_names_with_drawn_underscores(papers: Path) -> None:
    paper = read(papers, "pytorch_ddp_2006.15704.pdf")
    text = prose(paper)
    for name in ("no_sync", "bucket_cap_mb", "find_unused_parameters", "process_group"):
        assert name in text
    assert "no sync mode" not in text
    for listing in listings(paper):
        if listing.startswith(("import torch", "ddp =")):
            ast.parse(listing)
    assert "par.DistributedDataParallel(net)\nopt = optim.SGD(net.parameters(), lr=0.01)" in "\n".join(listings(paper))


def test_names_broken_over_lines(papers: Path) -> None:
    paper = read(papers, "cgo22_9741270.pdf")
    text = prose(paper)
    assert "kernelHistogram1D(), a tensor analysis kernel" in text
    assert "batch_norm_collect_statistics()), while" in text
    assert {"I", "II-A", "III-C", "VI", "Appendix", "A", "References"} <= {part.name for part in paper.sections}


def test_no_code_font(papers: Path) -> None:
    paper = read(papers, "dl_compiler_survey_tpds.pdf")
    assert not paper.has_code_font
    assert {"1", "3.1.2", "5.4", "References"} <= {part.name for part in paper.sections}
    assert prose(paper).startswith("Mingzhen Li")


def test_chinese(papers: Path) -> None:
    paper = read(papers, "zh_django_cms_lunwen.pdf")
    assert paper.title == "基于 Django 框架的 CMS 系统基础功能实现"
    assert [part.number for part in paper.sections if part.number][:5] == ["1", "2", "2.1", "2.2", "3"]
    assert "models包含在django.db中" in prose(paper)
    assert any(text.startswith("class UserProfileForm(forms.ModelForm):\n    class Meta:") for text in listings(paper))


def test_headings_without_numbers(papers: Path) -> None:
    paper = read(papers, "joss_pyffs.pdf")
    assert {"Summary", "Statement of need", "GPU usage", "References"} <= {part.name for part in paper.sections}
    assert any("pyffs.ffsn_sample(T=T, N_FS=N_FS, T_c=T_c, N_s=N_s)" in text for text in listings(paper))


def test_another_layout(papers: Path) -> None:
    paper = read(papers, "tvm_osdi18.pdf")
    assert paper.title == "TVM: An Automated End-to-End Optimizing Compiler for Deep Learning"
    assert any("k = t.reduce_axis((0, 1024))" in text for text in listings(paper))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("html_named.pdf", "is not a PDF file"),
        ("image_only.pdf", "no text layer"),
        ("two_bytes.pdf", "is not a PDF file"),
        ("zero_bytes.pdf", "is empty"),
        ("user_password_secret.pdf", "locked with a password"),
        ("owner_password_only.pdf", ""),
        ("broken_page_tree.pdf", ""),
        ("truncated.pdf", ""),
    ],
)
def test_hard_files(papers: Path, name: str, words: str) -> None:
    path = papers / "hard" / name
    if not path.is_file():
        pytest.skip(f"{name} is not here")
    if words:
        with pytest.raises(InputError) as caught:
            read_paper(path)
        assert words in str(caught.value)
    else:
        paper = read_paper(path)
        assert paper.passages
        assert bool(paper.warnings) == (name != "owner_password_only.pdf")
