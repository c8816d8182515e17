# This file is generated from the description of the API: change that, and run `npm run clients`.
"""The calls of each resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, Literal, cast

from .._options import CallOptions
from .._answers import ANY
from .._requests import UNSET, ApiRequest, Unset, segment
from .._uploads import Content, FileInput
from .._async.download import AsyncDownload
from .._async.events import AsyncEventStream
from .._async.flavour import AsyncPageCall
from .._async.resource import AsyncResource
from .._async.transport import AsyncTransport
from . import models


class AsyncKnowledgeTagsResource(AsyncResource):
    """The calls of `client.knowledge.tags`."""

    def list(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.TagView, models.ListTagsAnswer]:
        """List the tags that documents of a knowledge base may have.

        Lists the tags that documents may have and searches may filter by.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/knowledge/{knowledgeBaseId}/tags`
        """
        return self._transport.list(
            ApiRequest(
                "listTags",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/tags",
                {"workspaceId": workspace_id},
                workspace_in="query",
                items_path=("data", "tags",),
                paging="single",
            ),
            models.TagView,
            models.ListTagsAnswer,
            options,
        )

    async def define(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        tags: Sequence[models.TagBody | Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.DefineTagsData:
        """Define the tags that documents of a knowledge base may have.

        Replaces the list of tags. A tag with its `id` is renamed and keeps its values. A tag that is left out is removed from all documents.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        tags: All tags. A tag that is left out is removed from all documents.

        `PUT /api/v1/knowledge/{knowledgeBaseId}/tags`
        """
        return await self._transport.read(
            ApiRequest(
                "defineTags",
                "PUT",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/tags",
                {"workspaceId": workspace_id, "tags": tags},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.DefineTagsData,
            options,
        )


class AsyncKnowledgeDocumentsResource(AsyncResource):
    """The calls of `client.knowledge.documents`."""

    def list(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        enabled_filter: Literal["all", "enabled", "disabled"] | None = None,
        sort_by: Literal["filename", "fileSize", "tokenCount", "chunkCount", "uploadedAt", "processingStatus", "enabled"] | None = None,
        sort_order: Literal["asc", "desc"] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.DocumentView, models.ListDocumentsAnswer]:
        """List the documents of a knowledge base.

        Lists documents by a part of their name, with their total number. Searches find only those whose `processingStatus` is `completed`.

        workspace_id: The id of the workspace.
        limit: The maximum number of documents on a page.
        offset: The number of documents to skip.
        search: A part of the filename, in upper or lower case.
        enabled_filter: The documents to list.
        sort_by: The sort key.
        sort_order: The sort direction.

        `GET /api/v1/knowledge/{knowledgeBaseId}/documents`
        """
        return self._transport.list(
            ApiRequest(
                "listDocuments",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents",
                {"workspaceId": workspace_id, "limit": limit, "offset": offset, "search": search, "enabledFilter": enabled_filter, "sortBy": sort_by, "sortOrder": sort_order},
                workspace_in="query",
                needs_workspace=True,
                items_path=("data", "documents",),
                paging="offset",
            ),
            models.DocumentView,
            models.ListDocumentsAnswer,
            options,
        )

    async def add(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        wait: int | None = None,
        text: str | None = None,
        url: str | None = None,
        filename: str | None = None,
        tags: Any = UNSET,
        files: FileInput | Sequence[FileInput] | None = None,
        options: CallOptions | None = None,
    ) -> models.AddDocumentsData:
        """Add documents: files, a text, or a URL.

        Stores documents; a worker processes them. Send files as multipart/form-data, or a text or a URL as JSON. Content that the base already has is not stored again.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        wait: Seconds to wait until the document has been processed.
        text: The text of the document.
        url: The URL from which a worker fetches the document.
        filename: The name of the document. For a URL it may be left out: the last part of the path is the name.
        tags: Values by tag name. The knowledge base defines the tags.

        `POST /api/v1/knowledge/{knowledgeBaseId}/documents`
        """
        return await self._transport.read(
            ApiRequest(
                "addDocuments",
                "POST",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents",
                {"workspaceId": workspace_id, "wait": wait, "text": text, "url": url, "filename": filename, "tags": tags, "files": files},
                query_names=("workspaceId", "wait",),
                nulls=("tags",),
                body="files",
                workspace_in="query",
                idempotent=True,
                value_path=("data",),
            ),
            models.AddDocumentsData,
            options,
        )

    async def get(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        wait: int | None = None,
        options: CallOptions | None = None,
    ) -> models.GetDocumentData:
        """Read a document, or wait until it has been processed.

        Shows the progress of a document. With `wait` the answer comes when it has been processed, or after this number of seconds.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        wait: Seconds to wait until the document has been processed.

        `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getDocument",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}",
                {"workspaceId": workspace_id, "wait": wait},
                workspace_in="query",
                value_path=("data",),
            ),
            models.GetDocumentData,
            options,
        )

    async def update(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        filename: str | None = None,
        enabled: bool | None = None,
        tags: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.UpdateDocumentData:
        """Rename, tag, enable or disable a document.

        Changes only the sent members. Searches do not find a disabled document, but nothing of it is lost.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        filename: The new name. Left out: no change.
        enabled: False: searches do not find the document.
        tags: Values by tag name. The knowledge base defines the tags. Null removes a value.

        `PATCH /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateDocument",
                "PATCH",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}",
                {"workspaceId": workspace_id, "filename": filename, "enabled": enabled, "tags": tags},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateDocumentData,
            options,
        )

    async def delete(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteDocumentData:
        """Delete a document with its chunks and its content.

        Deletes a document with its chunks and its content. Searches do not find it from then on.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `DELETE /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteDocument",
                "DELETE",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.DeleteDocumentData,
            options,
        )

    async def retry(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.RetryDocumentData:
        """Process a failed document again.

        Processes a failed document again, for example after a URL did not answer. `processingError` tells the reason of the failure.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `POST /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/retry`
        """
        return await self._transport.read(
            ApiRequest(
                "retryDocument",
                "POST",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/retry",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.RetryDocumentData,
            options,
        )

    async def download(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Download the source of a document.

        Downloads the stored content: the uploaded file, or the response of the URL.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/content`
        """
        return await self._transport.download(
            ApiRequest(
                "downloadDocument",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/content",
                {"workspaceId": workspace_id},
                workspace_in="query",
                accept="application/octet-stream",
            ),
            options,
        )


class AsyncKnowledgeChunksResource(AsyncResource):
    """The calls of `client.knowledge.chunks`."""

    def list(
        self,
        knowledge_base_id: str,
        document_id: str,
        *,
        workspace_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        enabled_filter: Literal["all", "enabled", "disabled"] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.ChunkView, models.ListChunksAnswer]:
        """List the chunks of a document.

        Lists the chunks of a document in its order. Searches find these chunks.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        limit: The maximum number of chunks on a page.
        offset: The number of chunks to skip.
        search: A part of the content, in upper or lower case.
        enabled_filter: The chunks to list.

        `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks`
        """
        return self._transport.list(
            ApiRequest(
                "listChunks",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/chunks",
                {"workspaceId": workspace_id, "limit": limit, "offset": offset, "search": search, "enabledFilter": enabled_filter},
                workspace_in="query",
                items_path=("data", "chunks",),
                paging="offset",
            ),
            models.ChunkView,
            models.ListChunksAnswer,
            options,
        )

    async def get(
        self,
        knowledge_base_id: str,
        document_id: str,
        chunk_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.GetChunkData:
        """Read a chunk.

        Shows one chunk with its place in the document.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getChunk",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/chunks/{segment(chunk_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.GetChunkData,
            options,
        )

    async def update(
        self,
        knowledge_base_id: str,
        document_id: str,
        chunk_id: str,
        *,
        workspace_id: str | None = None,
        content: str | None = None,
        enabled: bool | None = None,
        options: CallOptions | None = None,
    ) -> models.UpdateChunkData:
        """Edit, enable or disable a chunk.

        Corrects the text of a chunk, or takes it out of searches. When the document is processed again, new chunks replace all of these.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        content: The new text. It is embedded before the call is answered.
        enabled: False: searches do not find the chunk.

        `PATCH /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateChunk",
                "PATCH",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/chunks/{segment(chunk_id)}",
                {"workspaceId": workspace_id, "content": content, "enabled": enabled},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateChunkData,
            options,
        )

    async def delete(
        self,
        knowledge_base_id: str,
        document_id: str,
        chunk_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteChunkData:
        """Delete a chunk.

        Takes a chunk out of the document for good, until the document is processed again.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `DELETE /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteChunk",
                "DELETE",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}/documents/{segment(document_id)}/chunks/{segment(chunk_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.DeleteChunkData,
            options,
        )


class AsyncMcpServersGrantsResource(AsyncResource):
    """The calls of `client.mcp_servers.grants`."""

    def list(
        self,
        server_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.McpGrantView, models.ListMcpGrantsAnswer]:
        """List the clients of an MCP server.

        Lists the valid OAuth grants that people have given to clients. Clients that send a key are not in the list.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/mcp-servers/{serverId}/grants`
        """
        return self._transport.list(
            ApiRequest(
                "listMcpGrants",
                "GET",
                f"/api/v1/mcp-servers/{segment(server_id)}/grants",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.McpGrantView,
            models.ListMcpGrantsAnswer,
            options,
        )

    async def revoke(
        self,
        server_id: str,
        grant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Revoke the access of a client.

        Ends the grant that a person has given to a client. Its tokens stop within five seconds.

        `DELETE /api/v1/mcp-servers/{serverId}/grants/{grantId}`
        """
        return await self._transport.read(
            ApiRequest(
                "revokeMcpGrant",
                "DELETE",
                f"/api/v1/mcp-servers/{segment(server_id)}/grants/{segment(grant_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncTablesColumnsResource(AsyncResource):
    """The calls of `client.tables.columns`."""

    async def add(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        column: models.ColumnBody | Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.AddColumnData:
        """Add a column.

        Adds a column at the end. A default is written to every existing row.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        column: The new column, which comes last.

        `POST /api/v1/tables/{tableId}/columns`
        """
        return await self._transport.read(
            ApiRequest(
                "addColumn",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/columns",
                {"workspaceId": workspace_id, "column": column},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.AddColumnData,
            options,
        )

    async def change(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        column_name: str,
        updates: models.ColumnUpdates | Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.ChangeColumnData:
        """Rename a column, or change its type and its rules.

        Renames a column, or changes its type or its rules. A change that a row does not fit is refused, and nothing changes.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        column_name: The column to change.
        updates: The members to change. A member that is left out does not change.

        `PATCH /api/v1/tables/{tableId}/columns`
        """
        return await self._transport.read(
            ApiRequest(
                "changeColumn",
                "PATCH",
                f"/api/v1/tables/{segment(table_id)}/columns",
                {"workspaceId": workspace_id, "columnName": column_name, "updates": updates},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.ChangeColumnData,
            options,
        )

    async def delete(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        column_name: str,
        options: CallOptions | None = None,
    ) -> models.DeleteColumnData:
        """Delete a column with its cells.

        Deletes a column with all its cells. This cannot be undone.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        column_name: The column to delete; its cells are lost.

        `DELETE /api/v1/tables/{tableId}/columns`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteColumn",
                "DELETE",
                f"/api/v1/tables/{segment(table_id)}/columns",
                {"workspaceId": workspace_id, "columnName": column_name},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.DeleteColumnData,
            options,
        )


class AsyncTablesRowsResource(AsyncResource):
    """The calls of `client.tables.rows`."""

    async def export(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        format: Literal["csv", "jsonl"] | None = None,
        filter: str | None = None,
        sort: str | None = None,
        guard_formulas: bool | None = None,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Download the rows as a file.

        Downloads all rows that match as CSV or as lines of JSON.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        format: The form of the file.
        filter: JSON, in the form of the list of rows.
        sort: JSON, in the form of the list of rows.
        guard_formulas: True: a quote comes before each text in a CSV that a spreadsheet would read as a formula.

        `GET /api/v1/tables/{tableId}/export`
        """
        return await self._transport.download(
            ApiRequest(
                "exportRows",
                "GET",
                f"/api/v1/tables/{segment(table_id)}/export",
                {"workspaceId": workspace_id, "format": format, "filter": filter, "sort": sort, "guardFormulas": guard_formulas},
                workspace_in="query",
                accept="text/csv, application/x-ndjson",
            ),
            options,
        )

    async def export_query(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        format: Literal["csv", "jsonl"] | None = None,
        filter: Mapping[str, Any] | None = None,
        sort: Mapping[str, Any] | None = None,
        guard_formulas: bool | None = None,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Download the rows of a long filter as a file.

        Downloads the rows like the GET call, for a filter that is too long for an address.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        format: The form of the file.
        filter: In the form of the list of rows.
        sort: In the form of the list of rows.
        guard_formulas: True: a quote comes before each text in a CSV that a spreadsheet would read as a formula.

        `POST /api/v1/tables/{tableId}/export`
        """
        return await self._transport.download(
            ApiRequest(
                "exportRowsByBody",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/export",
                {"workspaceId": workspace_id, "format": format, "filter": filter, "sort": sort, "guardFormulas": guard_formulas},
                body="json",
                workspace_in="body",
                accept="text/csv, application/x-ndjson",
            ),
            options,
        )

    def list(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        changed_since: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.RowView, models.ListRowsAnswer]:
        """List rows.

        Finds rows by conditions on their columns, sorted and by pages, with their exact number. Pass `changeToken` later as `changedSince` to get only the changes.

        workspace_id: The id of the workspace.
        filter: JSON. Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.
        sort: JSON. Up to five columns with asc or desc, in order of priority. Empty cells come last.
        limit: The maximum number of rows on a page.
        offset: The number of rows before the page.
        cursor: The `nextCursor` of the previous page, in place of an offset.
        changed_since: The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it.

        `GET /api/v1/tables/{tableId}/rows`
        """
        return self._transport.list(
            ApiRequest(
                "listRows",
                "GET",
                f"/api/v1/tables/{segment(table_id)}/rows",
                {"workspaceId": workspace_id, "filter": filter, "sort": sort, "limit": limit, "offset": offset, "cursor": cursor, "changedSince": changed_since},
                workspace_in="query",
                needs_workspace=True,
                items_path=("data", "rows",),
                paging="cursor",
                cursor_path=("data", "nextCursor",),
            ),
            models.RowView,
            models.ListRowsAnswer,
            options,
        )

    async def insert(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        rows: Sequence[Mapping[str, Any]] | None = None,
        options: CallOptions | None = None,
    ) -> models.InsertedView:
        """Insert one row or many.

        Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        data: The values of one row by column.
        rows: In place of `data`: the values of up to 1,000 rows.

        `POST /api/v1/tables/{tableId}/rows`
        """
        return await self._transport.read(
            ApiRequest(
                "insertRows",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/rows",
                {"workspaceId": workspace_id, "data": data, "rows": rows},
                body="json",
                workspace_in="body",
                idempotent=True,
                value_path=("data",),
            ),
            models.InsertedView,
            options,
        )

    async def update_by_filter(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        data: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.UpdateRowsByFilterData:
        """Change all rows of a filter alike.

        Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        filter: Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.
        all: True: the call is for every row. Without it an empty filter is refused.
        data: Values by column. null empties a cell.

        `PUT /api/v1/tables/{tableId}/rows`
        """
        return await self._transport.read(
            ApiRequest(
                "updateRowsByFilter",
                "PUT",
                f"/api/v1/tables/{segment(table_id)}/rows",
                {"workspaceId": workspace_id, "filter": filter, "all": all, "data": data},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateRowsByFilterData,
            options,
        )

    async def update_many(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        updates: Sequence[models.RowUpdate | Mapping[str, Any]],
        options: CallOptions | None = None,
    ) -> models.UpdateRowsData:
        """Change rows, each in its own way.

        Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out does not change.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        updates: The changes, each of another row. All are made or none.

        `PATCH /api/v1/tables/{tableId}/rows`
        """
        return await self._transport.read(
            ApiRequest(
                "updateRows",
                "PATCH",
                f"/api/v1/tables/{segment(table_id)}/rows",
                {"workspaceId": workspace_id, "updates": updates},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateRowsData,
            options,
        )

    async def delete_many(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        row_ids: Sequence[str] | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteRowsData:
        """Delete rows by a filter or by their ids.

        Deletes the rows of a filter or of a list of ids, 10,000 at most. `all: true` means every row.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        filter: Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.
        all: True: the call is for every row. Without it an empty filter is refused.
        row_ids: In place of a filter: up to 1,000 ids of rows.

        `DELETE /api/v1/tables/{tableId}/rows`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteRows",
                "DELETE",
                f"/api/v1/tables/{segment(table_id)}/rows",
                {"workspaceId": workspace_id, "filter": filter, "all": all, "rowIds": row_ids},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.DeleteRowsData,
            options,
        )

    def query(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        filter: Mapping[str, Any] | None = None,
        sort: Mapping[str, Any] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        changed_since: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.RowView, models.QueryRowsAnswer]:
        """List rows by a long filter.

        Lists the rows like the GET call, for a filter that is too long for an address.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        filter: Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.
        sort: Up to five columns with asc or desc, in order of priority. Empty cells come last.
        limit: The maximum number of rows on a page.
        offset: The number of rows before the page.
        cursor: The `nextCursor` of the previous page, in place of an offset.
        changed_since: The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it.

        `POST /api/v1/tables/{tableId}/rows/query`
        """
        return self._transport.list(
            ApiRequest(
                "queryRows",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/rows/query",
                {"workspaceId": workspace_id, "filter": filter, "sort": sort, "limit": limit, "offset": offset, "cursor": cursor, "changedSince": changed_since},
                body="json",
                workspace_in="body",
                items_path=("data", "rows",),
                paging="cursor",
                cursor_path=("data", "nextCursor",),
            ),
            models.RowView,
            models.QueryRowsAnswer,
            options,
        )

    async def upsert(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        data: Mapping[str, Any],
        conflict_target: str | None = None,
        options: CallOptions | None = None,
    ) -> models.UpsertRowData:
        """Insert a row, or change the row with its unique value.

        Changes the row with this value in a unique column, or inserts a row when there is none. It is safe with many callers at once.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        data: Values by column. null empties a cell.
        conflict_target: The unique column that identifies the row. It may be left out when the table has only one unique column.

        `POST /api/v1/tables/{tableId}/rows/upsert`
        """
        return await self._transport.read(
            ApiRequest(
                "upsertRow",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/rows/upsert",
                {"workspaceId": workspace_id, "data": data, "conflictTarget": conflict_target},
                body="json",
                workspace_in="body",
                idempotent=True,
                value_path=("data",),
            ),
            models.UpsertRowData,
            options,
        )

    async def aggregate(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        filter: Mapping[str, Any] | None = None,
        group_by: Sequence[str] | None = None,
        aggregates: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.AggregateView:
        """Count, add up and compare rows.

        Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        filter: Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them.
        group_by: The columns to group by, two at most.
        aggregates: The wanted values, by names of your choice: {"total": {"sum": "amount"}, "rows": {"count": "*"}}. Functions are count, sum, avg, min and max.

        `POST /api/v1/tables/{tableId}/rows/aggregate`
        """
        return await self._transport.read(
            ApiRequest(
                "aggregateRows",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/rows/aggregate",
                {"workspaceId": workspace_id, "filter": filter, "groupBy": group_by, "aggregates": aggregates},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.AggregateView,
            options,
        )

    async def get(
        self,
        table_id: str,
        row_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.GetRowData:
        """Read one row.

        Shows one row. Send its ETag as If-Match with a change: the change is refused when the row has changed since.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/tables/{tableId}/rows/{rowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getRow",
                "GET",
                f"/api/v1/tables/{segment(table_id)}/rows/{segment(row_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.GetRowData,
            options,
        )

    async def update(
        self,
        table_id: str,
        row_id: str,
        *,
        workspace_id: str | None = None,
        data: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.UpdateRowData:
        """Change one row.

        Changes only the sent columns. null empties a cell.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        data: Values by column. null empties a cell.

        `PATCH /api/v1/tables/{tableId}/rows/{rowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateRow",
                "PATCH",
                f"/api/v1/tables/{segment(table_id)}/rows/{segment(row_id)}",
                {"workspaceId": workspace_id, "data": data},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateRowData,
            options,
        )

    async def delete(
        self,
        table_id: str,
        row_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteRowData:
        """Delete one row.

        Deletes one row. With If-Match it is refused when the row has changed since.

        workspace_id: The id of the workspace.

        `DELETE /api/v1/tables/{tableId}/rows/{rowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteRow",
                "DELETE",
                f"/api/v1/tables/{segment(table_id)}/rows/{segment(row_id)}",
                {"workspaceId": workspace_id},
                body="json",
                workspace_in="body",
                needs_workspace=True,
                value_path=("data",),
            ),
            models.DeleteRowData,
            options,
        )


class AsyncTablesImportsResource(AsyncResource):
    """The calls of `client.tables.imports`."""

    async def create(
        self,
        table_id: str,
        content: Content,
        *,
        workspace_id: str | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        header: str | None = None,
        sheet: str | None = None,
        mapping: str | None = None,
        nulls: Literal["null", "default"] | None = None,
        decimal: Literal[".", ","] | None = None,
        date_format: str | None = None,
        guard_formulas: bool | None = None,
        create_columns: bool | None = None,
        mode: Literal["all", "good"] | None = None,
        async_: bool | None = None,
        content_type: Literal["text/csv", "text/tab-separated-values", "text/plain", "application/x-ndjson", "application/jsonl", "application/gzip", "application/x-gzip", "application/octet-stream", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet"] | None = None,
        options: CallOptions | None = None,
    ) -> models.ImportView:
        """Insert the rows of a file.

        Inserts the rows of a CSV with any delimiter, a JSON list, lines of JSON, or a sheet of a workbook (XLSX, XLS, ODS), also packed with gzip. Mode `all` inserts every row or none. Mode `good` inserts the rows that fit, and the report names each refused line. Files above 16 MiB need `async=true`.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        delimiter: The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`.
        encoding: The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`.
        header: The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table.
        sheet: The name of the sheet of a workbook; the default is the first that is not empty.
        mapping: JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation.
        nulls: An empty cell: `null` leaves it empty, `default` gives it the default of its column.
        decimal: The decimal sign of numbers.
        date_format: The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case.
        guard_formulas: True: the quote with which an export guards a text such as `+49` is taken off.
        create_columns: True: a column of the file that the table does not have is added to it.
        mode: `all`: every row or none. `good`: every row that fits, and a report of the others.
        async_: Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB.

        `POST /api/v1/tables/{tableId}/import`
        """
        return await self._transport.read(
            ApiRequest(
                "importRows",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/import",
                {"workspaceId": workspace_id, "delimiter": delimiter, "encoding": encoding, "header": header, "sheet": sheet, "mapping": mapping, "nulls": nulls, "decimal": decimal, "dateFormat": date_format, "guardFormulas": guard_formulas, "createColumns": create_columns, "mode": mode, "async": async_, "contentType": content_type},
                query_names=("workspaceId", "delimiter", "encoding", "header", "sheet", "mapping", "nulls", "decimal", "dateFormat", "guardFormulas", "createColumns", "mode", "async",),
                body="content",
                content=content,
                workspace_in="query",
                idempotent=True,
                value_path=("data",),
            ),
            models.ImportView,
            options,
        )

    async def preview(
        self,
        table_id: str,
        content: Content,
        *,
        workspace_id: str | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        header: str | None = None,
        sheet: str | None = None,
        mapping: str | None = None,
        nulls: Literal["null", "default"] | None = None,
        decimal: Literal[".", ","] | None = None,
        date_format: str | None = None,
        guard_formulas: bool | None = None,
        create_columns: bool | None = None,
        content_type: Literal["text/csv", "text/tab-separated-values", "text/plain", "application/x-ndjson", "application/jsonl", "application/gzip", "application/x-gzip", "application/octet-stream", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet"] | None = None,
        options: CallOptions | None = None,
    ) -> models.ImportPreviewView:
        """Look at a file before its rows are inserted.

        Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        delimiter: The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`.
        encoding: The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`.
        header: The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table.
        sheet: The name of the sheet of a workbook; the default is the first that is not empty.
        mapping: JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation.
        nulls: An empty cell: `null` leaves it empty, `default` gives it the default of its column.
        decimal: The decimal sign of numbers.
        date_format: The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case.
        guard_formulas: True: the quote with which an export guards a text such as `+49` is taken off.
        create_columns: True: a column of the file that the table does not have is added to it.

        `POST /api/v1/tables/{tableId}/import/preview`
        """
        return await self._transport.read(
            ApiRequest(
                "previewImport",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/import/preview",
                {"workspaceId": workspace_id, "delimiter": delimiter, "encoding": encoding, "header": header, "sheet": sheet, "mapping": mapping, "nulls": nulls, "decimal": decimal, "dateFormat": date_format, "guardFormulas": guard_formulas, "createColumns": create_columns, "contentType": content_type},
                query_names=("workspaceId", "delimiter", "encoding", "header", "sheet", "mapping", "nulls", "decimal", "dateFormat", "guardFormulas", "createColumns",),
                body="content",
                content=content,
                workspace_in="query",
                value_path=("data",),
            ),
            models.ImportPreviewView,
            options,
        )

    def list(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.ImportJobView, models.ListImportsAnswer]:
        """List the imports of a table.

        Lists the asynchronous imports that are open, or ended in the last 30 days.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        limit: The maximum number of imports on a page.
        cursor: The `nextCursor` of the previous page.

        `GET /api/v1/tables/{tableId}/imports`
        """
        return self._transport.list(
            ApiRequest(
                "listImports",
                "GET",
                f"/api/v1/tables/{segment(table_id)}/imports",
                {"workspaceId": workspace_id, "limit": limit, "cursor": cursor},
                workspace_in="query",
                items_path=("data", "imports",),
                paging="cursor",
                cursor_path=("data", "nextCursor",),
            ),
            models.ImportJobView,
            models.ListImportsAnswer,
            options,
        )

    async def get(
        self,
        table_id: str,
        import_id: str,
        *,
        workspace_id: str | None = None,
        wait: int | None = None,
        options: CallOptions | None = None,
    ) -> models.GetImportData:
        """Read the progress of an import, or wait for its end.

        Shows the progress of an import. With `wait` the answer comes when it has ended, or after this number of seconds.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        wait: Seconds to wait until the import has ended.

        `GET /api/v1/tables/{tableId}/imports/{importId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getImport",
                "GET",
                f"/api/v1/tables/{segment(table_id)}/imports/{segment(import_id)}",
                {"workspaceId": workspace_id, "wait": wait},
                workspace_in="query",
                value_path=("data",),
            ),
            models.GetImportData,
            options,
        )

    async def cancel(
        self,
        table_id: str,
        import_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.CancelImportData:
        """End an import.

        Ends an import that has not ended. In mode `all` no row of it stays. In mode `good` the committed rows stay.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `POST /api/v1/tables/{tableId}/imports/{importId}/cancel`
        """
        return await self._transport.read(
            ApiRequest(
                "cancelImport",
                "POST",
                f"/api/v1/tables/{segment(table_id)}/imports/{segment(import_id)}/cancel",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.CancelImportData,
            options,
        )


class AsyncAccountSessionsResource(AsyncResource):
    """The calls of `client.account.sessions`."""

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.SessionView, models.ListSessionsAnswer]:
        """List your sessions.

        Lists your sessions with the way of sign-in, the address and the browser.

        `GET /api/v1/users/me/sessions`
        """
        return self._transport.list(
            ApiRequest(
                "listSessions",
                "GET",
                "/api/v1/users/me/sessions",
                items_path=("data",),
                paging="single",
            ),
            models.SessionView,
            models.ListSessionsAnswer,
            options,
        )

    async def revoke_others(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.RevokedSessionsView:
        """End all other sessions.

        Signs you out everywhere except in the browser of this call.

        `DELETE /api/v1/users/me/sessions`
        """
        return await self._transport.read(
            ApiRequest(
                "revokeOtherSessions",
                "DELETE",
                "/api/v1/users/me/sessions",
                value_path=("data",),
            ),
            models.RevokedSessionsView,
            options,
        )

    async def revoke(
        self,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """End a session.

        Signs you out in one browser, within five seconds everywhere.

        `DELETE /api/v1/users/me/sessions/{sessionId}`
        """
        return await self._transport.read(
            ApiRequest(
                "revokeSession",
                "DELETE",
                f"/api/v1/users/me/sessions/{segment(session_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncAccountPasskeysResource(AsyncResource):
    """The calls of `client.account.passkeys`."""

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.PasskeyView, models.ListPasskeysAnswer]:
        """List your passkeys.

        Lists the passkeys that sign you in.

        `GET /api/v1/users/me/passkeys`
        """
        return self._transport.list(
            ApiRequest(
                "listPasskeys",
                "GET",
                "/api/v1/users/me/passkeys",
                items_path=("data",),
                paging="single",
            ),
            models.PasskeyView,
            models.ListPasskeysAnswer,
            options,
        )

    async def create(
        self,
        *,
        response: Mapping[str, Any],
        name: str,
        options: CallOptions | None = None,
    ) -> models.PasskeyView:
        """Keep a new passkey.

        Keeps the passkey that the browser has made with the options. It signs you in from then on. It takes a session, and no key.

        response: The answer of the browser, in the JSON form of WebAuthn.
        name: A name for the device of the passkey.

        `POST /api/v1/users/me/passkeys`
        """
        return await self._transport.read(
            ApiRequest(
                "createPasskey",
                "POST",
                "/api/v1/users/me/passkeys",
                {"response": response, "name": name},
                body="json",
                value_path=("data",),
            ),
            models.PasskeyView,
            options,
        )

    async def start(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.PasskeyOptionsView:
        """Begin to make a passkey.

        Gives the options for `navigator.credentials.create`. They work once, within five minutes. It takes a session, and no key.

        `POST /api/v1/users/me/passkeys/options`
        """
        return await self._transport.read(
            ApiRequest(
                "startPasskey",
                "POST",
                "/api/v1/users/me/passkeys/options",
                value_path=("data",),
            ),
            models.PasskeyOptionsView,
            options,
        )

    async def delete(
        self,
        passkey_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Delete a passkey.

        Deletes a passkey. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.

        `DELETE /api/v1/users/me/passkeys/{passkeyId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deletePasskey",
                "DELETE",
                f"/api/v1/users/me/passkeys/{segment(passkey_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncAccountIdentitiesResource(AsyncResource):
    """The calls of `client.account.identities`."""

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.IdentityView, models.ListIdentitiesAnswer]:
        """List your identities.

        Lists your accounts at identity providers, each of which signs you in.

        `GET /api/v1/users/me/identities`
        """
        return self._transport.list(
            ApiRequest(
                "listIdentities",
                "GET",
                "/api/v1/users/me/identities",
                items_path=("data",),
                paging="single",
            ),
            models.IdentityView,
            models.ListIdentitiesAnswer,
            options,
        )

    async def unlink(
        self,
        identity_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Unlink an identity.

        Unlinks your account at an identity provider. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.

        `DELETE /api/v1/users/me/identities/{identityId}`
        """
        return await self._transport.read(
            ApiRequest(
                "unlinkIdentity",
                "DELETE",
                f"/api/v1/users/me/identities/{segment(identity_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncAuditLogsResource(AsyncResource):
    """The calls of `client.audit_logs`."""

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        actor_id: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.AuditLogView, models.ListAuditLogsAnswer]:
        """List the audit log.

        Lists who deployed, answered, invited or changed a key, and when. Filter by action, resource, actor and time. An entry must match all filters.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        action: An action, for example `workflow.deployed`.
        resource_type: A type of resource, for example `workflow`.
        resource_id: The id of the changed resource. A secret has its name here.
        actor_id: The id of the user or the key that acted.
        start_date: Only entries of this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC.
        end_date: Only entries of this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC.

        `GET /api/v1/audit-logs`
        """
        return self._transport.list(
            ApiRequest(
                "listAuditLogs",
                "GET",
                "/api/v1/audit-logs",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id, "action": action, "resourceType": resource_type, "resourceId": resource_id, "actorId": actor_id, "startDate": start_date, "endDate": end_date},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.AuditLogView,
            models.ListAuditLogsAnswer,
            options,
        )

    async def get(
        self,
        audit_log_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.AuditLogView:
        """Read one entry of the audit log.

        Shows one entry, as the list does, with its change and its place in the hash chain.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/audit-logs/{auditLogId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getAuditLog",
                "GET",
                f"/api/v1/audit-logs/{segment(audit_log_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.AuditLogView,
            options,
        )


class AsyncWorkspacesResource(AsyncResource):
    """The calls of `client.workspaces`."""

    def follow(
        self,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncEventStream[models.WorkspaceEventView]:
        """Follow the changes of a workspace.

        Streams an event within about a second of a change. `changed` names `executions`, `pauses` or `settings`. The event does not hold the change: read the lists again.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/events`
        """
        return self._transport.follow(
            ApiRequest(
                "followWorkspace",
                "GET",
                "/api/v1/events",
                {"workspaceId": workspace_id},
                workspace_in="query",
            ),
            models.WorkspaceEventView,
            options,
        )

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.WorkspaceView, models.ListWorkspacesAnswer]:
        """List the workspaces that the key reaches.

        Lists the workspaces that the key reaches: one for a workspace key, all of its user's for a personal key.

        `GET /api/v1/workspaces`
        """
        return self._transport.list(
            ApiRequest(
                "listWorkspaces",
                "GET",
                "/api/v1/workspaces",
                items_path=("data",),
                paging="single",
            ),
            models.WorkspaceView,
            models.ListWorkspacesAnswer,
            options,
        )

    async def create(
        self,
        *,
        name: str,
        options: CallOptions | None = None,
    ) -> models.WorkspaceView:
        """Create a workspace with you as its admin.

        Makes a workspace, with the user of the personal key as its admin. A workspace key belongs to no user, so it cannot.

        name: The name of the workspace.

        `POST /api/v1/workspaces`
        """
        return await self._transport.read(
            ApiRequest(
                "createWorkspace",
                "POST",
                "/api/v1/workspaces",
                {"name": name},
                body="json",
                value_path=("data",),
            ),
            models.WorkspaceView,
            options,
        )

    async def get(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.WorkspaceView:
        """Read one workspace.

        Shows the name, the plan and the policy of a workspace.

        `GET /api/v1/workspaces/{workspaceId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getWorkspace",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}",
                value_path=("data",),
            ),
            models.WorkspaceView,
            options,
        )

    async def update(
        self,
        workspace_id: str,
        *,
        name: str | None = None,
        personal_keys_allowed: bool | None = None,
        options: CallOptions | None = None,
    ) -> models.WorkspaceView:
        """Change name or settings of a workspace.

        Changes only the sent members. `personalKeysAllowed: false` allows only workspace keys. It is refused while no workspace key has the role admin.

        name: The new name. Left out: no change.
        personal_keys_allowed: False: only workspace keys work here.

        `PATCH /api/v1/workspaces/{workspaceId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateWorkspace",
                "PATCH",
                f"/api/v1/workspaces/{segment(workspace_id)}",
                {"name": name, "personalKeysAllowed": personal_keys_allowed},
                body="json",
                value_path=("data",),
            ),
            models.WorkspaceView,
            options,
        )

    async def leave(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Leave a workspace.

        Takes you out of a workspace. The last admin cannot leave.

        `DELETE /api/v1/users/me/workspaces/{workspaceId}`
        """
        return await self._transport.read(
            ApiRequest(
                "leaveWorkspace",
                "DELETE",
                f"/api/v1/users/me/workspaces/{segment(workspace_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncWorkflowsResource(AsyncResource):
    """The calls of `client.workflows`."""

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        deployed_only: bool | None = None,
        state: Literal["deployed", "draft"] | None = None,
        name: str | None = None,
        folder: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.ListedWorkflowView, models.ListWorkflowsAnswer]:
        """List the workflows.

        Finds workflows by a part of their name, by folder and by state. Each comes with its last execution and without its definition.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        deployed_only: Only workflows that are deployed.
        state: `deployed`: only deployed workflows. `draft`: only workflows that are not deployed.
        name: A part of the name, in upper or lower case.
        folder: The path of a folder. Its subfolders are included.

        `GET /api/v1/workflows`
        """
        return self._transport.list(
            ApiRequest(
                "listWorkflows",
                "GET",
                "/api/v1/workflows",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id, "deployedOnly": deployed_only, "state": state, "name": name, "folder": folder},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.ListedWorkflowView,
            models.ListWorkflowsAnswer,
            options,
        )

    async def create(
        self,
        *,
        workspace_id: str | None = None,
        name: str,
        description: str | None = None,
        folder: str | None = None,
        definition: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.WorkflowView:
        """Create a workflow.

        Stores a draft. It may still have faults: `POST /api/v1/workflows/validate` lists them, and a deploy refuses them. The name must be free in the workspace.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The name, which no other workflow of the workspace may have.
        description: The description of the workflow; empty when left out.
        folder: The path of the folder, for example `sales/eu`; empty for the top.
        definition: The definition; /api/v1/definition-schema holds its JSON Schema.

        `POST /api/v1/workflows`
        """
        return await self._transport.read(
            ApiRequest(
                "createWorkflow",
                "POST",
                "/api/v1/workflows",
                {"workspaceId": workspace_id, "name": name, "description": description, "folder": folder, "definition": definition},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.WorkflowView,
            options,
        )

    def list_folders(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.FolderView, models.ListFoldersAnswer]:
        """List the folders that hold workflows.

        Lists the folders with the number of workflows in each. A folder exists as long as a workflow names it.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/folders`
        """
        return self._transport.list(
            ApiRequest(
                "listFolders",
                "GET",
                "/api/v1/folders",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.FolderView,
            models.ListFoldersAnswer,
            options,
        )

    async def validate(
        self,
        *,
        workspace_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        folder: str | None = None,
        definition: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.ValidationView:
        """Check a definition without storing it.

        Lists every fault and warning of a definition and stores nothing. It takes the body of a create, so that one file serves both calls.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: Accepted and ignored.
        description: Accepted and ignored.
        folder: Accepted and ignored.
        definition: The definition; /api/v1/definition-schema holds its JSON Schema.

        `POST /api/v1/workflows/validate`
        """
        return await self._transport.read(
            ApiRequest(
                "validateDefinition",
                "POST",
                "/api/v1/workflows/validate",
                {"workspaceId": workspace_id, "name": name, "description": description, "folder": folder, "definition": definition},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.ValidationView,
            options,
        )

    async def import_(
        self,
        *,
        workspace_id: str | None = None,
        from_: Literal["n8n", "sim"] | None = None,
        dry_run: bool | None = None,
        workflow_name: str | None = None,
        version: str | None = None,
        name: str | None = None,
        description: str | None = None,
        folder: str | None = None,
        definition: Mapping[str, Any] | None = None,
        nodes: Sequence[Mapping[str, Any]] | None = None,
        connections: Mapping[str, Any] | None = None,
        workflow: Mapping[str, Any] | None = None,
        state: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.WorkflowView | models.ForeignImportView:
        """Create a workflow from an export.

        Creates a workflow from an export of this or another installation. With `from` it takes the file of another product and reports the outcome for each of its blocks. Secrets and tables are not in an export; they are found by their names.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        from_: The product that made the file. Left out: Holdfast.
        dry_run: With `from`: a dry run, which gives the full answer and stores nothing.
        workflow_name: The name of the workflow. It replaces the name in the file.
        version: The version of the form of exports, `1`.
        name: The name; needed without `from`. A file of n8n has it here too; a file of Sim has it in `workflow`.
        description: The description of the workflow; empty when left out.
        folder: The path of the folder, for example `sales/eu`; empty for the top.
        definition: The definition; needed without `from`.
        nodes: In a file of n8n: its nodes.
        connections: In a file of n8n: its connections, by the name of the node where they begin.
        workflow: In a file of Sim: its name and description.
        state: In a file of Sim: its blocks, edges and variables.

        `POST /api/v1/workflows/import`
        """
        return await self._transport.read(
            ApiRequest(
                "importWorkflow",
                "POST",
                "/api/v1/workflows/import",
                {"workspaceId": workspace_id, "from": from_, "dryRun": dry_run, "workflowName": workflow_name, "version": version, "name": name, "description": description, "folder": folder, "definition": definition, "nodes": nodes, "connections": connections, "workflow": workflow, "state": state},
                query_names=("workspaceId", "from", "dryRun", "workflowName",),
                body="json",
                workspace_in="query",
                value_path=("data",),
            ),
            cast("type[models.WorkflowView | models.ForeignImportView]", models.WorkflowView | models.ForeignImportView),
            options,
        )

    async def get(
        self,
        workflow_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.WorkflowView:
        """Read one workflow with its draft.

        Shows a workflow with its draft. The live version may differ: see `GET /api/workflows/{workflowId}/status`. Send the ETag of the answer as If-Match with a change or a deploy: it is refused when the workflow has changed since.

        `GET /api/v1/workflows/{workflowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getWorkflow",
                "GET",
                f"/api/v1/workflows/{segment(workflow_id)}",
                value_path=("data",),
            ),
            models.WorkflowView,
            options,
        )

    async def update(
        self,
        workflow_id: str,
        *,
        workspace_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        folder: str | None = None,
        definition: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.WorkflowView:
        """Change name, description or draft.

        Changes only the sent members. A new definition is a new draft; only a deploy changes the live version. With If-Match it is refused when the workflow has changed since.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The new name. Left out: no change.
        description: The new description. Left out: no change.
        folder: The path of the folder, for example `sales/eu`; empty for the top.
        definition: The new draft as a whole. Left out: no change. The live version does not change.

        `PATCH /api/v1/workflows/{workflowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateWorkflow",
                "PATCH",
                f"/api/v1/workflows/{segment(workflow_id)}",
                {"workspaceId": workspace_id, "name": name, "description": description, "folder": folder, "definition": definition},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.WorkflowView,
            options,
        )

    async def delete(
        self,
        workflow_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Delete a workflow with its versions.

        Deletes the draft and every version. This cannot be undone. The executions stay in the logs until their retention ends.

        `DELETE /api/v1/workflows/{workflowId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteWorkflow",
                "DELETE",
                f"/api/v1/workflows/{segment(workflow_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )

    async def export(
        self,
        workflow_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.ExportView:
        """Export the draft.

        Gives the draft as a body for `POST /api/v1/workflows/import`, for a copy, a backup or another installation.

        `GET /api/v1/workflows/{workflowId}/export`
        """
        return await self._transport.read(
            ApiRequest(
                "exportWorkflow",
                "GET",
                f"/api/v1/workflows/{segment(workflow_id)}/export",
                value_path=("data",),
            ),
            models.ExportView,
            options,
        )

    async def get_status(
        self,
        workflow_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.WorkflowStatusView:
        """Read the deployment status of a workflow.

        Shows if a version is live, and if the draft has changed since its deploy.

        `GET /api/workflows/{workflowId}/status`
        """
        return await self._transport.read(
            ApiRequest(
                "getWorkflowStatus",
                "GET",
                f"/api/workflows/{segment(workflow_id)}/status",
            ),
            models.WorkflowStatusView,
            options,
        )

    async def get_definition_schema(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Dict[str, Any]:
        """Read the JSON Schema of a definition.

        Gives the JSON Schema of a definition, for editors that complete and check, and for programs that generate workflows. No key is needed.

        `GET /api/v1/definition-schema`
        """
        return await self._transport.read(
            ApiRequest(
                "getDefinitionSchema",
                "GET",
                "/api/v1/definition-schema",
            ),
            Dict[str, Any],
            options,
        )


class AsyncJobsResource(AsyncResource):
    """The calls of `client.jobs`."""

    async def get(
        self,
        job_id: str,
        *,
        wait: int | None = None,
        options: CallOptions | None = None,
    ) -> models.JobView:
        """Read a job, or wait for its end.

        Shows the state of an execution. With `wait` the answer comes when the execution has ended, or after this number of seconds; then ask again. A run that waits for a person is `processing` and has `paused`.

        wait: Seconds to wait for the end.

        `GET /api/jobs/{jobId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getJob",
                "GET",
                f"/api/jobs/{segment(job_id)}",
                {"wait": wait},
            ),
            models.JobView,
            options,
        )

    def follow(
        self,
        job_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncEventStream[models.JobView]:
        """Follow a job as server-sent events.

        Streams each state of a job as it comes, until the run has ended or waits for a person. A client that lost the connection sends the id of its last event and misses nothing.

        `GET /api/jobs/{jobId}/events`
        """
        return self._transport.follow(
            ApiRequest(
                "followJob",
                "GET",
                f"/api/jobs/{segment(job_id)}/events",
            ),
            models.JobView,
            options,
        )


class AsyncExecutionsResource(AsyncResource):
    """The calls of `client.executions`."""

    async def get(
        self,
        workflow_id: str,
        execution_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        include_trace_spans: bool | None = None,
        options: CallOptions | None = None,
    ) -> models.ExecutionView:
        """Read one execution with its block log.

        Shows one execution with its inputs, its output and its block log. The block log has pages; pass `nextCursor` as `cursor` to get the next page.

        limit: Blocks of one page.
        cursor: The `nextCursor` of the previous page.
        include_trace_spans: Adds the blocks of the page as `logs` and as `traceSpans`, and `totalDuration`.

        `GET /api/workflows/{workflowId}/executions/{executionId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getExecution",
                "GET",
                f"/api/workflows/{segment(workflow_id)}/executions/{segment(execution_id)}",
                {"limit": limit, "cursor": cursor, "includeTraceSpans": include_trace_spans},
            ),
            models.ExecutionView,
            options,
        )

    async def get_value(
        self,
        workflow_id: str,
        execution_id: str,
        value_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Any:
        """Read a large value of an execution.

        Gives a value that a block log shows as a reference because it is large. Pass the `$payload` of the reference as `valueId`.

        `GET /api/workflows/{workflowId}/executions/{executionId}/values/{valueId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getExecutionValue",
                "GET",
                f"/api/workflows/{segment(workflow_id)}/executions/{segment(execution_id)}/values/{segment(value_id)}",
                value_path=("data",),
            ),
            ANY,
            options,
        )

    async def cancel(
        self,
        workflow_id: str,
        execution_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.CancelView:
        """Cancel an execution.

        Asks an execution to end, and answers at once. Effects are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.

        `POST /api/workflows/{workflowId}/executions/{executionId}/cancel`
        """
        return await self._transport.read(
            ApiRequest(
                "cancelExecution",
                "POST",
                f"/api/workflows/{segment(workflow_id)}/executions/{segment(execution_id)}/cancel",
            ),
            models.CancelView,
            options,
        )

    async def get_timeline(
        self,
        execution_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> models.GetTimelineData:
        """Read the timeline of an execution as a graph.

        Shows the way of an execution through its graph, the times of each block, and the open pauses. `pageUrl` shows this as a page: anyone with the link can open it for a day, while the key or session that asked for it lives.

        limit: The maximum number of visits on a page.
        cursor: The `nextCursor` of the previous page.

        `GET /api/v1/executions/{executionId}/timeline`
        """
        return await self._transport.read(
            ApiRequest(
                "getTimeline",
                "GET",
                f"/api/v1/executions/{segment(execution_id)}/timeline",
                {"limit": limit, "cursor": cursor},
            ),
            models.GetTimelineData,
            options,
        )


class AsyncDeploymentsResource(AsyncResource):
    """The calls of `client.deployments`."""

    async def deploy(
        self,
        workflow_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool | None = None,
        options: CallOptions | None = None,
    ) -> models.DeploymentView:
        """Compile the draft and make it live as the next version.

        Checks the draft and makes it the next version, which never changes afterwards. New executions run it; running executions keep their version. A draft with faults is refused, `details` lists every fault, and nothing changes.

        name: A name for the version. Left out: no name.
        description: Notes on the version. Left out: no notes.
        strict: Refuses a definition that names a secret, table, knowledge base or workflow that does not exist.

        `POST /api/v1/workflows/{workflowId}/deploy`
        """
        return await self._transport.read(
            ApiRequest(
                "deployWorkflow",
                "POST",
                f"/api/v1/workflows/{segment(workflow_id)}/deploy",
                {"name": name, "description": description, "strict": strict},
                body="json",
                idempotent=True,
                value_path=("data",),
            ),
            models.DeploymentView,
            options,
        )

    async def undeploy(
        self,
        workflow_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeploymentView:
        """Take the workflow out of service.

        Takes the workflow out of service. New executions are refused with NOT_DEPLOYED until a version is live again. Running executions go on.

        `DELETE /api/v1/workflows/{workflowId}/deploy`
        """
        return await self._transport.read(
            ApiRequest(
                "undeployWorkflow",
                "DELETE",
                f"/api/v1/workflows/{segment(workflow_id)}/deploy",
                value_path=("data",),
            ),
            models.DeploymentView,
            options,
        )

    async def preview(
        self,
        workflow_id: str,
        *,
        action: Literal["deploy", "rollback", "undeploy"] | None = None,
        version: int | None = None,
        options: CallOptions | None = None,
    ) -> models.PreviewView:
        """Preview a deploy, rollback or undeploy.

        Shows the result of a deploy, rollback or undeploy without doing it. It lists faults, warnings, and the executions that wait for people and will finish on an older version.

        action: The change to preview. Left out: `deploy`.
        version: For a rollback: the number of the version.

        `GET /api/v1/workflows/{workflowId}/deploy/preview`
        """
        return await self._transport.read(
            ApiRequest(
                "previewDeploy",
                "GET",
                f"/api/v1/workflows/{segment(workflow_id)}/deploy/preview",
                {"action": action, "version": version},
                value_path=("data",),
            ),
            models.PreviewView,
            options,
        )

    async def rollback(
        self,
        workflow_id: str,
        *,
        version: int | None = None,
        options: CallOptions | None = None,
    ) -> models.DeploymentView:
        """Make an earlier version live again.

        Makes an earlier version live again. Without a number it takes the previous live version. New executions run it; running executions keep their version.

        version: The number of the version. Left out: the previous live version.

        `POST /api/v1/workflows/{workflowId}/rollback`
        """
        return await self._transport.read(
            ApiRequest(
                "rollbackWorkflow",
                "POST",
                f"/api/v1/workflows/{segment(workflow_id)}/rollback",
                {"version": version},
                body="json",
                value_path=("data",),
            ),
            models.DeploymentView,
            options,
        )

    def list_versions(
        self,
        workflow_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.VersionSummaryView, models.ListVersionsAnswer]:
        """List the versions, newest first.

        Lists all versions of a workflow without their definitions. `isActive` marks the live version.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.

        `GET /api/v1/workflows/{workflowId}/versions`
        """
        return self._transport.list(
            ApiRequest(
                "listVersions",
                "GET",
                f"/api/v1/workflows/{segment(workflow_id)}/versions",
                {"limit": limit, "cursor": cursor},
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.VersionSummaryView,
            models.ListVersionsAnswer,
            options,
        )

    async def get_version(
        self,
        workflow_id: str,
        version: str | int,
        *,
        options: CallOptions | None = None,
    ) -> models.VersionView:
        """Read one version with its definition.

        Shows the exact definition of a version, for example to compare it with the draft.

        `GET /api/v1/workflows/{workflowId}/versions/{version}`
        """
        return await self._transport.read(
            ApiRequest(
                "getVersion",
                "GET",
                f"/api/v1/workflows/{segment(workflow_id)}/versions/{segment(version)}",
                value_path=("data",),
            ),
            models.VersionView,
            options,
        )


class AsyncPausesResource(AsyncResource):
    """The calls of `client.pauses`."""

    def list(
        self,
        workflow_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.PausedExecutionView, models.ListPausedExecutionsAnswer]:
        """List the paused executions of a workflow.

        Lists the executions of a workflow that wait or waited for people. Filter by `status`. Each has its open pauses with links to answer them.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        status: A comma list of paused, partially_resumed, fully_resumed, expired, cancelled.

        `GET /api/workflows/{workflowId}/paused`
        """
        return self._transport.list(
            ApiRequest(
                "listPausedExecutions",
                "GET",
                f"/api/workflows/{segment(workflow_id)}/paused",
                {"limit": limit, "cursor": cursor, "status": status},
                items_path=("paused_executions",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.PausedExecutionView,
            models.ListPausedExecutionsAnswer,
            options,
        )

    async def get(
        self,
        workflow_id: str,
        execution_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> models.PausedDetailView:
        """Read one paused execution with its snapshot and queue.

        Shows the pauses of one execution, their questions, and all answers so far.

        limit: The maximum number of pauses on a page.
        cursor: The `nextCursor` of the previous page.

        `GET /api/resume/{workflowId}/{executionId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getPausedExecution",
                "GET",
                f"/api/resume/{segment(workflow_id)}/{segment(execution_id)}",
                {"limit": limit, "cursor": cursor},
            ),
            models.PausedDetailView,
            options,
        )

    async def upload_files(
        self,
        workflow_id: str,
        execution_id: str,
        context_id: str,
        *,
        files: FileInput | Sequence[FileInput] | None = None,
        options: CallOptions | None = None,
    ) -> models.UploadAnswerFilesData:
        """Upload files for the file fields of a pause.

        Uploads files before a pause with file fields is answered. Give the `id` of each file as the value of its field in the answer.

        `POST /api/resume/{workflowId}/{executionId}/{contextId}/files`
        """
        return await self._transport.read(
            ApiRequest(
                "uploadAnswerFiles",
                "POST",
                f"/api/resume/{segment(workflow_id)}/{segment(execution_id)}/{segment(context_id)}/files",
                {"files": files},
                body="files",
                value_path=("data",),
            ),
            models.UploadAnswerFilesData,
            options,
        )

    async def download_file(
        self,
        workflow_id: str,
        execution_id: str,
        file_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Download a file that was given as an answer.

        Downloads a file from an answer, with its name and its media type.

        `GET /api/workflows/{workflowId}/executions/{executionId}/files/{fileId}`
        """
        return await self._transport.download(
            ApiRequest(
                "downloadAnswerFile",
                "GET",
                f"/api/workflows/{segment(workflow_id)}/executions/{segment(execution_id)}/files/{segment(file_id)}",
                accept="application/octet-stream",
            ),
            options,
        )

    def list_inbox(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        mine: bool | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.InboxItemView, models.ListInboxAnswer]:
        """List the open pauses of a workspace, yours first.

        Lists the open pauses of a workspace. The pauses that ask you come first. With `mine=true` it lists only these.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        mine: True: only pauses that ask the caller.

        `GET /api/v1/inbox`
        """
        return self._transport.list(
            ApiRequest(
                "listInbox",
                "GET",
                "/api/v1/inbox",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id, "mine": mine},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.InboxItemView,
            models.ListInboxAnswer,
            options,
        )

    async def get_trail(
        self,
        workflow_id: str,
        execution_id: str,
        context_id: str,
        *,
        options: CallOptions | None = None,
    ) -> List[models.TrailEntryView]:
        """Read the history of a request.

        Lists, in order, who was notified of a request, who delegated it, and who answered it.

        `GET /api/resume/{workflowId}/{executionId}/{contextId}/trail`
        """
        return await self._transport.read(
            ApiRequest(
                "getRequestTrail",
                "GET",
                f"/api/resume/{segment(workflow_id)}/{segment(execution_id)}/{segment(context_id)}/trail",
                value_path=("data",),
            ),
            List[models.TrailEntryView],
            options,
        )

    async def delegate(
        self,
        workflow_id: str,
        execution_id: str,
        context_id: str,
        *,
        to: str,
        note: str | None = None,
        options: CallOptions | None = None,
    ) -> List[models.TrailEntryView]:
        """Let another person answer in your place.

        Lets another person answer in your place, by mail address or user id. The person gets a mail, and the history shows the delegation.

        to: The e-mail address or user id of the person who will answer instead.
        note: A message to that person. It is kept in the history.

        `POST /api/resume/{workflowId}/{executionId}/{contextId}/delegate`
        """
        return await self._transport.read(
            ApiRequest(
                "delegateRequest",
                "POST",
                f"/api/resume/{segment(workflow_id)}/{segment(execution_id)}/{segment(context_id)}/delegate",
                {"to": to, "note": note},
                body="json",
                value_path=("data",),
            ),
            List[models.TrailEntryView],
            options,
        )


class AsyncKnowledgeResource(AsyncResource):
    """The calls of `client.knowledge`."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.tags = AsyncKnowledgeTagsResource(transport)
        self.documents = AsyncKnowledgeDocumentsResource(transport)
        self.chunks = AsyncKnowledgeChunksResource(transport)

    def list(
        self,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.KnowledgeBaseView, models.ListKnowledgeBasesAnswer]:
        """List the knowledge bases.

        Lists every knowledge base of the workspace with the number of its documents.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/knowledge`
        """
        return self._transport.list(
            ApiRequest(
                "listKnowledgeBases",
                "GET",
                "/api/v1/knowledge",
                {"workspaceId": workspace_id},
                workspace_in="query",
                items_path=("data", "knowledge_bases",),
                paging="single",
            ),
            models.KnowledgeBaseView,
            models.ListKnowledgeBasesAnswer,
            options,
        )

    async def create(
        self,
        *,
        workspace_id: str | None = None,
        name: str,
        description: str | None = None,
        chunking_config: models.ChunkingBody | Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.CreateKnowledgeBaseData:
        """Create a knowledge base.

        Makes an empty knowledge base, bound to the embedding model of the installation. Add documents next.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The name, which no other knowledge base of the workspace may have.
        description: A description of the content; empty when left out.
        chunking_config: The settings for cutting documents into chunks. Each member has a default.

        `POST /api/v1/knowledge`
        """
        return await self._transport.read(
            ApiRequest(
                "createKnowledgeBase",
                "POST",
                "/api/v1/knowledge",
                {"workspaceId": workspace_id, "name": name, "description": description, "chunkingConfig": chunking_config},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.CreateKnowledgeBaseData,
            options,
        )

    async def get(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.GetKnowledgeBaseData:
        """Read a knowledge base.

        Shows a knowledge base: its number of documents and tokens, and the settings for cutting documents into chunks.

        workspace_id: The id of the workspace.

        `GET /api/v1/knowledge/{knowledgeBaseId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getKnowledgeBase",
                "GET",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                needs_workspace=True,
                value_path=("data",),
            ),
            models.GetKnowledgeBaseData,
            options,
        )

    async def update(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        chunking_config: models.ChunkingBody | Mapping[str, Any] | None = None,
        embedding_model: str | None = None,
        options: CallOptions | None = None,
    ) -> models.UpdateKnowledgeBaseData:
        """Change a knowledge base: its name, description or chunking.

        Changes only the sent members. New chunking or a new model processes all documents again. Until then searches find the old chunks.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The new name. Left out: no change.
        description: The new description. Left out: no change.
        chunking_config: The settings for cutting documents into chunks. After a change all documents are processed again. Until then searches find the old chunks.
        embedding_model: The model of the installation. A base with another model is bound to it, and all documents are embedded again.

        `PUT /api/v1/knowledge/{knowledgeBaseId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateKnowledgeBase",
                "PUT",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}",
                {"workspaceId": workspace_id, "name": name, "description": description, "chunkingConfig": chunking_config, "embeddingModel": embedding_model},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateKnowledgeBaseData,
            options,
        )

    async def delete(
        self,
        knowledge_base_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteKnowledgeBaseData:
        """Delete a knowledge base with all its documents.

        Deletes the knowledge base with its documents and their content. Blocks that search it then fail. This cannot be undone.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `DELETE /api/v1/knowledge/{knowledgeBaseId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteKnowledgeBase",
                "DELETE",
                f"/api/v1/knowledge/{segment(knowledge_base_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.DeleteKnowledgeBaseData,
            options,
        )

    async def search(
        self,
        *,
        workspace_id: str | None = None,
        knowledge_base_ids: Sequence[str],
        query: str | None = None,
        top_k: int | None = None,
        tag_filters: Sequence[models.TagFilterBody | Mapping[str, Any]] | None = None,
        options: CallOptions | None = None,
    ) -> models.SearchView:
        """Search knowledge bases.

        Finds the chunks that are nearest to a question in meaning and in words. Narrow it by tags; without a query it lists the chunks of the documents that the tags choose.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        knowledge_base_ids: One to twenty ids of knowledge bases.
        query: The question. It may be left out when tagFilters are given.
        top_k: The maximum number of results.
        tag_filters: Conditions on the tags. A document must match all of them. Only for a search in one knowledge base.

        `POST /api/v1/knowledge/search`
        """
        return await self._transport.read(
            ApiRequest(
                "searchKnowledge",
                "POST",
                "/api/v1/knowledge/search",
                {"workspaceId": workspace_id, "knowledgeBaseIds": knowledge_base_ids, "query": query, "topK": top_k, "tagFilters": tag_filters},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.SearchView,
            options,
        )


class AsyncLogsResource(AsyncResource):
    """The calls of `client.logs`."""

    def list(
        self,
        *,
        workspace_id: str | None = None,
        workflow_ids: str | None = None,
        folder_ids: str | None = None,
        triggers: str | None = None,
        status: str | None = None,
        level: Literal["info", "error"] | None = None,
        failure_codes: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        execution_id: str | None = None,
        parent_execution_id: str | None = None,
        min_duration_ms: int | None = None,
        max_duration_ms: int | None = None,
        min_cost: float | None = None,
        max_cost: float | None = None,
        model: str | None = None,
        search: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        details: Literal["basic", "full"] | None = None,
        include_final_output: bool | None = None,
        include_trace_spans: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.LogView, models.ListLogsAnswer]:
        """List the logs of executions.

        Finds executions of all workflows by time, state, duration, cost, model or text. An execution must match all filters. `details=full` adds the workflow and the blocks.

        workspace_id: The id of a workspace. Left out: all workspaces that the key may read.
        workflow_ids: Ids of workflows, separated by commas.
        folder_ids: Paths of folders, separated by commas. A folder includes its subfolders.
        triggers: Origins, separated by commas: `api`, `mcp` or `workflow`.
        status: States, separated by commas: queued, running, paused, completed, failed, cancelled.
        level: `error`: failed executions. `info`: all others.
        failure_codes: Codes of the failure, separated by commas.
        start_date: Only executions accepted at this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC.
        end_date: Only executions accepted at this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC.
        execution_id: The id of an execution, of its log, or of a resume.
        parent_execution_id: The id of the parent execution.
        min_duration_ms: The minimum duration in milliseconds.
        max_duration_ms: The maximum duration in milliseconds.
        min_cost: The minimum cost.
        max_cost: The maximum cost.
        model: A model that an llm block of the execution used.
        search: Text in the failure or the output, in upper or lower case. There are no wildcards.
        order: The order by time of acceptance.
        details: `full` adds the workflow and the blocks.
        include_final_output: Adds the output, with `details=full`.
        include_trace_spans: Adds the blocks as a tree of spans, with `details=full`.
        limit: The maximum number of executions on a page. With `details=full` at most 100.
        cursor: The `nextCursor` of the previous page. Send it with the filters of that page.

        `GET /api/v1/logs`
        """
        return self._transport.list(
            ApiRequest(
                "listLogs",
                "GET",
                "/api/v1/logs",
                {"workspaceId": workspace_id, "workflowIds": workflow_ids, "folderIds": folder_ids, "triggers": triggers, "status": status, "level": level, "failureCodes": failure_codes, "startDate": start_date, "endDate": end_date, "executionId": execution_id, "parentExecutionId": parent_execution_id, "minDurationMs": min_duration_ms, "maxDurationMs": max_duration_ms, "minCost": min_cost, "maxCost": max_cost, "model": model, "search": search, "order": order, "details": details, "includeFinalOutput": include_final_output, "includeTraceSpans": include_trace_spans, "limit": limit, "cursor": cursor},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.LogView,
            models.ListLogsAnswer,
            options,
        )

    async def export(
        self,
        *,
        workspace_id: str | None = None,
        workflow_ids: str | None = None,
        folder_ids: str | None = None,
        triggers: str | None = None,
        status: str | None = None,
        level: Literal["info", "error"] | None = None,
        failure_codes: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        execution_id: str | None = None,
        parent_execution_id: str | None = None,
        min_duration_ms: int | None = None,
        max_duration_ms: int | None = None,
        min_cost: float | None = None,
        max_cost: float | None = None,
        model: str | None = None,
        search: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        details: Literal["basic", "full"] | None = None,
        include_final_output: bool | None = None,
        include_trace_spans: bool | None = None,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Export the logs of executions as lines of JSON.

        Streams all executions that match the filters of the list, one JSON object a line, for a data warehouse or a spreadsheet.

        workspace_id: The id of a workspace. Left out: all workspaces that the key may read.
        workflow_ids: Ids of workflows, separated by commas.
        folder_ids: Paths of folders, separated by commas. A folder includes its subfolders.
        triggers: Origins, separated by commas: `api`, `mcp` or `workflow`.
        status: States, separated by commas: queued, running, paused, completed, failed, cancelled.
        level: `error`: failed executions. `info`: all others.
        failure_codes: Codes of the failure, separated by commas.
        start_date: Only executions accepted at this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC.
        end_date: Only executions accepted at this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC.
        execution_id: The id of an execution, of its log, or of a resume.
        parent_execution_id: The id of the parent execution.
        min_duration_ms: The minimum duration in milliseconds.
        max_duration_ms: The maximum duration in milliseconds.
        min_cost: The minimum cost.
        max_cost: The maximum cost.
        model: A model that an llm block of the execution used.
        search: Text in the failure or the output, in upper or lower case. There are no wildcards.
        order: The order by time of acceptance.
        details: `full` adds the workflow and the blocks.
        include_final_output: Adds the output, with `details=full`.
        include_trace_spans: Adds the blocks as a tree of spans, with `details=full`.

        `GET /api/v1/logs/export`
        """
        return await self._transport.download(
            ApiRequest(
                "exportLogs",
                "GET",
                "/api/v1/logs/export",
                {"workspaceId": workspace_id, "workflowIds": workflow_ids, "folderIds": folder_ids, "triggers": triggers, "status": status, "level": level, "failureCodes": failure_codes, "startDate": start_date, "endDate": end_date, "executionId": execution_id, "parentExecutionId": parent_execution_id, "minDurationMs": min_duration_ms, "maxDurationMs": max_duration_ms, "minCost": min_cost, "maxCost": max_cost, "model": model, "search": search, "order": order, "details": details, "includeFinalOutput": include_final_output, "includeTraceSpans": include_trace_spans},
                workspace_in="query",
                accept="application/x-ndjson",
            ),
            options,
        )

    async def get_state(
        self,
        execution_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.LogStateView:
        """Read the definition of an execution.

        Shows the definition that an execution ran, even after a change of the workflow.

        `GET /api/v1/logs/executions/{executionId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getLogState",
                "GET",
                f"/api/v1/logs/executions/{segment(execution_id)}",
            ),
            models.LogStateView,
            options,
        )

    async def get(
        self,
        log_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> models.LogDetailView:
        """Read one log.

        Shows one log with its output and a page of its blocks. It takes the id of the log or of the execution.

        limit: Blocks of one page.
        cursor: The `nextCursor` of the previous page.

        `GET /api/v1/logs/{logId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getLog",
                "GET",
                f"/api/v1/logs/{segment(log_id)}",
                {"limit": limit, "cursor": cursor},
                value_path=("data",),
            ),
            models.LogDetailView,
            options,
        )


class AsyncMcpServersResource(AsyncResource):
    """The calls of `client.mcp_servers`."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.grants = AsyncMcpServersGrantsResource(transport)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.McpServerView, models.ListMcpServersAnswer]:
        """List the MCP servers.

        Lists the MCP servers of the workspace, each with its address for agents.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.
        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/mcp-servers`
        """
        return self._transport.list(
            ApiRequest(
                "listMcpServers",
                "GET",
                "/api/v1/mcp-servers",
                {"limit": limit, "cursor": cursor, "workspaceId": workspace_id},
                workspace_in="query",
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.McpServerView,
            models.ListMcpServersAnswer,
            options,
        )

    async def create(
        self,
        *,
        workspace_id: str | None = None,
        name: str,
        description: str | None = None,
        folder: str | None | Unset = UNSET,
        tools: Sequence[models.ToolChoiceBody | Mapping[str, Any]] | None = None,
        wait_seconds: int | None = None,
        options: CallOptions | None = None,
    ) -> models.McpServerView:
        """Create an MCP server.

        Offers deployed workflows to agents as tools: all workflows of a folder, or chosen workflows. Each server has its own address. A server is never public: an agent needs a key.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The name, which no other server of the workspace may have.
        description: The description of the server for agents; empty when left out.
        folder: The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder.
        tools: Workflows that are offered from any folder, and settings for their tools.
        wait_seconds: The seconds that a call waits for a result before it goes on as a task.

        `POST /api/v1/mcp-servers`
        """
        return await self._transport.read(
            ApiRequest(
                "createMcpServer",
                "POST",
                "/api/v1/mcp-servers",
                {"workspaceId": workspace_id, "name": name, "description": description, "folder": folder, "tools": tools, "waitSeconds": wait_seconds},
                nulls=("folder",),
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.McpServerView,
            options,
        )

    async def get(
        self,
        server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.McpServerView:
        """Read one MCP server.

        Shows the settings of the server. Its tools are listed at its address.

        `GET /api/v1/mcp-servers/{serverId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getMcpServer",
                "GET",
                f"/api/v1/mcp-servers/{segment(server_id)}",
                value_path=("data",),
            ),
            models.McpServerView,
            options,
        )

    async def update(
        self,
        server_id: str,
        *,
        workspace_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        folder: str | None | Unset = UNSET,
        tools: Sequence[models.ToolChoiceBody | Mapping[str, Any]] | None = None,
        wait_seconds: int | None = None,
        options: CallOptions | None = None,
    ) -> models.McpServerView:
        """Change an MCP server.

        Changes only the sent members. Agents see the change when they list the tools again.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The new name. Left out: no change.
        description: The new description. Left out: no change.
        folder: The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder.
        tools: The new list as a whole. Left out: no change.
        wait_seconds: The seconds that a call waits for a result before it goes on as a task.

        `PATCH /api/v1/mcp-servers/{serverId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateMcpServer",
                "PATCH",
                f"/api/v1/mcp-servers/{segment(server_id)}",
                {"workspaceId": workspace_id, "name": name, "description": description, "folder": folder, "tools": tools, "waitSeconds": wait_seconds},
                nulls=("folder",),
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.McpServerView,
            options,
        )

    async def delete(
        self,
        server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Delete an MCP server.

        Closes the address of the server. Executions that agents began go on, and stay in the logs.

        `DELETE /api/v1/mcp-servers/{serverId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteMcpServer",
                "DELETE",
                f"/api/v1/mcp-servers/{segment(server_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncTablesResource(AsyncResource):
    """The calls of `client.tables`."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.columns = AsyncTablesColumnsResource(transport)
        self.rows = AsyncTablesRowsResource(transport)
        self.imports = AsyncTablesImportsResource(transport)

    def list(
        self,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.TableView, models.ListTablesAnswer]:
        """List the tables.

        Lists every table of the workspace with its columns and the number of its rows.

        workspace_id: The id of the workspace.

        `GET /api/v1/tables`
        """
        return self._transport.list(
            ApiRequest(
                "listTables",
                "GET",
                "/api/v1/tables",
                {"workspaceId": workspace_id},
                workspace_in="query",
                needs_workspace=True,
                items_path=("data", "tables",),
                paging="single",
            ),
            models.TableView,
            models.ListTablesAnswer,
            options,
        )

    async def create(
        self,
        *,
        workspace_id: str | None = None,
        name: str,
        description: str | None = None,
        schema: models.SchemaBody | Mapping[str, Any],
        max_rows: int | None = None,
        options: CallOptions | None = None,
    ) -> models.CreateTableData:
        """Create a table.

        Makes an empty table with typed columns. Blocks find it by its name or its id.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The name, which no other table has: letters, digits and underscores, no digit first.
        description: A description of the content; empty when left out.
        schema: The columns of the table.
        max_rows: A limit of rows below the limit of the plan.

        `POST /api/v1/tables`
        """
        return await self._transport.read(
            ApiRequest(
                "createTable",
                "POST",
                "/api/v1/tables",
                {"workspaceId": workspace_id, "name": name, "description": description, "schema": schema, "maxRows": max_rows},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.CreateTableData,
            options,
        )

    async def get(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.GetTableData:
        """Read a table without its rows.

        Shows the columns of a table, its number of rows and its limit.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/v1/tables/{tableId}`
        """
        return await self._transport.read(
            ApiRequest(
                "getTable",
                "GET",
                f"/api/v1/tables/{segment(table_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.GetTableData,
            options,
        )

    async def update(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        options: CallOptions | None = None,
    ) -> models.UpdateTableData:
        """Rename or describe a table.

        Changes only the sent members. Rows and columns do not change.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        name: The new name. Left out: no change. Blocks that use the old name then fail.
        description: The new description. Left out: no change.

        `PATCH /api/v1/tables/{tableId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateTable",
                "PATCH",
                f"/api/v1/tables/{segment(table_id)}",
                {"workspaceId": workspace_id, "name": name, "description": description},
                body="json",
                workspace_in="body",
                value_path=("data",),
            ),
            models.UpdateTableData,
            options,
        )

    async def delete(
        self,
        table_id: str,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.DeleteTableData:
        """Delete a table with all its rows.

        Deletes the table with all its rows. Blocks that use it then fail. This cannot be undone.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `DELETE /api/v1/tables/{tableId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteTable",
                "DELETE",
                f"/api/v1/tables/{segment(table_id)}",
                {"workspaceId": workspace_id},
                workspace_in="query",
                value_path=("data",),
            ),
            models.DeleteTableData,
            options,
        )

    async def create_from_file(
        self,
        content: Content,
        *,
        workspace_id: str | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        header: str | None = None,
        sheet: str | None = None,
        mapping: str | None = None,
        nulls: Literal["null", "default"] | None = None,
        decimal: Literal[".", ","] | None = None,
        date_format: str | None = None,
        guard_formulas: bool | None = None,
        name: str,
        description: str | None = None,
        mode: Literal["all", "good"] | None = None,
        async_: bool | None = None,
        content_type: Literal["text/csv", "text/tab-separated-values", "text/plain", "application/x-ndjson", "application/jsonl", "application/gzip", "application/x-gzip", "application/octet-stream", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet"] | None = None,
        options: CallOptions | None = None,
    ) -> models.ImportView:
        """Make a table of a file.

        Makes a table with the columns of the file, whose types are those of its first values, and inserts its rows. With mode `all` a refused line leaves no table. With `async` the table is there at once, and stays whatever the import does.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        delimiter: The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`.
        encoding: The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`.
        header: The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table.
        sheet: The name of the sheet of a workbook; the default is the first that is not empty.
        mapping: JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation.
        nulls: An empty cell: `null` leaves it empty, `default` gives it the default of its column.
        decimal: The decimal sign of numbers.
        date_format: The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case.
        guard_formulas: True: the quote with which an export guards a text such as `+49` is taken off.
        name: The name of the new table: letters, digits and underscores, no digit first.
        description: The description of the new table.
        mode: `all`: every row or none. `good`: every row that fits, and a report of the others.
        async_: Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB.

        `POST /api/v1/tables/import`
        """
        return await self._transport.read(
            ApiRequest(
                "importTable",
                "POST",
                "/api/v1/tables/import",
                {"workspaceId": workspace_id, "delimiter": delimiter, "encoding": encoding, "header": header, "sheet": sheet, "mapping": mapping, "nulls": nulls, "decimal": decimal, "dateFormat": date_format, "guardFormulas": guard_formulas, "name": name, "description": description, "mode": mode, "async": async_, "contentType": content_type},
                query_names=("workspaceId", "delimiter", "encoding", "header", "sheet", "mapping", "nulls", "decimal", "dateFormat", "guardFormulas", "name", "description", "mode", "async",),
                body="content",
                content=content,
                workspace_in="query",
                idempotent=True,
                value_path=("data",),
            ),
            models.ImportView,
            options,
        )

    async def preview_file(
        self,
        content: Content,
        *,
        workspace_id: str | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        header: str | None = None,
        sheet: str | None = None,
        mapping: str | None = None,
        nulls: Literal["null", "default"] | None = None,
        decimal: Literal[".", ","] | None = None,
        date_format: str | None = None,
        guard_formulas: bool | None = None,
        content_type: Literal["text/csv", "text/tab-separated-values", "text/plain", "application/x-ndjson", "application/jsonl", "application/gzip", "application/x-gzip", "application/octet-stream", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet"] | None = None,
        options: CallOptions | None = None,
    ) -> models.ImportPreviewView:
        """Look at a file before a table is made of it.

        Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing. The columns are those that the new table would have.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        delimiter: The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`.
        encoding: The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`.
        header: The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table.
        sheet: The name of the sheet of a workbook; the default is the first that is not empty.
        mapping: JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation.
        nulls: An empty cell: `null` leaves it empty, `default` gives it the default of its column.
        decimal: The decimal sign of numbers.
        date_format: The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case.
        guard_formulas: True: the quote with which an export guards a text such as `+49` is taken off.

        `POST /api/v1/tables/import/preview`
        """
        return await self._transport.read(
            ApiRequest(
                "previewTable",
                "POST",
                "/api/v1/tables/import/preview",
                {"workspaceId": workspace_id, "delimiter": delimiter, "encoding": encoding, "header": header, "sheet": sheet, "mapping": mapping, "nulls": nulls, "decimal": decimal, "dateFormat": date_format, "guardFormulas": guard_formulas, "contentType": content_type},
                query_names=("workspaceId", "delimiter", "encoding", "header", "sheet", "mapping", "nulls", "decimal", "dateFormat", "guardFormulas",),
                body="content",
                content=content,
                workspace_in="query",
                value_path=("data",),
            ),
            models.ImportPreviewView,
            options,
        )


class AsyncMembersResource(AsyncResource):
    """The calls of `client.members`."""

    def list(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.MemberView, models.ListMembersAnswer]:
        """List the members.

        Lists the members of the workspace with their roles.

        `GET /api/v1/workspaces/{workspaceId}/members`
        """
        return self._transport.list(
            ApiRequest(
                "listMembers",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/members",
                items_path=("data",),
                paging="single",
            ),
            models.MemberView,
            models.ListMembersAnswer,
            options,
        )

    async def change_role(
        self,
        workspace_id: str,
        user_id: str,
        *,
        role: Literal["viewer", "editor", "admin"],
        options: CallOptions | None = None,
    ) -> models.MemberView:
        """Change the role of a member.

        Gives a member another role, which holds from the next call on. A workspace keeps at least one admin.

        role: The new role of the member.

        `PATCH /api/v1/workspaces/{workspaceId}/members/{userId}`
        """
        return await self._transport.read(
            ApiRequest(
                "changeMemberRole",
                "PATCH",
                f"/api/v1/workspaces/{segment(workspace_id)}/members/{segment(user_id)}",
                {"role": role},
                body="json",
                value_path=("data",),
            ),
            models.MemberView,
            options,
        )

    async def remove(
        self,
        workspace_id: str,
        user_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Remove a member.

        Takes a member out of the workspace. Their personal keys do not reach it from then on; the last admin cannot be removed.

        `DELETE /api/v1/workspaces/{workspaceId}/members/{userId}`
        """
        return await self._transport.read(
            ApiRequest(
                "removeMember",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/members/{segment(user_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )

    def list_caps(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.MemberCapView, models.ListMemberCapsAnswer]:
        """List the cost caps of the members.

        Lists the monthly cost caps of the members that have a cap.

        `GET /api/v1/workspaces/{workspaceId}/caps`
        """
        return self._transport.list(
            ApiRequest(
                "listMemberCaps",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/caps",
                items_path=("data",),
                paging="single",
            ),
            models.MemberCapView,
            models.ListMemberCapsAnswer,
            options,
        )

    async def get_cap(
        self,
        workspace_id: str,
        user_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.MemberCapView:
        """Read the cost cap of a member.

        Shows the cost cap of a member and the cost of this month.

        `GET /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
        """
        return await self._transport.read(
            ApiRequest(
                "getMemberCap",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/members/{segment(user_id)}/cap",
                value_path=("data",),
            ),
            models.MemberCapView,
            options,
        )

    async def set_cap(
        self,
        workspace_id: str,
        user_id: str,
        *,
        monthly_cost: float,
        options: CallOptions | None = None,
    ) -> models.MemberCapView:
        """Set the cost cap of a member.

        Limits the cost of executions with the personal keys of a member in a calendar month. Above the cap they are refused with 402. Running executions go on.

        monthly_cost: The cost cap of the member for a calendar month. 0 refuses every execution.

        `PUT /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
        """
        return await self._transport.read(
            ApiRequest(
                "setMemberCap",
                "PUT",
                f"/api/v1/workspaces/{segment(workspace_id)}/members/{segment(user_id)}/cap",
                {"monthlyCost": monthly_cost},
                body="json",
                value_path=("data",),
            ),
            models.MemberCapView,
            options,
        )

    async def remove_cap(
        self,
        workspace_id: str,
        user_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Remove the cap of a member.

        Removes the cap of a member.

        `DELETE /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
        """
        return await self._transport.read(
            ApiRequest(
                "removeMemberCap",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/members/{segment(user_id)}/cap",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncInvitationsResource(AsyncResource):
    """The calls of `client.invitations`."""

    def list(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.InvitationView, models.ListInvitationsAnswer]:
        """List the invitations of a workspace.

        Lists the invitations, the open invitations first.

        `GET /api/v1/workspaces/{workspaceId}/invitations`
        """
        return self._transport.list(
            ApiRequest(
                "listInvitations",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/invitations",
                items_path=("data",),
                paging="single",
            ),
            models.InvitationView,
            models.ListInvitationsAnswer,
            options,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        email: str,
        name: str | None = None,
        role: Literal["viewer", "editor", "admin"],
        options: CallOptions | None = None,
    ) -> models.MadeInvitationView:
        """Invite a person.

        Invites a person by mail address. Give the token to the person. It is shown only in this answer and is valid for seven days.

        email: The mail address of the person; only a user with this address can accept.
        name: The name that a new user gets; empty when left out.
        role: The role of the person after acceptance.

        `POST /api/v1/workspaces/{workspaceId}/invitations`
        """
        return await self._transport.read(
            ApiRequest(
                "createInvitation",
                "POST",
                f"/api/v1/workspaces/{segment(workspace_id)}/invitations",
                {"email": email, "name": name, "role": role},
                body="json",
                value_path=("data",),
            ),
            models.MadeInvitationView,
            options,
        )

    async def withdraw(
        self,
        workspace_id: str,
        invitation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Withdraw an invitation.

        Withdraws an open invitation. Its token becomes invalid.

        `DELETE /api/v1/workspaces/{workspaceId}/invitations/{invitationId}`
        """
        return await self._transport.read(
            ApiRequest(
                "withdrawInvitation",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/invitations/{segment(invitation_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )

    async def read(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.OfferView:
        """Read an invitation that you were given.

        Shows an invited person the workspace and the role of the invitation. It needs no key.

        token: The token of the invitation.

        `POST /api/v1/invitations/read`
        """
        return await self._transport.read(
            ApiRequest(
                "readInvitation",
                "POST",
                "/api/v1/invitations/read",
                {"token": token},
                body="json",
                value_path=("data",),
            ),
            models.OfferView,
            options,
        )

    async def accept(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.JoinedView:
        """Accept an invitation.

        Joins the workspace. A new user needs no key and gets a first personal key, which is shown only in this answer. An existing user sends a personal key.

        token: The token of the invitation.

        `POST /api/v1/invitations/accept`
        """
        return await self._transport.read(
            ApiRequest(
                "acceptInvitation",
                "POST",
                "/api/v1/invitations/accept",
                {"token": token},
                body="json",
                value_path=("data",),
            ),
            models.JoinedView,
            options,
        )

    async def decline(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.DeclinedView:
        """Decline an invitation.

        Declines an invitation, without a key. Its token becomes invalid.

        token: The token of the invitation.

        `POST /api/v1/invitations/decline`
        """
        return await self._transport.read(
            ApiRequest(
                "declineInvitation",
                "POST",
                "/api/v1/invitations/decline",
                {"token": token},
                body="json",
                value_path=("data",),
            ),
            models.DeclinedView,
            options,
        )


class AsyncAccountResource(AsyncResource):
    """The calls of `client.account`."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.sessions = AsyncAccountSessionsResource(transport)
        self.passkeys = AsyncAccountPasskeysResource(transport)
        self.identities = AsyncAccountIdentitiesResource(transport)

    async def update_workspace(
        self,
        workspace_id: str,
        *,
        pause_mails: bool,
        options: CallOptions | None = None,
    ) -> models.OwnWorkspaceView:
        """Change your notifications in a workspace.

        Turns mails about pauses that ask you on or off, for this workspace only. It also holds for mails that are not yet sent. The inbox shows the pauses in any case.

        pause_mails: False: you get no mail about pauses of the workspace.

        `PATCH /api/v1/users/me/workspaces/{workspaceId}`
        """
        return await self._transport.read(
            ApiRequest(
                "updateOwnWorkspace",
                "PATCH",
                f"/api/v1/users/me/workspaces/{segment(workspace_id)}",
                {"pauseMails": pause_mails},
                body="json",
                value_path=("data",),
            ),
            models.OwnWorkspaceView,
            options,
        )

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.MeView:
        """Read your account.

        Shows who you are, the workspaces that you belong to, and the session that makes the call.

        `GET /api/v1/users/me`
        """
        return await self._transport.read(
            ApiRequest(
                "getMe",
                "GET",
                "/api/v1/users/me",
                value_path=("data",),
            ),
            models.MeView,
            options,
        )

    async def update(
        self,
        *,
        name: str,
        options: CallOptions | None = None,
    ) -> models.MeView:
        """Change your name.

        Changes the name that others see.

        name: The name that others see.

        `PATCH /api/v1/users/me`
        """
        return await self._transport.read(
            ApiRequest(
                "updateMe",
                "PATCH",
                "/api/v1/users/me",
                {"name": name},
                body="json",
                value_path=("data",),
            ),
            models.MeView,
            options,
        )

    async def sign_out(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.SignedOutView:
        """Sign out.

        Ends the session of this call and removes its cookie. With a key it does nothing.

        `POST /api/v1/users/me/sign-out`
        """
        return await self._transport.read(
            ApiRequest(
                "signOut",
                "POST",
                "/api/v1/users/me/sign-out",
                value_path=("data",),
            ),
            models.SignedOutView,
            options,
        )


class AsyncKeysResource(AsyncResource):
    """The calls of `client.keys`."""

    def list(
        self,
        workspace_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.KeyView, models.ListWorkspaceKeysAnswer]:
        """List the keys of a workspace.

        Lists the keys of a workspace without their values, with their creator, their role and their last use.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.

        `GET /api/v1/workspaces/{workspaceId}/keys`
        """
        return self._transport.list(
            ApiRequest(
                "listWorkspaceKeys",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/keys",
                {"limit": limit, "cursor": cursor},
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.KeyView,
            models.ListWorkspaceKeysAnswer,
            options,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        role: Literal["viewer", "editor", "admin"] | None = None,
        expires_at: str | None = None,
        options: CallOptions | None = None,
    ) -> models.MintedKeyView:
        """Create a key of a workspace.

        Makes a key that reaches this workspace alone, with a role of its own. Its value is shown only in this answer.

        name: A name that tells people what the key is for.
        role: The role of the key.
        expires_at: The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.

        `POST /api/v1/workspaces/{workspaceId}/keys`
        """
        return await self._transport.read(
            ApiRequest(
                "createWorkspaceKey",
                "POST",
                f"/api/v1/workspaces/{segment(workspace_id)}/keys",
                {"name": name, "role": role, "expiresAt": expires_at},
                body="json",
                value_path=("data",),
            ),
            models.MintedKeyView,
            options,
        )

    async def revoke(
        self,
        workspace_id: str,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Revoke a key of a workspace.

        Revokes a key at once. Executions that it started go on.

        `DELETE /api/v1/workspaces/{workspaceId}/keys/{keyId}`
        """
        return await self._transport.read(
            ApiRequest(
                "revokeWorkspaceKey",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/keys/{segment(key_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )

    def list_personal(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.KeyView, models.ListPersonalKeysAnswer]:
        """List your personal keys.

        Lists the keys of the user whose personal key is sent, without their values.

        limit: The maximum number of items on a page.
        cursor: The `nextCursor` of the previous page. Leave it out for the first page.

        `GET /api/v1/users/me/keys`
        """
        return self._transport.list(
            ApiRequest(
                "listPersonalKeys",
                "GET",
                "/api/v1/users/me/keys",
                {"limit": limit, "cursor": cursor},
                items_path=("data",),
                paging="cursor",
                cursor_path=("nextCursor",),
            ),
            models.KeyView,
            models.ListPersonalKeysAnswer,
            options,
        )

    async def create_personal(
        self,
        *,
        name: str,
        expires_at: str | None = None,
        options: CallOptions | None = None,
    ) -> models.MintedKeyView:
        """Create a personal key.

        Makes another key of the calling user, for example for another machine. Its value is shown only in this answer.

        name: A name that tells people what the key is for.
        expires_at: The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.

        `POST /api/v1/users/me/keys`
        """
        return await self._transport.read(
            ApiRequest(
                "createPersonalKey",
                "POST",
                "/api/v1/users/me/keys",
                {"name": name, "expiresAt": expires_at},
                body="json",
                value_path=("data",),
            ),
            models.MintedKeyView,
            options,
        )

    async def revoke_personal(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Revoke a personal key.

        Revokes one of your personal keys at once. Executions that it started go on.

        `DELETE /api/v1/users/me/keys/{keyId}`
        """
        return await self._transport.read(
            ApiRequest(
                "revokePersonalKey",
                "DELETE",
                f"/api/v1/users/me/keys/{segment(key_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncSavedViewsResource(AsyncResource):
    """The calls of `client.saved_views`."""

    def list(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.SavedViewView, models.ListSavedViewsAnswer]:
        """List your saved views.

        Lists your named filters of lists in this workspace. Other users do not see them.

        `GET /api/v1/workspaces/{workspaceId}/saved-views`
        """
        return self._transport.list(
            ApiRequest(
                "listSavedViews",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/saved-views",
                items_path=("data",),
                paging="single",
            ),
            models.SavedViewView,
            models.ListSavedViewsAnswer,
            options,
        )

    async def save(
        self,
        workspace_id: str,
        *,
        area: Literal["executions", "workflows", "audit"],
        name: str,
        query: str,
        options: CallOptions | None = None,
    ) -> models.SavedViewView:
        """Save a view.

        Keeps the filters of a list under a name. A view of the same list and name is replaced; you may have a hundred.

        area: The list that the view filters.
        name: The name, unique for the list. A second call with it replaces the view.
        query: The filters, as in the query of the address of the list.

        `POST /api/v1/workspaces/{workspaceId}/saved-views`
        """
        return await self._transport.read(
            ApiRequest(
                "saveView",
                "POST",
                f"/api/v1/workspaces/{segment(workspace_id)}/saved-views",
                {"area": area, "name": name, "query": query},
                body="json",
                value_path=("data",),
            ),
            models.SavedViewView,
            options,
        )

    async def delete(
        self,
        workspace_id: str,
        view_id: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Delete a saved view.

        Deletes one of your saved views.

        `DELETE /api/v1/workspaces/{workspaceId}/saved-views/{viewId}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteSavedView",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/saved-views/{segment(view_id)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncSecretsResource(AsyncResource):
    """The calls of `client.secrets`."""

    def list(
        self,
        workspace_id: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPageCall[models.SecretView, models.ListSecretsAnswer]:
        """List the names of the secrets.

        Lists the names of the secrets. No call shows a value.

        `GET /api/v1/workspaces/{workspaceId}/secrets`
        """
        return self._transport.list(
            ApiRequest(
                "listSecrets",
                "GET",
                f"/api/v1/workspaces/{segment(workspace_id)}/secrets",
                items_path=("data",),
                paging="single",
            ),
            models.SecretView,
            models.ListSecretsAnswer,
            options,
        )

    async def put(
        self,
        workspace_id: str,
        name: str,
        *,
        value: str,
        options: CallOptions | None = None,
    ) -> models.SecretView:
        """Create a secret or give it a new value.

        Stores a value that blocks read as `{{ secrets.NAME }}`. The value is sealed at rest, is in no log and is never shown again. A second call replaces it.

        value: The value, which is stored sealed and never shown again.

        `PUT /api/v1/workspaces/{workspaceId}/secrets/{name}`
        """
        return await self._transport.read(
            ApiRequest(
                "putSecret",
                "PUT",
                f"/api/v1/workspaces/{segment(workspace_id)}/secrets/{segment(name)}",
                {"value": value},
                body="json",
                value_path=("data",),
            ),
            models.SecretView,
            options,
        )

    async def delete(
        self,
        workspace_id: str,
        name: str,
        *,
        options: CallOptions | None = None,
    ) -> models.DeletedView:
        """Delete a secret.

        Deletes a secret. Blocks that read it then fail with SECRET_NOT_FOUND and send nothing.

        `DELETE /api/v1/workspaces/{workspaceId}/secrets/{name}`
        """
        return await self._transport.read(
            ApiRequest(
                "deleteSecret",
                "DELETE",
                f"/api/v1/workspaces/{segment(workspace_id)}/secrets/{segment(name)}",
                value_path=("data",),
            ),
            models.DeletedView,
            options,
        )


class AsyncSignInResource(AsyncResource):
    """The calls of `client.sign_in`."""

    async def get_ways(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.SignInWaysView:
        """List the ways to sign in.

        Lists the ways to sign in to the console of this installation. Programs use keys instead.

        `GET /api/v1/sign-in`
        """
        return await self._transport.read(
            ApiRequest(
                "getSignInWays",
                "GET",
                "/api/v1/sign-in",
                value_path=("data",),
            ),
            models.SignInWaysView,
            options,
        )

    async def by_link(
        self,
        *,
        token: str,
        confirmed: bool | None = None,
        options: CallOptions | None = None,
    ) -> models.SignedInView:
        """Sign in by a link.

        Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie. In another browser than the one that asked for the mail, and where another person has signed in, the answer is 409 `CONFIRM_SIGN_IN`; it names the account.

        token: The token of the link: the text behind `#token=`.
        confirmed: True after the person was told whose account it is, and agreed: the answer to a refusal with `CONFIRM_SIGN_IN`.

        `POST /api/v1/sign-in/link`
        """
        return await self._transport.read(
            ApiRequest(
                "signInByLink",
                "POST",
                "/api/v1/sign-in/link",
                {"token": token, "confirmed": confirmed},
                body="json",
                value_path=("data",),
            ),
            models.SignedInView,
            options,
        )

    async def request_mail(
        self,
        *,
        email: str,
        options: CallOptions | None = None,
    ) -> models.SentMailView:
        """Ask for a link by mail.

        Sends a link to the address when it has an account or an invitation. The answer is the same for every address.

        email: The mail address of the person who signs in.

        `POST /api/v1/sign-in/mail`
        """
        return await self._transport.read(
            ApiRequest(
                "requestSignInMail",
                "POST",
                "/api/v1/sign-in/mail",
                {"email": email},
                body="json",
                value_path=("data",),
            ),
            models.SentMailView,
            options,
        )

    async def by_invitation(
        self,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> models.SignedInView:
        """Accept an invitation and sign in.

        Joins the workspace of an invitation. It begins a session for a new person. A person who has already signed in joins as that user, and keeps the session with its time.

        token: The token of the invitation.

        `POST /api/v1/sign-in/invitation`
        """
        return await self._transport.read(
            ApiRequest(
                "signInByInvitation",
                "POST",
                "/api/v1/sign-in/invitation",
                {"token": token},
                body="json",
                value_path=("data",),
            ),
            models.SignedInView,
            options,
        )

    async def start_passkey(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.PasskeyOptionsView:
        """Begin to sign in by a passkey.

        Gives the options for `navigator.credentials.get`. They work once, within five minutes.

        `POST /api/v1/sign-in/passkey/options`
        """
        return await self._transport.read(
            ApiRequest(
                "startPasskeySignIn",
                "POST",
                "/api/v1/sign-in/passkey/options",
                value_path=("data",),
            ),
            models.PasskeyOptionsView,
            options,
        )

    async def by_passkey(
        self,
        *,
        response: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> models.SignedInView:
        """Sign in by a passkey.

        Begins a session with the answer of the browser to the options.

        response: The answer of the browser, in the JSON form of WebAuthn.

        `POST /api/v1/sign-in/passkey`
        """
        return await self._transport.read(
            ApiRequest(
                "signInByPasskey",
                "POST",
                "/api/v1/sign-in/passkey",
                {"response": response},
                body="json",
                value_path=("data",),
            ),
            models.SignedInView,
            options,
        )


class AsyncUsageResource(AsyncResource):
    """The calls of `client.usage`."""

    async def get_limits(
        self,
        *,
        workspace_id: str | None = None,
        options: CallOptions | None = None,
    ) -> models.UsageLimitsView:
        """Read the rate limits and the usage of the key.

        Shows the calls that the key has left, and the part of the plan that the workspace has used. This call takes no execution token.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.

        `GET /api/users/me/usage-limits`
        """
        return await self._transport.read(
            ApiRequest(
                "getUsageLimits",
                "GET",
                "/api/users/me/usage-limits",
                {"workspaceId": workspace_id},
                workspace_in="query",
            ),
            models.UsageLimitsView,
            options,
        )

    async def get(
        self,
        *,
        workspace_id: str | None = None,
        group_by: Literal["day", "workflow", "member", "kind"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> models.GetUsageData:
        """Read the cost of a workspace by day, workflow, member or kind.

        Adds up the cost of a workspace by day, workflow, member or kind, over 366 days at most.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        group_by: The grouping of the cost.
        start_date: The first day, in UTC. Left out: the first day of this month.
        end_date: The last day, in UTC. Left out: today.
        limit: The maximum number of groups.

        `GET /api/v1/usage`
        """
        return await self._transport.read(
            ApiRequest(
                "getUsage",
                "GET",
                "/api/v1/usage",
                {"workspaceId": workspace_id, "groupBy": group_by, "startDate": start_date, "endDate": end_date, "limit": limit},
                workspace_in="query",
            ),
            models.GetUsageData,
            options,
        )

    async def export(
        self,
        *,
        workspace_id: str | None = None,
        group_by: Literal["day", "workflow", "member", "kind"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncDownload:
        """Download the cost of a workspace as CSV.

        Gives the cost of a workspace as CSV, with a line for each group, 10,000 at most.

        workspace_id: The id of the workspace. It may be left out when the key reaches only one.
        group_by: The grouping of the cost.
        start_date: The first day, in UTC. Left out: the first day of this month.
        end_date: The last day, in UTC. Left out: today.

        `GET /api/v1/usage/export`
        """
        return await self._transport.download(
            ApiRequest(
                "exportUsage",
                "GET",
                "/api/v1/usage/export",
                {"workspaceId": workspace_id, "groupBy": group_by, "startDate": start_date, "endDate": end_date},
                workspace_in="query",
                accept="text/csv",
            ),
            options,
        )


class AsyncHealthResource(AsyncResource):
    """The calls of `client.health`."""

    async def check_liveness(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.LivenessView:
        """Check that the process is alive.

        Tells a supervisor that the process needs no restart. It asks no database, because a restart does not bring a database back.

        `GET /health/live`
        """
        return await self._transport.read(
            ApiRequest(
                "checkLiveness",
                "GET",
                "/health/live",
            ),
            models.LivenessView,
            options,
        )

    async def check_readiness(
        self,
        *,
        options: CallOptions | None = None,
    ) -> models.ReadinessView:
        """Check that the process can serve requests.

        Tells a load balancer whether to send calls here. Without Temporal it stays ready: executions are accepted and start later.

        `GET /health/ready`
        """
        return await self._transport.read(
            ApiRequest(
                "checkReadiness",
                "GET",
                "/health/ready",
            ),
            models.ReadinessView,
            options,
        )
