# This file is made of _async/client.py: change that, and run `npm run clients`.
"""The client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Literal, ParamSpec, TypeVar

import httpx

from .._answers import ANY, WithResponse, first_response
from .._options import CallOptions, LogEntry, read_connection
from .._requests import ApiRequest
from .._webhooks import Webhooks
from ..generated import resources
from .executions import Executions
from .pauses import Pauses
from .transport import Transport
from .workflows import NamedWorkflow, Workflows

P = ParamSpec("P")
T = TypeVar("T")

_no_limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)


class Holdfast:
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
        http_client: httpx.Client | None = None,
    ) -> None:
        connection = read_connection(
            base_url, api_key, workspace_id, timeout, max_retries, headers, user_agent, logger
        )
        self._is_own = http_client is None
        self._http = http_client or httpx.Client(limits=_no_limits)
        self._transport = transport = Transport(connection, self._http)
        self.workflows = Workflows(transport)
        self.deployments = resources.DeploymentsResource(transport)
        self.executions = Executions(transport)
        self.jobs = resources.JobsResource(transport)
        self.pauses = Pauses(transport)
        self.logs = resources.LogsResource(transport)
        self.mcp_servers = resources.McpServersResource(transport)
        self.tables = resources.TablesResource(transport)
        self.knowledge = resources.KnowledgeResource(transport)
        self.saved_views = resources.SavedViewsResource(transport)
        self.secrets = resources.SecretsResource(transport)
        self.keys = resources.KeysResource(transport)
        self.workspaces = resources.WorkspacesResource(transport)
        self.members = resources.MembersResource(transport)
        self.invitations = resources.InvitationsResource(transport)
        self.account = resources.AccountResource(transport)
        self.sign_in = resources.SignInResource(transport)
        self.usage = resources.UsageResource(transport)
        self.audit_logs = resources.AuditLogsResource(transport)
        self.health = resources.HealthResource(transport)
        self.webhooks = Webhooks()

    def workflow(self, name: str) -> NamedWorkflow:
        """One workflow by its name."""
        return NamedWorkflow(self.workflows, name)

    def with_response(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> WithResponse[T]:
        """Calls a method of this client, and gives its value with the first answer of the server: status and headers.

        `with_response(client.workflows.get, "wf_1")`
        """
        seen: list[httpx.Response] = []
        token = first_response.set(seen)
        try:
            data = method(*args, **kwargs)
        finally:
            first_response.reset(token)
        return WithResponse(data, seen[0])

    def get(
        self, path: str, query: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        """Any call of the API, for what is newer than this client. `path` begins with a slash."""
        return self._call("GET", path, query, options)

    def post(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return self._call("POST", path, body, options)

    def put(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return self._call("PUT", path, body, options)

    def patch(
        self, path: str, body: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return self._call("PATCH", path, body, options)

    def delete(
        self, path: str, query: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Any:
        return self._call("DELETE", path, query, options)

    def _call(
        self, verb: str, path: str, params: Mapping[str, Any] | None, options: CallOptions | None
    ) -> Any:
        given = params or {}
        body: Literal["json"] | None = "json" if verb in ("POST", "PUT", "PATCH") else None
        request = ApiRequest(path, verb, path, given, nulls=list(given) if body else [], body=body)
        return self._transport.read(request, ANY, options)

    def close(self) -> None:
        """Closes the connections of this client."""
        if self._is_own:
            self._http.close()

    def __enter__(self) -> Holdfast:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
