"""Signed events (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Any

from ._errors import WebhookError


@dataclass(frozen=True)
class WebhookEvent:
    """An event of an installation, as Standard Webhooks carry it."""

    type: str
    timestamp: str
    data: Any


class Webhooks:
    """Checks and reads signed events."""

    def unwrap(
        self,
        body: str | bytes,
        headers: Mapping[str, str],
        secret: str | Sequence[str],
        *,
        tolerance: float = 300,
    ) -> WebhookEvent:
        """Checks the signature and the time of an event, and returns it. `body` must be the text as it was received. `secret` may be a
        list while a secret is exchanged. `tolerance` says how far the clocks may be apart, in seconds. Raises WebhookError."""
        raw = body.encode() if isinstance(body, str) else body
        lower = {name.lower(): value for name, value in headers.items()}
        id, timestamp, signatures = (lower.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        if not id or not timestamp or not signatures:
            raise WebhookError("One of the headers webhook-id, webhook-timestamp and webhook-signature is missing.")
        _check_age(timestamp, tolerance)
        given = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
        content = f"{id}.{timestamp}.".encode() + raw
        for one in [secret] if isinstance(secret, str) else secret:
            if _is_signed(one, content, given):
                return _read_event(raw)
        raise WebhookError("No signature fits. Check the secret, and give the body as it was received.")


def _check_age(timestamp: str, tolerance: float) -> None:
    if not timestamp.isdecimal():
        raise WebhookError("The header webhook-timestamp is no number of seconds.")
    age = time() - float(timestamp)
    if abs(age) > tolerance:
        raise WebhookError(
            f"The event is {round(abs(age))} s {'old' if age > 0 else 'ahead'}, and {tolerance:g} s are allowed. "
            "Check the clock of this machine."
        )


def _is_signed(secret: str, content: bytes, signatures: Sequence[str]) -> bool:
    key = _decode(secret.removeprefix("whsec_"))
    if not key:
        raise WebhookError("The secret is not base64 behind whsec_.")
    expected = hmac.new(key, content, hashlib.sha256).digest()
    return any(hmac.compare_digest(expected, _decode(one) or b"") for one in signatures)


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _read_event(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
        return WebhookEvent(event["type"], event["timestamp"], event.get("data"))
    except (ValueError, KeyError, TypeError, AttributeError) as cause:
        raise WebhookError("The event is signed and is no JSON of an event.") from cause
