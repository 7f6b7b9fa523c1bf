"""Stores on this machine: one that speaks S3, one of the web, and one that never answers; no test leaves loopback."""

from __future__ import annotations

import io
import logging
import os
import socket
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import polars as pl
import pytest

LOOPBACK = "127.0.0.1"
# The store asks for a signature, and does not look at it.
SIGNED = "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
# What an environment may say of stores and of ways to them.
ELSEWHERE = ("AWS_", "GOOGLE_", "AZURE_", "HF_")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@contextmanager
def alone() -> Iterator[None]:
    """Without what the environment says of stores, and with the way to this machine free."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(ELSEWHERE) or name.upper() in PROXIES:
                patch.delenv(name)
        # A proxy that nobody answers at: whatever goes there by mistake fails at once.
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            patch.setenv(name, f"http://{LOOPBACK}:1")
            patch.setenv(name.lower(), f"http://{LOOPBACK}:1")
        for name in ("NO_PROXY", "no_proxy"):
            patch.setenv(name, f"{LOOPBACK},localhost")
        for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
            patch.setenv(name, os.devnull)
        yield


@dataclass
class Bucket:
    """A bucket of a local store."""

    endpoint: str
    name: str

    @property
    def options(self) -> dict[str, Any]:
        """What the store is to be told."""
        return {
            "aws_access_key_id": "key",
            "aws_secret_access_key": "secret",
            "aws_region": "us-east-1",
            "aws_endpoint_url": self.endpoint,
            "aws_allow_http": True,
        }

    def url(self, key: str) -> str:
        """The path of what is there."""
        return f"s3://{self.name}/{key}"

    def upload(self, key: str, content: bytes | pl.DataFrame) -> str:
        """Store bytes, or a table as Parquet."""
        upload(f"{self.endpoint}/{self.name}/{key}", content)
        return self.url(key)


def upload(url: str, content: bytes | pl.DataFrame | None = None) -> None:
    # As forms they would be read as what they are not.
    kind = {"Content-Type": "application/octet-stream", "Authorization": SIGNED}
    request = urllib.request.Request(url, None if content is None else parquet(content), kind, method="PUT")
    urllib.request.urlopen(request, timeout=10).close()


def parquet(content: bytes | pl.DataFrame) -> bytes:
    """A table as Parquet; bytes as they are."""
    if isinstance(content, bytes):
        return content
    out = io.BytesIO()
    content.write_parquet(out)
    return out.getvalue()


@contextmanager
def s3() -> Iterator[Bucket]:
    """A store that speaks S3, in a thread of this process, at a port of its own."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").disabled = True
    server = ThreadedMotoServer(ip_address=LOOPBACK, port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        bucket = Bucket(f"http://{host}:{port}", "bucket")
        upload(f"{bucket.endpoint}/{bucket.name}")
        yield bucket
    finally:
        server.stop()


@dataclass
class Site:
    """Files of the web, and what was asked of it."""

    files: Mapping[str, bytes]
    refuses: bool = False
    url: str = ""
    requested: list[str] = field(default_factory=list)
    served: int = 0


@contextmanager
def web(files: Mapping[str, bytes], *, refuses: bool = False) -> Iterator[Site]:
    """A server of files that knows ranges; or one that refuses whatever is asked."""
    site = Site(files, refuses)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            site.requested.append(self.path)
            content = site.files.get(self.path.partition("?")[0])
            if site.refuses or content is None:
                why = b"<Error><Code>InvalidAccessKeyId</Code></Error>" if site.refuses else b"nothing here"
                self.answer(HTTPStatus.FORBIDDEN if site.refuses else HTTPStatus.NOT_FOUND, why, {})
                return
            begin, end = 0, len(content)
            if requested := self.headers.get("Range"):
                first, last = requested.removeprefix("bytes=").split("-")
                begin = int(first) if first else max(0, end - int(last))
                end = min(end, int(last) + 1) if first and last else end
                rest = {"Content-Range": f"bytes {begin}-{end - 1}/{len(content)}"}
                self.answer(HTTPStatus.PARTIAL_CONTENT, content[begin:end], rest)
                return
            self.answer(HTTPStatus.OK, content, {"Accept-Ranges": "bytes"})

        def answer(self, status: HTTPStatus, content: bytes, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                site.served += len(content)
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with answering(Handler) as address:
        site.url = f"http://{address}"
        yield site


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address, without its scheme, of a server on this machine."""
    server = ThreadingHTTPServer((LOOPBACK, 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"{LOOPBACK}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@contextmanager
def silent() -> Iterator[str]:
    """An address that takes every call and never answers."""
    with socket.socket() as listening:
        listening.bind((LOOPBACK, 0))
        listening.listen(64)
        yield f"http://{LOOPBACK}:{listening.getsockname()[1]}"
