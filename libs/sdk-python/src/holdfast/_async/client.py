"""The client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Literal, ParamSpec, TypeVar

import httpx

from .._answers import ANY, WithResponse, first_response
from .._options import CallOptions, LogEntry, read_connection
from .._requests import ApiRequest
from .._webhooks import Webhooks
from ..generated import async_resources
from .executions import AsyncExecutions
from .pauses import AsyncPauses
from .transport import AsyncTransport
from .workflows import AsyncNamedWorkflow, AsyncWorkflows

P = ParamSpec("P")
T = TypeVar("T")

_no_limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)


class AsyncHoldfast:
    """A client of one installation of Holdfast. Every operation of its API is a method, grouped by resource: `client.tables.rows.list(id)`.

    base_url: the address of the installation. Default: the environment variable HOLDFAST_URL, or http://localhost:3000.
    api_key: a personal key or the key of a workspace. Default: the environment variable HOLDFAST_API_KEY.
    workspace_id: the workspace of the calls that take one and name none. Default: the environment variable HOLDFAST_WORKSPACE_ID.
    timeout: the longest wait for a connection, for an answer, or between two parts of a stream, in seconds.
    user_agent: stands before the name of this client in the header User-Agent.
    logger: called with each request and each answer. Headers that open something are masked. The logger `holdfast` of Python gets them too.
    http_client: in place of the one that this client makes; whoever has made it closes it.

    Raises ConfigurationError when the settings cannot be used.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        workspace_id: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        user_agent: str | None = None,
        logger: Callable[[LogEntry], object] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        connection = read_connection(
            base_url, api_key, workspace_id, timeout, max_retries, headers, user_agent, logger
        )
        self._is_own = http_client is None
        self._http = http_client or httpx.AsyncClient(limits=_no_limits)
        self._transport = transport = AsyncTransport(connection, self._http)
        self.workflows = AsyncWorkflows(transport)
        self.deployments = async_resources.AsyncDeploymentsResource(transport)
        self.executions = AsyncExecutions(transport)
        self.jobs = async_resources.AsyncJobsResource(transport)
        self.pauses = AsyncPauses(transport)
        self.logs = async_resources.AsyncLogsResource(transport)
        self.triggers = async_resources.AsyncTriggersResource(transport)
        self.mcp_servers = async_resources.AsyncMcpServersResource(transport)
        self.alerts = async_resources.AsyncAlertsResource(transport)
        self.calendars = async_resources.AsyncCalendarsResource(transport)
        self.bulk = async_resources.AsyncBulkResource(transport)
        self.holds = async_resources.AsyncHoldsResource(transport)
        self.endpoints = async_resources.AsyncEndpointsResource(transport)
        self.tables = async_resources.AsyncTablesResource(transport)
        self.knowledge = async_resources.AsyncKnowledgeResource(transport)
        self.saved_views = async_resources.AsyncSavedViewsResource(transport)
        self.secrets = async_resources.AsyncSecretsResource(transport)
        self.keys = async_resources.AsyncKeysResource(transport)
        self.workspaces = async_resources.AsyncWorkspacesResource(transport)
        self.members = async_resources.AsyncMembersResource(transport)
        self.invitations = async_resources.AsyncInvitationsResource(transport)
        self.account = async_resources.AsyncAccountResource(transport)
        self.sign_in = async_resources.AsyncSignInResource(transport)
        self.usage = async_resources.AsyncUsageResource(transport)
        self.audit_logs = async_resources.AsyncAuditLogsResource(transport)
        self.health = async_resources.AsyncHealthResource(transport)
        self.webhooks = Webhooks()

    def workflow(self, name: str) -> AsyncNamedWorkflow:
        """One workflow by its name."""
        return AsyncNamedWorkflow(self.workflows, name)

    async def with_response(
        self, method: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client, and gives its value with the first answer of the server: status and headers.

        `with_response(client.workflows.get, "wf_1")`
        """
        seen: list[httpx.Response] = []
        token = first_response.set(seen)
        try:
            data = await method(*args, **kwargs)
        finally:
            first_response.reset(token)
        return WithResponse(data, seen[0])

    async def get(
        self, path: str, query: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        """Any call of the API, for what is newer than this client. `path` begins with a slash."""
        return await self._call("GET", path, query, options)

    async def post(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return await self._call("POST", path, body, options)

    async def put(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return await self._call("PUT", path, body, options)

    async def patch(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return await self._call("PATCH", path, body, options)

    async def delete(
        self, path: str, query: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return await self._call("DELETE", path, query, options)

    async def _call(
        self, verb: str, path: str, params: Mapping[str, Any] | None, options: CallOptions | None
    ) -> Any:
        given = params or {}
        body: Literal["json"] | None = "json" if verb in ("POST", "PUT", "PATCH") else None
        request = ApiRequest(path, verb, path, given, nulls=list(given) if body else [], body=body)
        return await self._transport.read(request, ANY, options)

    async def close(self) -> None:
        """Closes the connections of this client."""
        if self._is_own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncHoldfast:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
