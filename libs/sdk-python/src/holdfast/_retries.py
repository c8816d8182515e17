"""When a call is sent again, and after how long."""

from __future__ import annotations

import random
import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from time import time

import httpx

_longest_wait = 60.0


def is_retryable(status: int, code: str) -> bool:
    """Whether a call that does nothing twice is worth another try after such a refusal."""
    # 409 has many reasons, and only this one goes away by itself.
    return status in (408, 429) or status >= 500 or code == "IDEMPOTENCY_IN_FLIGHT"


def delay_before(retry: int, retry_after: float | None) -> float | None:
    """How long to wait before the next try, in seconds: as long as the server asks, else half a second doubled with each try,
    at most eight, less up to a quarter by chance. None when the server asks for more than a minute."""
    if retry_after is not None:
        return retry_after if retry_after <= _longest_wait else None
    return float(min(0.5 * 2.0 ** min(retry, 10), 8.0)) * (1 - random.random() / 4)


def read_retry_after(headers: httpx.Headers) -> float | None:
    """What Retry-After asks for, in seconds. A date is held against the clock of the server, since ours may be wrong.
    A header that is neither whole seconds nor a date of HTTP counts as absent."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch("[0-9]+", value):
        return float(value)
    date = _read_date(value) if re.match("[A-Z][a-z]+,? .*[0-9][0-9]:[0-9][0-9]", value) else None
    if date is None:
        return None
    now = _read_date(headers.get("date", ""))
    return max(0.0, date.timestamp() - (time() if now is None else now.timestamp()))


def _read_date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
