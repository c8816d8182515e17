"""Runs pieces of Python that come as lines of JSON, and answers each with one line: its value, or its error."""

import asyncio
import json
import sys
import textwrap
import traceback

import holdfast


def describe(error):
    members = ("code", "status", "request_id", "retry_after")
    described = {name: getattr(error, name) for name in members if hasattr(error, name)}
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return {"name": type(error).__name__, "message": str(error), "trace": trace, **described}


def run(code, scope):
    define = "async def" if "await " in code or "async " in code else "def"
    names = {"holdfast": holdfast, **vars(holdfast), **scope}
    exec(f"{define} main():\n{textwrap.indent(code, '    ')}", names)
    return asyncio.run(names["main"]()) if define == "async def" else names["main"]()


for line in sys.stdin:
    order = json.loads(line)
    try:
        answer = {"value": run(order["code"], order["scope"])}
    except Exception as error:
        answer = {"error": describe(error)}
    print(json.dumps(answer), flush=True)
