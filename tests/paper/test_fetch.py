"""Papers found as files, on the web (a server of our own) and in the cache."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pdf_files import Page, write_pdf

from fxanchor.errors import InputError
from fxanchor.paper import download, fetch
from fxanchor.paper.fetch import locate_paper


class Site(http.server.ThreadingHTTPServer):
    """Answers by path and counts its requests."""

    def __init__(self, pdf: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pdf = pdf
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body = self.server.pdf
        match self.path.split("?")[0].strip("/"):
            case "moved":
                self.send_response(302)
                self.send_header("Location", "/paper.pdf")
                self.end_headers()
                return
            case "page":
                body = b"<html><body>The abstract.</body></html>" * 40
            case "short":
                body = b"<p>"
            case "missing":
                self.send_error(404)
                return
            case "private":
                self.send_error(403)
                return
            case "cut":
                self.send_response(200)
                self.send_header("Content-Length", str(len(body) * 2))
                self.end_headers()
                self.wfile.write(body)
                return
            case "stream":
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)
                return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    page = Page()
    page.text(72, 700, 10, "A text.")
    return write_pdf(tmp_path / "paper.pdf", [page])


@pytest.fixture
def site(pdf: Path) -> Iterator[Site]:
    server = Site(pdf.read_bytes())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def cached(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_file_is_itself(pdf: Path) -> None:
    assert locate_paper(str(pdf)) == pdf


def test_a_url_is_downloaded_once_with_progress(site: Site, pdf: Path) -> None:
    told: list[tuple[str, int, int]] = []
    url = f"{site.url}/paper.pdf"
    first = locate_paper(url, progress=lambda *step: told.append(step))
    assert first.read_bytes() == pdf.read_bytes()
    assert told[-1] == ("downloading", len(site.pdf), len(site.pdf))
    assert locate_paper(url) == first
    assert site.asked == ["/paper.pdf"]


@pytest.mark.parametrize("path", ["moved", "stream", "a%20b c.pdf?x=é"])
def test_ways_to_serve(site: Site, path: str) -> None:
    assert locate_paper(f"{site.url}/{path}").read_bytes() == site.pdf


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("arxiv:2112.08429", "/pdf/2112.08429"),
        ("arXiv:2112.08429v2", "/pdf/2112.08429v2"),
        ("arxiv:hep-th/9901001", "/pdf/hep-th/9901001"),
        ("arxiv:math.GT/0309136v1", "/pdf/math.GT/0309136v1"),
    ],
)
def test_arxiv(site: Site, monkeypatch: pytest.MonkeyPatch, name: str, asked: str) -> None:
    monkeypatch.setattr(fetch, "ARXIV", f"{site.url}/pdf/")
    assert locate_paper(name).read_bytes() == site.pdf
    assert site.asked == [asked]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("page", "is not a PDF"),
        ("short", "is not a PDF"),
        ("missing", "was not found (HTTP 404)"),
        ("private", "was refused (HTTP 403)"),
        ("cut", "broke off"),
    ],
)
def test_refusals_leave_nothing(site: Site, tmp_path: Path, path: str, words: str) -> None:
    with pytest.raises(InputError, match=r"^http") as caught:
        locate_paper(f"{site.url}/{path}")
    assert words in str(caught.value)
    assert cached(tmp_path) == []


@pytest.mark.parametrize("path", ["paper.pdf", "stream"])
def test_size_is_limited(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(download, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="larger than"):
        locate_paper(f"{site.url}/{path}")
    assert cached(tmp_path) == []


def test_time_is_limited(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "TOTAL_SECONDS", -1.0)
    with pytest.raises(InputError, match="did not answer in time"):
        locate_paper(f"{site.url}/paper.pdf")
    assert cached(tmp_path) == []


def test_no_server() -> None:
    with pytest.raises(InputError, match=r"could not be reached .*: check the network, or give a file"):
        locate_paper("http://127.0.0.1:9/paper.pdf")


def test_a_cache_that_cannot_be_written(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="could not be downloaded"):
        locate_paper(f"{site.url}/paper.pdf")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("arxiv:", "is no arXiv identifier"),
        ("arxiv:FX", "is no arXiv identifier"),
        ("arxiv:2112.08429/../x", "is no arXiv identifier"),
        ("ftp://example.org/a.pdf", "ftp addresses are not read"),
        ("http:///a.pdf", "is no web address"),
        ("http://[", "is no web address"),
        ("http://.", "is no web address"),
        ("http://a b/c.pdf", "is no web address"),
        ("http://[::1/a.pdf", "is no web address"),
        ("http://example.org:port/a.pdf", "is no web address"),
        ("http://example.org:99999/a.pdf", "is no web address"),
        ("nowhere/paper.pdf", "does not exist"),
        (".", "is a directory"),
        ("/dev/zero", "is a device"),
        ("a" * 5000, "does not exist"),
    ],
)
def test_what_is_no_source(source: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        locate_paper(source)
    assert words in str(caught.value)
