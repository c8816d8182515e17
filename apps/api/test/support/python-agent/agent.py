"""An agent in Python: lists tools, calls one with progress, cancels an execution, meets a pause, opens the link, and gets the result."""

import asyncio
import json
import re
import sys
import urllib.parse
import urllib.request

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult


def decide(link: str) -> None:
    """Posts the form of the page. The tests know the port of the product only once it runs, so the link is to be followed there."""
    link = urllib.parse.urlparse(link)._replace(netloc=urllib.parse.urlparse(sys.argv[1]).netloc).geturl()
    form = urllib.parse.urlencode({"approved": "true"}).encode()
    urllib.request.urlopen(link, form).read()


async def main(url: str, key: str, mode: str) -> None:
    shown: list[str] = []
    told: list[str] = []

    async def elicit(_context: object, params: object) -> ElicitResult:
        link = getattr(params, "url")
        shown.append(link)
        await asyncio.to_thread(decide, link)
        return ElicitResult(action="accept")

    async def progress(_done: float, _total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=elicit) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            size = await client.call_tool("size", {"amount": 5}, progress_callback=progress)
            result = await client.call_tool("approve", {})
            structured = result.structured_content or {}
            if "execution" in structured:
                link = re.search(r"http\S+/resume/\S+", result.content[0].text)
                await asyncio.to_thread(decide, link.group(0) if link else "")
                given = {"executionId": structured["execution"]["executionId"]}
                structured = (await client.call_tool("get_execution", given)).structured_content or {}
            waiting = await client.call_tool("long", {})
            execution = (waiting.structured_content or {})["execution"]["executionId"]
            cancelled = await client.call_tool("cancel_execution", {"executionId": execution})
            said = {
                "version": client.protocol_version,
                "tools": tools,
                "size": size.structured_content,
                "told": len(told) > 0,
                "shown": len(shown),
                "approve": structured,
                "cancelled": not cancelled.is_error,
            }
            print(json.dumps(said))


asyncio.run(main(*sys.argv[1:4]))
