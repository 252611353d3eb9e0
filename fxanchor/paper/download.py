"""Download a paper once, whole or not at all, within bounds of size and time."""

import http.client
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import IO, Final

from fxanchor import __version__, cache
from fxanchor.errors import InputError
from fxanchor.progress import Progress

MAX_BYTES: Final = 200_000_000
CONNECT_SECONDS: Final = 20.0
TOTAL_SECONDS: Final = 300.0
_CHUNK = 1 << 16


def download(url: str, name: str, progress: Progress) -> Path:
    """Return the file of an address, from the cache when it has been downloaded before.

    Args:
        url: An http(s) address.
        name: What the address is called in messages.
        progress: Told of the bytes downloaded.

    Raises:
        InputError: When it cannot be reached, is too large or too slow, or is no PDF.
    """
    target = cache.path("download", f"{cache.key([url])}.pdf")
    if target.is_file():
        return target
    try:
        with _open(url, name) as response, cache.replacing(target) as temporary, temporary.open("wb") as out:
            _copy(response, out, name, progress)
    except InputError:
        raise
    except TimeoutError:
        raise InputError(f"{name} did not answer in time: try again, or download it and give the file.") from None
    except (ValueError, http.client.InvalidURL):
        # A host that cannot be written in the name system, a port that is no number.
        raise InputError(f"{name} is no web address: write it like https://example.org/paper.pdf.") from None
    except (OSError, http.client.HTTPException) as error:
        raise InputError(
            f"{name} could not be downloaded ({_reason(error)}): try again, or download it and give the file."
        ) from None
    return target


def _open(url: str, name: str) -> http.client.HTTPResponse:
    request = urllib.request.Request(
        _quoted(url), headers={"User-Agent": f"fxanchor/{__version__}", "Accept": "application/pdf,*/*;q=0.5"}
    )
    try:
        response = urllib.request.urlopen(request, timeout=CONNECT_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise InputError(f"{name} was not found (HTTP {error.code}): check the address.") from None
        raise InputError(f"{name} was refused (HTTP {error.code}): download it and give the file.") from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise TimeoutError from None
        raise InputError(
            f"{name} could not be reached ({_reason(error.reason)}): check the network, or give a file."
        ) from None
    assert isinstance(response, http.client.HTTPResponse)
    return response


def _quoted(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    # The port is looked at here, since asking for one that cannot be raises ValueError.
    if not parts.hostname or parts.port == 0:
        raise ValueError
    # Addresses are pasted with blanks and letters that must be escaped on the wire.
    path = urllib.parse.quote(parts.path, safe="/%:@!$&'()*+,;=~")
    query = urllib.parse.quote(parts.query, safe="=&%/:?@!$'()*+,;~")
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def _copy(response: http.client.HTTPResponse, out: IO[bytes], name: str, progress: Progress) -> None:
    started = time.monotonic()
    total = int(length) if (length := response.headers.get("Content-Length", "")).isdigit() else 0
    if total > MAX_BYTES:
        raise InputError(_too_large(name))
    done, start = 0, b""
    while chunk := response.read1(_CHUNK):
        if len(start) < 1024:
            start += chunk[: 1024 - len(start)]
            if len(start) >= 1024 and b"%PDF-" not in start:
                raise InputError(_no_pdf(name))
        done += len(chunk)
        if done > MAX_BYTES:
            raise InputError(_too_large(name))
        if time.monotonic() - started > TOTAL_SECONDS:
            raise TimeoutError
        out.write(chunk)
        progress("downloading", done, total)
    if b"%PDF-" not in start:
        raise InputError(_no_pdf(name))
    if done < total:
        raise InputError(f"{name} broke off after {done:,} of {total:,} bytes: try again.")


def _too_large(name: str) -> str:
    return f"{name} is larger than {MAX_BYTES // 1_000_000} MB: download it and give the file."


def _no_pdf(name: str) -> str:
    return f"{name} is not a PDF: give the address of the PDF itself, not of its page."


def _reason(error: object) -> str:
    if isinstance(error, socket.gaierror):
        return "the name of the server is not known"
    if isinstance(error, ConnectionRefusedError):
        return "the server refused the connection"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
