"""Pages of lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Body = TypeVar("Body")


class AsyncPage(Generic[T, Body]):
    """One page of a list. Iterating over it gives its items and those of all pages behind it."""

    def __init__(
        self,
        items: list[T],
        body: Body,
        next_cursor: str | None,
        load_next: Callable[[], Awaitable[AsyncPage[T, Body]]] | None,
    ) -> None:
        self.items = items
        self.body = body
        """The whole answer: totals and what else stands beside the items."""
        self.next_cursor = next_cursor
        self._load_next = load_next

    def has_next_page(self) -> bool:
        return self._load_next is not None

    async def get_next_page(self) -> AsyncPage[T, Body] | None:
        """The page behind this one; None when this is the last."""
        return await self._load_next() if self._load_next else None

    async def pages(self) -> AsyncIterator[AsyncPage[T, Body]]:
        """This page and each one behind it."""
        page: AsyncPage[T, Body] | None = self
        while page is not None:
            yield page
            page = await page.get_next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def to_list(self, limit: int | None = None) -> list[T]:
        """All items, at most `limit` of them."""
        items: list[T] = []
        if limit is not None and limit <= 0:
            return items
        async for item in self:
            items.append(item)
            if limit is not None and len(items) >= limit:
                break
        return items
