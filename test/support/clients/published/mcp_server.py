"""Uses every tool of `puntersedge-mcp`, started as an agent's host starts it.

Reads {"url", "keys", "values", "own", "needs"} and writes what each call returned, in their order."""

import asyncio
import json
import sys
from typing import Any

from calls import calls_of
from mcp import Client
from mcp.client.stdio import StdioServerParameters

given = json.load(sys.stdin)
server = StdioServerParameters(
    command=sys.executable,
    args=["-c", "from puntersedge_mcp.server import main; main()"],
    env={"PUNTERSEDGE_API_KEY": given["keys"]["key"], "PUNTERSEDGE_BASE_URL": given["url"]},
)


async def every_tool() -> list[dict[str, Any]]:
    done = []
    async with Client(server) as client:
        for tool in (await client.list_tools()).tools:
            needed = tool.input_schema.get("required", [])
            for sent in calls_of(tool.name, needed, tool.input_schema["properties"], given):
                text = (await client.call_tool(tool.name, sent)).content[0].text
                done.append({"name": tool.name, "sent": sent, "about": tool.description, **json.loads(text)})
    return done


print(json.dumps(asyncio.run(every_tool())))
