# This file is made of _async/page.py: change that, and run `npm run clients`.
"""Pages of lists."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Body = TypeVar("Body")


class Page(Generic[T, Body]):
    """One page of a list. Iterating over it gives its items and those of all pages behind it."""

    def __init__(
        self,
        items: list[T],
        body: Body,
        next_cursor: str | None,
        load_next: Callable[[], Page[T, Body]] | None,
    ) -> None:
        self.items = items
        self.body = body
        """The whole answer: totals and what else stands beside the items."""
        self.next_cursor = next_cursor
        self._load_next = load_next

    def has_next_page(self) -> bool:
        return self._load_next is not None

    def get_next_page(self) -> Page[T, Body] | None:
        """The page behind this one; None when this is the last."""
        return self._load_next() if self._load_next else None

    def pages(self) -> Iterator[Page[T, Body]]:
        """This page and each one behind it."""
        page: Page[T, Body] | None = self
        while page is not None:
            yield page
            page = page.get_next_page()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            for item in page.items:
                yield item

    def to_list(self, limit: int | None = None) -> list[T]:
        """All items, at most `limit` of them."""
        items: list[T] = []
        if limit is not None and limit <= 0:
            return items
        for item in self:
            items.append(item)
            if limit is not None and len(items) >= limit:
                break
        return items
