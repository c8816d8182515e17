// This file is generated from the description of the API: change that, and run `npm run clients`.
export interface paths {
    "/api/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Lists who deployed, answered, invited or changed a key, and when. Filter by action, resource, actor and time. An entry must match all filters.
         *
         *     ```sh
         *     curl "$URL/api/v1/audit-logs" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-logs/{auditLogId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one entry of the audit log
         * @description Shows one entry, as the list does, with its change and its place in the hash chain.
         *
         *     ```sh
         *     curl "$URL/api/v1/audit-logs/aud_01957c6a8e0070008000000000000021" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the changes of a workspace
         * @description Streams an event within about a second of a change. `changed` names `executions`, `pauses` or `settings`. The event does not hold the change: read the lists again.
         *
         *     ```sh
         *     curl -N "$URL/api/v1/events" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["followWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute the live version of a workflow
         * @description Runs the live version with the inputs of the body. Waits for the end and answers with the output. With `"async": true` it answers 202 with a job at once. A run that takes longer than the wait limit of the installation becomes a job too. A failed run is answered with 200 and `success: false`, so look at `success`. With `X-Response-Mode: raw` the answer is only that of the Response block.
         *
         *     ```sh
         *     curl -X POST "$URL/api/workflows/wf_01957c6a8e0070008000000000000020/execute" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"inputs":{"amount":5}}'
         *     ```
         */
        post: operations["executeWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job, or wait for its end
         * @description Shows the state of an execution. With `wait` the answer comes when the execution has ended, or after this number of seconds; then ask again. A run that waits for a person is `processing` and has `paused`.
         *
         *     ```sh
         *     curl "$URL/api/jobs/job_01957c6a8e0070008000000000000025" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a job as server-sent events
         * @description Streams each state of a job as it comes, until the run has ended or waits for a person. A client that lost the connection sends the id of its last event and misses nothing.
         *
         *     ```sh
         *     curl -N "$URL/api/jobs/job_01957c6a8e0070008000000000000025/events" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["followJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one execution with its block log
         * @description Shows one execution with its inputs, its output and its block log. The block log has pages; pass `nextCursor` as `cursor` to get the next page.
         *
         *     ```sh
         *     curl "$URL/api/workflows/wf_01957c6a8e0070008000000000000020/executions/exec_01957c6a8e0070008000000000000024" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/executions/{executionId}/values/{valueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a large value of an execution
         * @description Gives a value that a block log shows as a reference because it is large. Pass the `$payload` of the reference as `valueId`.
         *
         *     ```sh
         *     curl "$URL/api/workflows/$workflowId/executions/$executionId/values/$valueId" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getExecutionValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/executions/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description Asks an execution to end, and answers at once. Effects are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.
         *
         *     ```sh
         *     curl -X POST "$URL/api/workflows/wf_01957c6a8e0070008000000000000034/executions/exec_01957c6a8e0070008000000000000041/cancel" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{executionId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of an execution as a graph
         * @description Shows the way of an execution through its graph, the times of each block, and the open pauses. `pageUrl` shows this as a page: anyone with the link can open it for a day, while the key or session that asked for it lives.
         *
         *     ```sh
         *     curl "$URL/api/v1/executions/exec_01957c6a8e0070008000000000000024/timeline" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile the draft and make it live as the next version
         * @description Checks the draft and makes it the next version, which never changes afterwards. New executions run it; running executions keep their version. A draft with faults is refused, `details` lists every fault, and nothing changes.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/deploy" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"First","description":"As it was agreed."}'
         *     ```
         */
        post: operations["deployWorkflow"];
        /**
         * Take the workflow out of service
         * @description Takes the workflow out of service. New executions are refused with NOT_DEPLOYED until a version is live again. Running executions go on.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/deploy" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["undeployWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/deploy/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a deploy, rollback or undeploy
         * @description Shows the result of a deploy, rollback or undeploy without doing it. It lists faults, warnings, and the executions that wait for people and will finish on an older version.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/deploy/preview" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["previewDeploy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an earlier version live again
         * @description Makes an earlier version live again. Without a number it takes the previous live version. New executions run it; running executions keep their version.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/rollback" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"version":1}'
         *     ```
         */
        post: operations["rollbackWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions, newest first
         * @description Lists all versions of a workflow without their definitions. `isActive` marks the live version.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/versions" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one version with its definition
         * @description Shows the exact definition of a version, for example to compare it with the draft.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/versions/1" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows
         * @description Finds workflows by a part of their name, by folder and by state. Each comes with its last execution and without its definition.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description Stores a draft. It may still have faults: `POST /api/v1/workflows/validate` lists them, and a deploy refuses them. The name must be free in the workspace.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workflows" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "name": "Size of an order",
         *       "description": "Large orders go another way.",
         *       "definition": {
         *         "start": {
         *           "inputs": {
         *             "amount": {
         *               "type": "number",
         *               "required": true
         *             },
         *             "note": {
         *               "type": "string",
         *               "default": "none"
         *             }
         *           }
         *         },
         *         "blocks": [
         *           {
         *             "id": "check",
         *             "type": "condition",
         *             "cases": [
         *               {
         *                 "port": "large",
         *                 "when": "start.amount > 1000"
         *               }
         *             ]
         *           },
         *           {
         *             "id": "large",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "large",
         *                 "amount": "{{ start.amount }}"
         *               }
         *             }
         *           },
         *           {
         *             "id": "small",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "small",
         *                 "amount": "{{ start.amount }}",
         *                 "note": "{{ start.note }}"
         *               }
         *             }
         *           }
         *         ],
         *         "edges": [
         *           {
         *             "from": "start",
         *             "to": "check"
         *           },
         *           {
         *             "from": "check",
         *             "port": "large",
         *             "to": "large"
         *           },
         *           {
         *             "from": "check",
         *             "port": "else",
         *             "to": "small"
         *           }
         *         ]
         *       }
         *     }'
         *     ```
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the folders that hold workflows
         * @description Lists the folders with the number of workflows in each. A folder exists as long as a workflow names it.
         *
         *     ```sh
         *     curl "$URL/api/v1/folders" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a definition without storing it
         * @description Lists every fault and warning of a definition and stores nothing. It takes the body of a create, so that one file serves both calls.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workflows/validate" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "definition": {
         *         "start": {
         *           "inputs": {
         *             "amount": {
         *               "type": "number",
         *               "required": true
         *             },
         *             "note": {
         *               "type": "string",
         *               "default": "none"
         *             }
         *           }
         *         },
         *         "blocks": [
         *           {
         *             "id": "check",
         *             "type": "condition",
         *             "cases": [
         *               {
         *                 "port": "large",
         *                 "when": "start.amount > 1000"
         *               }
         *             ]
         *           },
         *           {
         *             "id": "large",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "large",
         *                 "amount": "{{ start.amount }}"
         *               }
         *             }
         *           },
         *           {
         *             "id": "small",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "small",
         *                 "amount": "{{ start.amount }}",
         *                 "note": "{{ start.note }}"
         *               }
         *             }
         *           }
         *         ],
         *         "edges": [
         *           {
         *             "from": "start",
         *             "to": "check"
         *           },
         *           {
         *             "from": "check",
         *             "port": "large",
         *             "to": "large"
         *           },
         *           {
         *             "from": "check",
         *             "port": "else",
         *             "to": "small"
         *           }
         *         ]
         *       }
         *     }'
         *     ```
         */
        post: operations["validateDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workflow from an export
         * @description Creates a workflow from an export of this or another installation. With `from` it takes the file of another product and reports the outcome for each of its blocks. Secrets and tables are not in an export; they are found by their names.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workflows/import" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "version": "1",
         *       "name": "Size of an order, copied",
         *       "description": "Orders over 1,000 go another way.",
         *       "folder": "",
         *       "definition": {
         *         "start": {
         *           "inputs": {
         *             "amount": {
         *               "type": "number",
         *               "required": true
         *             },
         *             "note": {
         *               "type": "string",
         *               "default": "none"
         *             }
         *           }
         *         },
         *         "blocks": [
         *           {
         *             "id": "check",
         *             "type": "condition",
         *             "cases": [
         *               {
         *                 "port": "large",
         *                 "when": "start.amount > 1000"
         *               }
         *             ]
         *           },
         *           {
         *             "id": "large",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "large",
         *                 "amount": "{{ start.amount }}"
         *               }
         *             }
         *           },
         *           {
         *             "id": "small",
         *             "type": "response",
         *             "params": {
         *               "data": {
         *                 "size": "small",
         *                 "amount": "{{ start.amount }}",
         *                 "note": "{{ start.note }}"
         *               }
         *             }
         *           }
         *         ],
         *         "edges": [
         *           {
         *             "from": "start",
         *             "to": "check"
         *           },
         *           {
         *             "from": "check",
         *             "port": "large",
         *             "to": "large"
         *           },
         *           {
         *             "from": "check",
         *             "port": "else",
         *             "to": "small"
         *           }
         *         ]
         *       }
         *     }'
         *     ```
         */
        post: operations["importWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one workflow with its draft
         * @description Shows a workflow with its draft. The live version may differ: see `GET /api/workflows/{workflowId}/status`. Send the ETag of the answer as If-Match with a change or a deploy: it is refused when the workflow has changed since.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow with its versions
         * @description Deletes the draft and every version. This cannot be undone. The executions stay in the logs until their retention ends.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000058" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change name, description or draft
         * @description Changes only the sent members. A new definition is a new draft; only a deploy changes the live version. With If-Match it is refused when the workflow has changed since.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"description":"Orders over 1,000 go another way."}'
         *     ```
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/api/v1/workflows/{workflowId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the draft
         * @description Gives the draft as a body for `POST /api/v1/workflows/import`, for a copy, a backup or another installation.
         *
         *     ```sh
         *     curl "$URL/api/v1/workflows/wf_01957c6a8e0070008000000000000020/export" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["exportWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the deployment status of a workflow
         * @description Shows if a version is live, and if the draft has changed since its deploy.
         *
         *     ```sh
         *     curl "$URL/api/workflows/wf_01957c6a8e0070008000000000000020/status" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getWorkflowStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/definition-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the JSON Schema of a definition
         * @description Gives the JSON Schema of a definition, for editors that complete and check, and for programs that generate workflows. No key is needed.
         *
         *     ```sh
         *     curl "$URL/api/v1/definition-schema"
         *     ```
         */
        get: operations["getDefinitionSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the paused executions of a workflow
         * @description Lists the executions of a workflow that wait or waited for people. Filter by `status`. Each has its open pauses with links to answer them.
         *
         *     ```sh
         *     curl "$URL/api/workflows/wf_01957c6a8e0070008000000000000028/paused" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listPausedExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume/{workflowId}/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one paused execution with its snapshot and queue
         * @description Shows the pauses of one execution, their questions, and all answers so far.
         *
         *     ```sh
         *     curl "$URL/api/resume/wf_01957c6a8e0070008000000000000034/exec_01957c6a8e0070008000000000000035" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getPausedExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume/{workflowId}/{executionId}/{contextId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload files for the file fields of a pause
         * @description Uploads files before a pause with file fields is answered. Give the `id` of each file as the value of its field in the answer.
         *
         *     ```sh
         *     curl -X POST "$URL/api/resume/wf_01957c6a8e0070008000000000000034/exec_01957c6a8e0070008000000000000041/ctx_01957c6a8e00700080000000000000420000000000000000/files" \
         *       -H "X-API-Key: $KEY" \
         *       -F file=@letter.pdf
         *     ```
         */
        post: operations["uploadAnswerFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflowId}/executions/{executionId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file that was given as an answer
         * @description Downloads a file from an answer, with its name and its media type.
         *
         *     ```sh
         *     curl "$URL/api/workflows/wf_01957c6a8e0070008000000000000034/executions/exec_01957c6a8e0070008000000000000041/files/file_01957c6a8e0070008000000000000043" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["downloadAnswerFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open pauses of a workspace, yours first
         * @description Lists the open pauses of a workspace. The pauses that ask you come first. With `mine=true` it lists only these.
         *
         *     ```sh
         *     curl "$URL/api/v1/inbox" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the knowledge bases
         * @description Lists every knowledge base of the workspace with the number of its documents.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listKnowledgeBases"];
        put?: never;
        /**
         * Create a knowledge base
         * @description Makes an empty knowledge base, bound to the embedding model of the installation. Add documents next.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/knowledge" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "workspaceId": "ws_01957c6a8e0070008000000000000002",
         *       "name": "manuals",
         *       "description": "How our machines are used.",
         *       "chunkingConfig": {
         *         "maxSize": 200,
         *         "minSize": 1,
         *         "overlap": 0
         *       }
         *     }'
         *     ```
         */
        post: operations["createKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a knowledge base
         * @description Shows a knowledge base: its number of documents and tokens, and the settings for cutting documents into chunks.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052?workspaceId=$WS" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getKnowledgeBase"];
        /**
         * Change a knowledge base: its name, description or chunking
         * @description Changes only the sent members. New chunking or a new model processes all documents again. Until then searches find the old chunks.
         *
         *     ```sh
         *     curl -X PUT "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"description":"How our machines are used and mended."}'
         *     ```
         */
        put: operations["updateKnowledgeBase"];
        post?: never;
        /**
         * Delete a knowledge base with all its documents
         * @description Deletes the knowledge base with its documents and their content. Blocks that search it then fail. This cannot be undone.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteKnowledgeBase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags that documents of a knowledge base may have
         * @description Lists the tags that documents may have and searches may filter by.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/tags" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listTags"];
        /**
         * Define the tags that documents of a knowledge base may have
         * @description Replaces the list of tags. A tag with its `id` is renamed and keeps its values. A tag that is left out is removed from all documents.
         *
         *     ```sh
         *     curl -X PUT "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/tags" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"tags":[{"name":"machine","type":"text"}]}'
         *     ```
         */
        put: operations["defineTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search knowledge bases
         * @description Finds the chunks that are nearest to a question in meaning and in words. Narrow it by tags; without a query it lists the chunks of the documents that the tags choose.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/knowledge/search" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "knowledgeBaseIds": [
         *         "kb_01957c6a8e0070008000000000000052"
         *       ],
         *       "query": "How is the pump started?",
         *       "topK": 3,
         *       "tagFilters": [
         *         {
         *           "tagName": "machine",
         *           "operator": "starts_with",
         *           "value": "p-"
         *         }
         *       ]
         *     }'
         *     ```
         */
        post: operations["searchKnowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a knowledge base
         * @description Lists documents by a part of their name, with their total number. Searches find only those whose `processingStatus` is `completed`.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents?workspaceId=$WS" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Add documents: files, a text, or a URL
         * @description Stores documents; a worker processes them. Send files as multipart/form-data, or a text or a URL as JSON. Content that the base already has is not stored again.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "text": "# Pumps\n\nThe pump P-100 is started by the green button.\n\n# Fans\n\nThe fan stops by itself.",
         *       "filename": "machines.md",
         *       "tags": {
         *         "machine": "P-100"
         *       }
         *     }'
         *     ```
         */
        post: operations["addDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document, or wait until it has been processed
         * @description Shows the progress of a document. With `wait` the answer comes when it has been processed, or after this number of seconds.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document with its chunks and its content
         * @description Deletes a document with its chunks and its content. Searches do not find it from then on.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        /**
         * Rename, tag, enable or disable a document
         * @description Changes only the sent members. Searches do not find a disabled document, but nothing of it is lost.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"filename":"pumps and fans.md"}'
         *     ```
         */
        patch: operations["updateDocument"];
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a failed document again
         * @description Processes a failed document again, for example after a URL did not answer. `processingError` tells the reason of the failure.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000057/retry" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        post: operations["retryDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the source of a document
         * @description Downloads the stored content: the uploaded file, or the response of the URL.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chunks of a document
         * @description Lists the chunks of a document in its order. Searches find these chunks.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/chunks" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chunk
         * @description Shows one chunk with its place in the document.
         *
         *     ```sh
         *     curl "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/chunks/chk_01957c6a8e00700080000000000000550000000000000000" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getChunk"];
        put?: never;
        post?: never;
        /**
         * Delete a chunk
         * @description Takes a chunk out of the document for good, until the document is processed again.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/chunks/chk_01957c6a8e00700080000000000000560000000000000000" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteChunk"];
        options?: never;
        head?: never;
        /**
         * Edit, enable or disable a chunk
         * @description Corrects the text of a chunk, or takes it out of searches. When the document is processed again, new chunks replace all of these.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/chunks/chk_01957c6a8e00700080000000000000560000000000000000" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"enabled":false}'
         *     ```
         */
        patch: operations["updateChunk"];
        trace?: never;
    };
    "/api/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the logs of executions
         * @description Finds executions of all workflows by time, state, duration, cost, model or text. An execution must match all filters. `details=full` adds the workflow and the blocks.
         *
         *     ```sh
         *     curl "$URL/api/v1/logs" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the logs of executions as lines of JSON
         * @description Streams all executions that match the filters of the list, one JSON object a line, for a data warehouse or a spreadsheet.
         *
         *     ```sh
         *     curl "$URL/api/v1/logs/export" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["exportLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the definition of an execution
         * @description Shows the definition that an execution ran, even after a change of the workflow.
         *
         *     ```sh
         *     curl "$URL/api/v1/logs/executions/exec_01957c6a8e0070008000000000000024" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getLogState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/{logId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one log
         * @description Shows one log with its output and a page of its blocks. It takes the id of the log or of the execution.
         *
         *     ```sh
         *     curl "$URL/api/v1/logs/log_01957c6a8e0070008000000000000024" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the MCP servers
         * @description Lists the MCP servers of the workspace, each with its address for agents.
         *
         *     ```sh
         *     curl "$URL/api/v1/mcp-servers" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listMcpServers"];
        put?: never;
        /**
         * Create an MCP server
         * @description Offers deployed workflows to agents as tools: all workflows of a folder, or chosen workflows. Each server has its own address. A server is never public: an agent needs a key.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/mcp-servers" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "name": "Order desk",
         *       "description": "What agents of the order desk may do.",
         *       "tools": [
         *         {
         *           "workflowId": "wf_01957c6a8e0070008000000000000020",
         *           "name": "size_of_order",
         *           "readOnlyHint": true
         *         }
         *       ]
         *     }'
         *     ```
         */
        post: operations["createMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{serverId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one MCP server
         * @description Shows the settings of the server. Its tools are listed at its address.
         *
         *     ```sh
         *     curl "$URL/api/v1/mcp-servers/mcp_01957c6a8e0070008000000000000027" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getMcpServer"];
        put?: never;
        post?: never;
        /**
         * Delete an MCP server
         * @description Closes the address of the server. Executions that agents began go on, and stay in the logs.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/mcp-servers/mcp_01957c6a8e0070008000000000000027" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteMcpServer"];
        options?: never;
        head?: never;
        /**
         * Change an MCP server
         * @description Changes only the sent members. Agents see the change when they list the tools again.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/mcp-servers/mcp_01957c6a8e0070008000000000000027" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"folder":"orders","waitSeconds":10}'
         *     ```
         */
        patch: operations["updateMcpServer"];
        trace?: never;
    };
    "/api/v1/mcp-servers/{serverId}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients of an MCP server
         * @description Lists the valid OAuth grants that people have given to clients. Clients that send a key are not in the list.
         *
         *     ```sh
         *     curl "$URL/api/v1/mcp-servers/mcp_01957c6a8e0070008000000000000027/grants" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listMcpGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{serverId}/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the access of a client
         * @description Ends the grant that a person has given to a client. Its tokens stop within five seconds.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/mcp-servers/mcp_01957c6a8e0070008000000000000027/grants/Zk3vQeT1bW9xR5uYc7aPd0LmN2oHs4JgFiKqXyVwBtE" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["revokeMcpGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume/{workflowId}/{executionId}/{contextId}/trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a request
         * @description Lists, in order, who was notified of a request, who delegated it, and who answered it.
         *
         *     ```sh
         *     curl "$URL/api/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000/trail" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getRequestTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume/{workflowId}/{executionId}/{contextId}/delegate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let another person answer in your place
         * @description Lets another person answer in your place, by mail address or user id. The person gets a mail, and the history shows the delegation.
         *
         *     ```sh
         *     curl -X POST "$URL/api/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000/delegate" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"to":"bob@example.org","note":"I am away."}'
         *     ```
         */
        post: operations["delegateRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resume/{workflowId}/{executionId}/{contextId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a pause, and let its execution go on
         * @description Answers a pause. The first answer that fits the form wins, and everyone else gets 409 ALREADY_RESUMED. Waits until the run has ended or waits again; with `"async": true` it answers 202 with a job at once.
         *
         *     ```sh
         *     curl -X POST "$URL/api/resume/wf_01957c6a8e0070008000000000000034/exec_01957c6a8e0070008000000000000035/ctx_01957c6a8e00700080000000000000360000000000000000" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"input":{"approved":true,"note":"Agreed."}}'
         *     ```
         */
        post: operations["resumeExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables
         * @description Lists every table of the workspace with its columns and the number of its rows.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables?workspaceId=$WS" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listTables"];
        put?: never;
        /**
         * Create a table
         * @description Makes an empty table with typed columns. Blocks find it by its name or its id.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "workspaceId": "ws_01957c6a8e0070008000000000000002",
         *       "name": "leads",
         *       "description": "Who may buy.",
         *       "schema": {
         *         "columns": [
         *           {
         *             "name": "email",
         *             "type": "string",
         *             "required": true,
         *             "unique": true
         *           },
         *           {
         *             "name": "score",
         *             "type": "number"
         *           },
         *           {
         *             "name": "stage",
         *             "type": "string",
         *             "default": "new"
         *           }
         *         ]
         *       }
         *     }'
         *     ```
         */
        post: operations["createTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a table without its rows
         * @description Shows the columns of a table, its number of rows and its limit.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getTable"];
        put?: never;
        post?: never;
        /**
         * Delete a table with all its rows
         * @description Deletes the table with all its rows. Blocks that use it then fail. This cannot be undone.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000048" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteTable"];
        options?: never;
        head?: never;
        /**
         * Rename or describe a table
         * @description Changes only the sent members. Rows and columns do not change.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"description":"Who may buy, and who has."}'
         *     ```
         */
        patch: operations["updateTable"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a column
         * @description Adds a column at the end. A default is written to every existing row.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/columns" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"column":{"name":"met","type":"date"}}'
         *     ```
         */
        post: operations["addColumn"];
        /**
         * Delete a column with its cells
         * @description Deletes a column with all its cells. This cannot be undone.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/columns" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"columnName":"met"}'
         *     ```
         */
        delete: operations["deleteColumn"];
        options?: never;
        head?: never;
        /**
         * Rename a column, or change its type and its rules
         * @description Renames a column, or changes its type or its rules. A change that a row does not fit is refused, and nothing changes.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/columns" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"columnName":"score","updates":{"name":"points","required":false}}'
         *     ```
         */
        patch: operations["changeColumn"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the rows as a file
         * @description Downloads all rows that match as CSV or as lines of JSON.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/export" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["exportRows"];
        put?: never;
        /**
         * Download the rows of a long filter as a file
         * @description Downloads the rows like the GET call, for a filter that is too long for an address.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/export" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"filter":{"points":{"$gte":4}},"format":"jsonl"}'
         *     ```
         */
        post: operations["exportRowsByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a table of a file
         * @description Makes a table with the columns of the file, whose types are those of its first values, and inserts its rows. With mode `all` a refused line leaves no table. With `async` the table is there at once, and stays whatever the import does.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/import" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: text/csv' \
         *       --data-binary 'Name;City
         *     Ann;Bonn
         *     Bob;Köln
         *     '
         *     ```
         */
        post: operations["importTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a file before a table is made of it
         * @description Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing. The columns are those that the new table would have.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/import/preview" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: text/csv' \
         *       --data-binary 'Name;City
         *     Ann;Bonn
         *     Bob;Köln
         *     '
         *     ```
         */
        post: operations["previewTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Insert the rows of a file
         * @description Inserts the rows of a CSV with any delimiter, a JSON list, lines of JSON, or a sheet of a workbook (XLSX, XLS, ODS), also packed with gzip. Mode `all` inserts every row or none. Mode `good` inserts the rows that fit, and the report names each refused line. Files above 16 MiB need `async=true`.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/import" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: text/csv' \
         *       --data-binary 'email,points
         *     cid@example.org,4
         *     dan@example.org,many
         *     '
         *     ```
         */
        post: operations["importRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a file before its rows are inserted
         * @description Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/import/preview" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: text/csv' \
         *       --data-binary 'E-Mail;points
         *     eve@example.org;1,5
         *     '
         *     ```
         */
        post: operations["previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the imports of a table
         * @description Lists the asynchronous imports that are open, or ended in the last 30 days.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/imports" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of an import, or wait for its end
         * @description Shows the progress of an import. With `wait` the answer comes when it has ended, or after this number of seconds.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000050/imports/imp_01957c6a8e0070008000000000000049" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/imports/{importId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an import
         * @description Ends an import that has not ended. In mode `all` no row of it stays. In mode `good` the committed rows stay.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/imports/imp_01957c6a8e0070008000000000000051/cancel" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rows
         * @description Finds rows by conditions on their columns, sorted and by pages, with their exact number. Pass `changeToken` later as `changedSince` to get only the changes.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows?workspaceId=$WS" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listRows"];
        /**
         * Change all rows of a filter alike
         * @description Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.
         *
         *     ```sh
         *     curl -X PUT "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"filter":{"points":{"$lt":9}},"data":{"stage":"lost"}}'
         *     ```
         */
        put: operations["updateRowsByFilter"];
        /**
         * Insert one row or many
         * @description Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "rows": [
         *         {
         *           "email": "ann@example.org",
         *           "points": 8
         *         },
         *         {
         *           "email": "bob@example.org",
         *           "points": 5
         *         }
         *       ]
         *     }'
         *     ```
         */
        post: operations["insertRows"];
        /**
         * Delete rows by a filter or by their ids
         * @description Deletes the rows of a filter or of a list of ids, 10,000 at most. `all: true` means every row.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"rowIds":["row_01957c6a8e0070008000000000000045"]}'
         *     ```
         */
        delete: operations["deleteRows"];
        options?: never;
        head?: never;
        /**
         * Change rows, each in its own way
         * @description Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out does not change.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "updates": [
         *         {
         *           "rowId": "row_01957c6a8e0070008000000000000045",
         *           "data": {
         *             "points": 9
         *           }
         *         }
         *       ]
         *     }'
         *     ```
         */
        patch: operations["updateRows"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/rows/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List rows by a long filter
         * @description Lists the rows like the GET call, for a filter that is too long for an address.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/query" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"filter":{"points":{"$gte":5}},"sort":{"points":"desc"}}'
         *     ```
         */
        post: operations["queryRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/rows/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Insert a row, or change the row with its unique value
         * @description Changes the row with this value in a unique column, or inserts a row when there is none. It is safe with many callers at once.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/upsert" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"data":{"email":"bob@example.org","stage":"won"}}'
         *     ```
         */
        post: operations["upsertRow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/rows/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count, add up and compare rows
         * @description Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/aggregate" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "groupBy": [
         *         "stage"
         *       ],
         *       "aggregates": {
         *         "rows": {
         *           "count": "*"
         *         },
         *         "total": {
         *           "sum": "points"
         *         }
         *       }
         *     }'
         *     ```
         */
        post: operations["aggregateRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/rows/{rowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one row
         * @description Shows one row. Send its ETag as If-Match with a change: the change is refused when the row has changed since.
         *
         *     ```sh
         *     curl "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/row_01957c6a8e0070008000000000000045" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getRow"];
        put?: never;
        post?: never;
        /**
         * Delete one row
         * @description Deletes one row. With If-Match it is refused when the row has changed since.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/row_01957c6a8e0070008000000000000046" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"workspaceId":"ws_01957c6a8e0070008000000000000002"}'
         *     ```
         */
        delete: operations["deleteRow"];
        options?: never;
        head?: never;
        /**
         * Change one row
         * @description Changes only the sent columns. null empties a cell.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/tables/tbl_01957c6a8e0070008000000000000044/rows/row_01957c6a8e0070008000000000000045" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"data":{"stage":"won"}}'
         *     ```
         */
        patch: operations["updateRow"];
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces that the key reaches
         * @description Lists the workspaces that the key reaches: one for a workspace key, all of its user's for a personal key.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace with you as its admin
         * @description Makes a workspace, with the user of the personal key as its admin. A workspace key belongs to no user, so it cannot.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workspaces" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"Finance"}'
         *     ```
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one workspace
         * @description Shows the name, the plan and the policy of a workspace.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change name or settings of a workspace
         * @description Changes only the sent members. `personalKeysAllowed: false` allows only workspace keys. It is refused while no workspace key has the role admin.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000001" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"Accounting"}'
         *     ```
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description Lists the members of the workspace with their roles.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Takes a member out of the workspace. Their personal keys do not reach it from then on; the last admin cannot be removed.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members/usr_01957c6a8e0070008000000000000009" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Gives a member another role, which holds from the next call on. A workspace keeps at least one admin.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members/usr_01957c6a8e0070008000000000000005" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"role":"editor"}'
         *     ```
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations of a workspace
         * @description Lists the invitations, the open invitations first.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/invitations" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * @description Invites a person by mail address. Give the token to the person. It is shown only in this answer and is valid for seven days.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/invitations" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"email":"bob@example.org","name":"Bob","role":"viewer"}'
         *     ```
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Withdraws an open invitation. Its token becomes invalid.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/invitations/inv_01957c6a8e0070008000000000000006" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an invitation that you were given
         * @description Shows an invited person the workspace and the role of the invitation. It needs no key.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/invitations/read" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"token":"an-example-of-an-invitations-token-43-long-x-"}'
         *     ```
         */
        post: operations["readInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Joins the workspace. A new user needs no key and gets a first personal key, which is shown only in this answer. An existing user sends a personal key.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/invitations/accept" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"token":"an-example-of-an-invitations-token-43-long-x-"}'
         *     ```
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invitation
         * @description Declines an invitation, without a key. Its token becomes invalid.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/invitations/decline" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"token":"an-example-of-an-invitations-token-43-long-x-"}'
         *     ```
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave a workspace
         * @description Takes you out of a workspace. The last admin cannot leave.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/workspaces/ws_01957c6a8e0070008000000000000002" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["leaveWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change your notifications in a workspace
         * @description Turns mails about pauses that ask you on or off, for this workspace only. It also holds for mails that are not yet sent. The inbox shows the pauses in any case.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/users/me/workspaces/ws_01957c6a8e0070008000000000000002" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"pauseMails":true}'
         *     ```
         */
        patch: operations["updateOwnWorkspace"];
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of a workspace
         * @description Lists the keys of a workspace without their values, with their creator, their role and their last use.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/keys" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listWorkspaceKeys"];
        put?: never;
        /**
         * Create a key of a workspace
         * @description Makes a key that reaches this workspace alone, with a role of its own. Its value is shown only in this answer.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/keys" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"Nightly job","role":"editor"}'
         *     ```
         */
        post: operations["createWorkspaceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key of a workspace
         * @description Revokes a key at once. Executions that it started go on.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/keys/key_01957c6a8e0070008000000000000010" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["revokeWorkspaceKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your personal keys
         * @description Lists the keys of the user whose personal key is sent, without their values.
         *
         *     ```sh
         *     curl "$URL/api/v1/users/me/keys" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listPersonalKeys"];
        put?: never;
        /**
         * Create a personal key
         * @description Makes another key of the calling user, for example for another machine. Its value is shown only in this answer.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/users/me/keys" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"Laptop"}'
         *     ```
         */
        post: operations["createPersonalKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a personal key
         * @description Revokes one of your personal keys at once. Executions that it started go on.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/keys/key_01957c6a8e0070008000000000000011" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["revokePersonalKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved views
         * @description Lists your named filters of lists in this workspace. Other users do not see them.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/saved-views" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Save a view
         * @description Keeps the filters of a list under a name. A view of the same list and name is replaced; you may have a hundred.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/saved-views" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"area":"executions","name":"Failed today","query":"status=failed"}'
         *     ```
         */
        post: operations["saveView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/saved-views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved view
         * @description Deletes one of your saved views.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/saved-views/view_01957c6a8e0070008000000000000013" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the secrets
         * @description Lists the names of the secrets. No call shows a value.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/secrets" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create a secret or give it a new value
         * @description Stores a value that blocks read as `{{ secrets.NAME }}`. The value is sealed at rest, is in no log and is never shown again. A second call replaces it.
         *
         *     ```sh
         *     curl -X PUT "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/secrets/BILLING_TOKEN" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"value":"the token of the billing service"}'
         *     ```
         */
        put: operations["putSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description Deletes a secret. Blocks that read it then fail with SECRET_NOT_FOUND and send nothing.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/secrets/BILLING_TOKEN" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description Lists the ways to sign in to the console of this installation. Programs use keys instead.
         *
         *     ```sh
         *     curl "$URL/api/v1/sign-in"
         *     ```
         */
        get: operations["getSignInWays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a link
         * @description Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie. In another browser than the one that asked for the mail, and where another person has signed in, the answer is 409 `CONFIRM_SIGN_IN`; it names the account.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/sign-in/link" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"token":"an-example-of-an-invitations-token-43-long-x-"}'
         *     ```
         */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link by mail
         * @description Sends a link to the address when it has an account or an invitation. The answer is the same for every address.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/sign-in/mail" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"email":"joe@example.org"}'
         *     ```
         */
        post: operations["requestSignInMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation and sign in
         * @description Joins the workspace of an invitation. It begins a session for a new person. A person who has already signed in joins as that user, and keeps the session with its time.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/sign-in/invitation" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"token":"an-example-of-an-invitations-token-43-long-x-"}'
         *     ```
         */
        post: operations["signInByInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in by a passkey
         * @description Gives the options for `navigator.credentials.get`. They work once, within five minutes.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/sign-in/passkey/options" \
         *       -H 'Content-Type: application/json' \
         *       -d '{}'
         *     ```
         */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a passkey
         * @description Begins a session with the answer of the browser to the options.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/sign-in/passkey" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "response": {
         *         "id": "Base64urlOfTheBrowser",
         *         "rawId": "Base64urlOfTheBrowser",
         *         "type": "public-key",
         *         "clientExtensionResults": {},
         *         "response": {
         *           "clientDataJSON": "Base64urlOfTheBrowser",
         *           "authenticatorData": "Base64urlOfTheBrowser",
         *           "signature": "Base64urlOfTheBrowser"
         *         }
         *       }
         *     }'
         *     ```
         */
        post: operations["signInByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your account
         * @description Shows who you are, the workspaces that you belong to, and the session that makes the call.
         *
         *     ```sh
         *     curl "$URL/api/v1/users/me" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
         * @description Changes the name that others see.
         *
         *     ```sh
         *     curl -X PATCH "$URL/api/v1/users/me" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"name":"Admin"}'
         *     ```
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/api/v1/users/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Lists your sessions with the way of sign-in, the address and the browser.
         *
         *     ```sh
         *     curl "$URL/api/v1/users/me/sessions" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description Signs you out everywhere except in the browser of this call.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/sessions" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["revokeOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Signs you out in one browser, within five seconds everywhere.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/sessions/ses_01957c6a8e0070008000000000000018" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of this call and removes its cookie. With a key it does nothing.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/users/me/sign-out" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{}'
         *     ```
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description Lists the passkeys that sign you in.
         *
         *     ```sh
         *     curl "$URL/api/v1/users/me/passkeys" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Keep a new passkey
         * @description Keeps the passkey that the browser has made with the options. It signs you in from then on. It takes a session, and no key.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/users/me/passkeys" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{
         *       "name": "Laptop",
         *       "response": {
         *         "id": "Base64urlOfTheBrowser",
         *         "rawId": "Base64urlOfTheBrowser",
         *         "type": "public-key",
         *         "clientExtensionResults": {},
         *         "response": {
         *           "clientDataJSON": "Base64urlOfTheBrowser",
         *           "attestationObject": "Base64urlOfTheBrowser",
         *           "transports": [
         *             "internal"
         *           ]
         *         }
         *       }
         *     }'
         *     ```
         */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to make a passkey
         * @description Gives the options for `navigator.credentials.create`. They work once, within five minutes. It takes a session, and no key.
         *
         *     ```sh
         *     curl -X POST "$URL/api/v1/users/me/passkeys/options" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{}'
         *     ```
         */
        post: operations["startPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a passkey
         * @description Deletes a passkey. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/passkeys/pky_01957c6a8e0070008000000000000017" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your identities
         * @description Lists your accounts at identity providers, each of which signs you in.
         *
         *     ```sh
         *     curl "$URL/api/v1/users/me/identities" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/identities/{identityId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink an identity
         * @description Unlinks your account at an identity provider. It then signs nobody in. The last way to sign in stays. It takes a session, and no key.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/users/me/identities/idn_01957c6a8e0070008000000000000019" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/usage-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the rate limits and the usage of the key
         * @description Shows the calls that the key has left, and the part of the plan that the workspace has used. This call takes no execution token.
         *
         *     ```sh
         *     curl "$URL/api/users/me/usage-limits" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getUsageLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the cost of a workspace by day, workflow, member or kind
         * @description Adds up the cost of a workspace by day, workflow, member or kind, over 366 days at most.
         *
         *     ```sh
         *     curl "$URL/api/v1/usage" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the cost of a workspace as CSV
         * @description Gives the cost of a workspace as CSV, with a line for each group, 10,000 at most.
         *
         *     ```sh
         *     curl "$URL/api/v1/usage/export" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["exportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/caps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cost caps of the members
         * @description Lists the monthly cost caps of the members that have a cap.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/caps" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["listMemberCaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/members/{userId}/cap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the cost cap of a member
         * @description Shows the cost cap of a member and the cost of this month.
         *
         *     ```sh
         *     curl "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members/usr_01957c6a8e0070008000000000000005/cap" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        get: operations["getMemberCap"];
        /**
         * Set the cost cap of a member
         * @description Limits the cost of executions with the personal keys of a member in a calendar month. Above the cap they are refused with 402. Running executions go on.
         *
         *     ```sh
         *     curl -X PUT "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members/usr_01957c6a8e0070008000000000000005/cap" \
         *       -H "X-API-Key: $KEY" \
         *       -H 'Content-Type: application/json' \
         *       -d '{"monthlyCost":20}'
         *     ```
         */
        put: operations["setMemberCap"];
        post?: never;
        /**
         * Remove the cap of a member
         * @description Removes the cap of a member.
         *
         *     ```sh
         *     curl -X DELETE "$URL/api/v1/workspaces/ws_01957c6a8e0070008000000000000002/members/usr_01957c6a8e0070008000000000000005/cap" \
         *       -H "X-API-Key: $KEY"
         *     ```
         */
        delete: operations["removeMemberCap"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description Tells a supervisor that the process needs no restart. It asks no database, because a restart does not bring a database back.
         *
         *     ```sh
         *     curl "$URL/health/live"
         *     ```
         */
        get: operations["checkLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process can serve requests
         * @description Tells a load balancer whether to send calls here. Without Temporal it stays ready: executions are accepted and start later.
         *
         *     ```sh
         *     curl "$URL/health/ready"
         *     ```
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditLogView: {
            /** @description The id of the entry, which begins with `aud_`. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description `user`, `key`, `link`, `anyone` without a key, `operator`, or `system`. */
            actorKind: string;
            /** @description The id of the user or of the key that acted; null when the actor is unknown. */
            actorId: string | null;
            /** @description The current name of the user or of the key. */
            actorName: string | null;
            /** @description The mail address of the user that acted; null for a key and when the actor is unknown. */
            actorEmail: string | null;
            /** @description The id of the key that sent the request. */
            keyId: string | null;
            /** @description The id of the request, as in the header X-Request-Id; null when no request caused it. */
            requestId: string | null;
            /** @description The IP address that sent the request. */
            ipAddress: string | null;
            /** @description The action, for example `workflow.deployed`. */
            action: string;
            /** @description The type of the changed resource, for example `workflow` or `api_key`. */
            resourceType: string;
            /** @description The id of the changed resource. A secret has its name here. */
            resourceId: string;
            /** @description The name of the resource at that time; null when it has no name. */
            resourceName: string | null;
            /** @description The action and its resource, in words. */
            description: string;
            /** @description The change. An update has `from` and `to` for each changed member. Values of secrets are never here. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The position in the hash chain of the workspace. */
            seq: number;
            /** @description The SHA-256 of this entry and of the hash of the entry before it. */
            hash: string;
            /**
             * Format: date-time
             * @description The time of the event, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        BucketView: {
            /** @description The number of tokens that the bucket gains in a minute. */
            requestsPerMinute: number;
            /** @description The maximum number of tokens in the bucket, and so of calls at once. */
            maxBurst: number;
            /** @description The number of tokens left now. A call takes one token. */
            remaining: number;
            /**
             * Format: date-time
             * @description The time at which the bucket is full again if no call comes, in ISO 8601 and UTC.
             */
            resetAt: string;
        };
        ExecutionRateView: {
            /** @description The bucket of synchronous executions. */
            sync: components["schemas"]["BucketView"];
            /** @description The bucket of asynchronous executions, which are jobs. */
            async: components["schemas"]["BucketView"];
        };
        UsageView: {
            /** @description The cost of the workspace in this calendar month, in the currency of the prices of the operator. */
            currentPeriodCost: number;
            /** @description The cost limit for a month. Above it, executions are refused with 402. */
            limit: number;
            /** @description The name of the workspace plan. */
            plan: string;
            /** @description True when the cost of the month has reached the limit. */
            isExceeded: boolean;
        };
        LimitsView: {
            /** @description The two buckets of executions. */
            workflowExecutionRateLimit: components["schemas"]["ExecutionRateView"];
            /** @description The cost of the month and its limit. */
            usage: components["schemas"]["UsageView"];
        };
        DetailView: {
            /** @description For a fault in a definition: the id of its block. */
            blockId?: string;
            /** @description For a column change that a row does not fit: the id of the row. */
            rowId?: string;
            /** @description For a column change that a row does not fit: the position of the row. */
            position?: number;
            /** @description Dotted path of the field; empty when the fault is not in one field. */
            path: string;
            /** @description The fault of the field, in words. */
            message: string;
            /** @description The rule that the field breaks, as a stable word for programs. */
            code: string;
        };
        ErrorView: {
            /** @description The reason and the remedy, in a sentence for people. */
            error: string;
            /** @description A stable upper-case word for programs. */
            code: string;
            /** @description The id of the request, as in the header X-Request-Id. */
            requestId: string;
            /** @description Every fault of the request. Present on every 400. */
            details?: components["schemas"]["DetailView"][];
        };
        WorkspaceEventView: {
            /** @description The parts that have changed: `executions`, `pauses` or `settings`. Empty in the first event, which gives the current state. */
            changed: string[];
        };
        FailureView: {
            /** @description A stable upper-case word for programs, as on the page Codes. */
            code: string;
            /** @description The failure, in a sentence for people. */
            message: string;
            /** @description The id of the block that is to blame; absent when the run failed as a whole. */
            blockId?: string;
            /** @description The name of that block. */
            blockName?: string;
            /** @description More about the failure, whose form depends on the code; absent when there is nothing more. */
            details?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
        };
        VisitView: {
            /** @description The path of the visit: the id of the block and the passes around it, for example `call@each[2]`. */
            path: string;
            /** @description The id of the block in the definition. */
            blockId: string;
            /** @description The name of the block; its id when it has none. */
            name: string;
            /** @description The type of the block, for example `http`. */
            type: string;
            /** @description The state of the visit: `running` or `paused` while it lasts, then `completed`, `failed`, `skipped` or `cancelled`. */
            status: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null while the block runs.
             */
            endedAt: string | null;
            /** @description Milliseconds from start to end; null while it runs. */
            duration: number | null;
            /** @description The number of attempts; 0 for a block without an effect. */
            attempts: number;
            /** @description The port by which the run left the block; null while the block runs and when there was no port. */
            port: string | null;
            /** @description The failure of the block; null when it did not fail. */
            failure: components["schemas"]["FailureView"] | null;
            /** @description The output of the block. When the page already has 2 MB of outputs, a large output is a reference: `$payload` is its id, `bytes` its size. */
            output: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The lines that a function wrote to its console; null when there are none. */
            logs: string[] | null;
            /** @description The cost of its calls and models, by the prices of the operator; null when nothing was booked. */
            cost: number | null;
        };
        TraceSpanView: {
            /** @description The path of the visit, which is unique in the execution. */
            id: string;
            /** @description The id of the block in the definition. */
            blockId: string;
            /** @description The name of the block; its id when it has none. */
            name: string;
            /** @description The type of the block, for example `http`. */
            type: string;
            /**
             * @description `success` for a block that completed or was skipped, `error` for one that failed.
             * @enum {string}
             */
            status: "success" | "error" | "running" | "cancelled";
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null while the block runs.
             */
            endTime: string | null;
            /** @description Milliseconds from start to end; null while it runs. */
            duration: number | null;
            /** @description The visits inside a loop or parallel, in order; empty for every other block. */
            children: components["schemas"]["TraceSpanView"][];
        };
        ResumeLinksView: {
            /** @description The URL to which a program posts the answer, with a key. */
            apiUrl: string;
            /** @description The page where the caller, and everyone with this link, can answer; null for a caller who may not answer. */
            uiUrl: string | null;
            /** @description The id of the pause. */
            contextId: string;
            /** @description The id of the execution that waits. */
            executionId: string;
            /** @description The id of the workflow. */
            workflowId: string;
        };
        DisplayFieldView: {
            /** @description The label before the value. */
            label: string;
            /** @description The value that the page shows; null when there is none. */
            value: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The display format that the author of the block chose; absent for plain text. */
            format?: string;
        };
        DisplayView: {
            /** @description The question in a line. */
            title: string;
            /** @description The information that a person needs for the answer; empty when there is none. */
            message: string;
            /** @description Facts that are shown in a list beside the message. */
            fields: components["schemas"]["DisplayFieldView"][];
        };
        OptionView: {
            /** @description The text of the option. */
            label: string;
            /** @description The value in the answer when this option is chosen. */
            value: string;
        };
        FormFieldView: {
            /** @description The name of the value in the answer. */
            name: string;
            /** @description The type of the field, for example `string`, `boolean` or `select`. It decides the accepted values. */
            type: string;
            /** @description The label of the field. */
            label: string;
            /** @description A hint below the label; absent when there is none. */
            description?: string;
            /** @description The placeholder in the empty field; absent when there is none. */
            placeholder?: string;
            /** @description True when an answer without this field is refused. */
            required: boolean;
            /** @description The choices of a select or multiselect; absent for other types. */
            options?: components["schemas"]["OptionView"][];
            /** @description The default value, also for a missing answer; absent when there is none. */
            default?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The least number, the least length of a text or the fewest choices; absent when there is no bound. */
            min?: number;
            /** @description The greatest number, the greatest length of a text or the most choices; absent when there is no bound. */
            max?: number;
            /** @description Always absent: patterns are not supported, because a regular expression can stop the engine. */
            pattern?: string;
        };
        PauseResponseView: {
            /** @description The message for a person. */
            displayData: components["schemas"]["DisplayView"];
            /** @description The fields of the form, in order. */
            formFields: components["schemas"]["FormFieldView"][];
        };
        ResumeEntryView: {
            /** @description The id of the answer. */
            id: string;
            /** @description The id under which the execution is listed as paused. */
            pausedExecutionId: string;
            /** @description The id of the execution that was answered. */
            parentExecutionId: string;
            /** @description The id of this answer as an execution. Every path that takes an execution id takes it too. */
            newExecutionId: string;
            /** @description The id of the pause that was answered. */
            contextId: string;
            /** @description The values by the names of the fields. */
            resumeInput: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /**
             * @description `pending` until the run takes the answer, `completed` once it has, `failed` when the answer came too late.
             * @enum {string}
             */
            status: "pending" | "claimed" | "completed" | "failed";
            /**
             * Format: date-time
             * @description The time at which the answer was committed, in ISO 8601 and UTC.
             */
            queuedAt: string;
            /**
             * Format: date-time
             * @description The time at which the run took the answer; null until then.
             */
            claimedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the run had processed the answer; null until then.
             */
            completedAt: string | null;
            /** @description The reason for which the answer did not count, in a sentence; null when it counted. */
            failureReason: string | null;
            /** @description The user, key or link that answered. */
            actor: {
                [key: string]: unknown;
            };
        };
        VoteView: {
            /** @description The id of the person, or of the key, that voted. */
            person: string;
            /** @description True for an approval. */
            approved: boolean;
            /**
             * Format: date-time
             * @description The time at which the vote was committed, in ISO 8601 and UTC.
             */
            at: string;
        };
        ApprovalsView: {
            /** @description The number of approvals that are needed. */
            required: number;
            /** @description True when one rejection is enough to reject. */
            veto: boolean;
            /** @description True when the starter of the execution may vote too. */
            allowStarter: boolean;
            /** @description True when links are refused: only a signed-in user or a personal key may answer. */
            requireSignIn?: boolean;
            /** @description The people who may answer, by user id or mail address; empty when roles decide alone. */
            assignees: string[];
            /** @description The roles whose members may answer; empty when assignees decide alone. */
            roles: string[];
            /** @description The field that says yes or no. */
            decision: string;
            /** @description The votes so far; absent in lists. */
            votes?: components["schemas"]["VoteView"][];
        };
        ParallelScopeView: {
            /** @description The id of the parallel block. */
            parallelId: string;
            /** @description The index of the branch, from 0. */
            branchIndex: number;
            /** @description The number of branches. */
            branchTotal: number;
        };
        LoopScopeView: {
            /** @description The id of the loop block. */
            loopId: string;
            /** @description The index of the pass, from 0. */
            iteration: number;
        };
        PausePointView: {
            /** @description The id of the pause. Each visit of a block has a new id. */
            contextId: string;
            /** @description The id of the human block that asks. */
            blockId: string;
            /**
             * Format: date-time
             * @description The time at which the pause was opened, in ISO 8601 and UTC.
             */
            registeredAt: string;
            /**
             * @description `paused` while an answer is awaited. `resumed`, `expired`, `cancelled` and `failed` are final.
             * @enum {string}
             */
            resumeStatus: "paused" | "queued" | "resuming" | "resumed" | "expired" | "cancelled" | "failed";
            /** @description Always true: a pause that can be seen can be answered. */
            snapshotReady: boolean;
            /** @description The links to answer the pause. */
            resumeLinks: components["schemas"]["ResumeLinksView"];
            /** @description The message and the form for a person. */
            response: components["schemas"]["PauseResponseView"] | null;
            /**
             * Format: date-time
             * @description The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.
             */
            expiresAt: string | null;
            /** @description The position of the answer among the answers that wait for the run, from 1; only when one execution is read. */
            queuePosition?: number | null;
            /** @description The last answer to the pause; only when one execution is read. */
            latestResumeEntry?: components["schemas"]["ResumeEntryView"] | null;
            /** @description The rules when only certain people may answer; absent otherwise. */
            approvals?: components["schemas"]["ApprovalsView"];
            /** @description The branch of a parallel that asks; absent outside a parallel. */
            parallelScope?: components["schemas"]["ParallelScopeView"];
            /** @description The pass of a loop that asks; absent outside a loop. */
            loopScope?: components["schemas"]["LoopScopeView"];
        };
        PausedView: {
            /** @description The id under which the execution is listed as paused. */
            pausedExecutionId: string;
            /** @description The open pauses, in the order of their paths: that of branch 2 before that of branch 10. */
            pausePoints: components["schemas"]["PausePointView"][];
        };
        RunMetadataView: {
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description Milliseconds from start to end, or to now. */
            duration: number | null;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startTime: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            endTime: string | null;
        };
        SyncResultView: {
            /** @description On request: the block log, a hundred blocks at most. */
            logs?: components["schemas"]["VisitView"][];
            /** @description On request: the blocks of `logs` as a tree. */
            traceSpans?: components["schemas"]["TraceSpanView"][];
            /** @description On request: milliseconds from start to end, or to now. */
            totalDuration?: number | null;
            /** @description False when the run failed or was cancelled, although the call is answered with 200; true for a paused run. */
            success: boolean;
            /** @description The output of the workflow; an empty object until the run has ended. */
            output: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The rate limits and the usage of the caller after this call. */
            limits: components["schemas"]["LimitsView"];
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the job of this execution, which begins with `job_`. */
            jobId: string;
            /**
             * @description The state of the run; `paused` when it waits for a person.
             * @enum {string}
             */
            status: "completed" | "failed" | "paused" | "cancelled";
            /** @description The failure of the run, in a sentence; null when it did not fail. */
            error: string | null;
            /** @description The failure of the run, with its code and its block; absent when it did not fail. */
            failure?: components["schemas"]["FailureView"];
            /** @description The open pauses of the run; absent when it does not wait. */
            paused?: components["schemas"]["PausedView"];
            /** @description The start and the end of the run. */
            metadata: components["schemas"]["RunMetadataView"];
            /** @description The sent inputs that the workflow does not declare, a sentence each; absent when there are none. */
            warnings?: string[];
        };
        ExecuteBody: {
            /** @description Inputs as the start block declares them. */
            inputs?: {
                [key: string]: unknown;
            };
            /**
             * @description Answer at once with a job.
             * @default false
             */
            async?: boolean;
            /**
             * @description With Accept: text/event-stream, stream the progress.
             * @default false
             */
            stream?: boolean;
        };
        JobLinksView: {
            /** @description The absolute URL of the job. */
            status: string;
        };
        AcknowledgementView: {
            /** @description Always true: the execution is committed. */
            success: boolean;
            /** @description Always true. The answer of a run that has ended does not have it. */
            async: boolean;
            /** @description The id of the job of this execution, which begins with `job_`. */
            jobId: string;
            /** @description Equal to jobId. */
            taskId: string;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description Always `queued`. Read the job for its state.
             * @enum {string}
             */
            status: "queued";
            /** @description The absolute URL of the job. Read it with the key of this call. */
            statusUrl: string;
            /** @description The URL of the job, in the form that some clients read. */
            links: components["schemas"]["JobLinksView"];
            /** @description The accepted work, in a sentence for people. */
            message: string;
            /**
             * Format: date-time
             * @description The time of acceptance, in ISO 8601 and UTC.
             */
            createdAt: string;
            /** @description The rate limits and the usage of the caller after this call. */
            limits: components["schemas"]["LimitsView"];
            /** @description The sent inputs that the workflow does not declare, a sentence each; absent when there are none. */
            warnings?: string[];
        };
        JobMetadataView: {
            /**
             * Format: date-time
             * @description The time of acceptance, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            completedAt: string | null;
            /** @description Milliseconds from start to end; null until it has ended. */
            duration: number | null;
        };
        JobView: {
            /** @description Always true: the job was found. The state of the run is in `status`. */
            success: boolean;
            /** @description Equal to jobId. */
            taskId: string;
            /** @description The id of the job of this execution, which begins with `job_`. */
            jobId: string;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description `processing` while the run works or waits for a person. A cancelled run is `failed` too.
             * @enum {string}
             */
            status: "queued" | "processing" | "completed" | "failed";
            /** @description Only when completed: the output of the workflow itself. */
            output?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The failure of the run, in a sentence; absent when it did not fail. */
            error?: string;
            /** @description The failure of the run, with its code and its block; absent when it did not fail. */
            failure?: components["schemas"]["FailureView"];
            /** @description The open pauses of the run; absent when it does not wait for people. */
            paused?: components["schemas"]["PausedView"];
            /** @description The times of acceptance, start and end. */
            metadata: components["schemas"]["JobMetadataView"];
        };
        ExecutionView: {
            /** @description On request: the block log, a hundred blocks at most. */
            logs?: components["schemas"]["VisitView"][];
            /** @description On request: the blocks of `logs` as a tree. */
            traceSpans?: components["schemas"]["TraceSpanView"][];
            /** @description On request: milliseconds from start to end, or to now. */
            totalDuration?: number | null;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the job of this execution, which begins with `job_`. */
            jobId: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The name of the workflow when the execution was accepted. */
            workflowName: string;
            /** @description The version of the workflow that the execution is pinned to. */
            version: number;
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /**
             * @description `sync` when the caller waited, `async` when the caller asked for a job.
             * @enum {string}
             */
            mode: "sync" | "async";
            /** @description The origin: `api`, or `workflow` for a child of another execution. */
            trigger: string;
            /** @description The user or the key that started the execution. */
            actor: {
                [key: string]: unknown;
            };
            /** @description The inputs, with the defaults of the start block. */
            inputs: {
                [key: string]: unknown;
            };
            /** @description The output of the workflow; null until the run has completed. */
            output: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The failure of the run, in a sentence; null when it did not fail. */
            error: string | null;
            /** @description The failure of the run, with its code and its block; null when it did not fail. */
            failure: components["schemas"]["FailureView"] | null;
            /** @description The open pauses of the run; null when it does not wait for people. */
            paused: components["schemas"]["PausedView"] | null;
            /** @description True when a cancel was asked for. */
            cancelRequested: boolean;
            /** @description One page of the block log, in the order of the visits. */
            blocks: components["schemas"]["VisitView"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
            /** @description The run in the Temporal UI. */
            temporalUrl: string | null;
            /** @description The times of acceptance, start and end. */
            metadata: components["schemas"]["JobMetadataView"];
        };
        StoredValueView: {
            /** @description The value, as the block gave it. */
            data: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
        };
        CancelView: {
            /** @description Always true: the request to end is committed. */
            success: boolean;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description The state of the execution at the time of this call.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The next step, in a sentence for people. */
            message: string;
        };
        GraphBlockView: {
            /** @description The id of the block in the definition. */
            id: string;
            /** @description The name of the block; its id when it has none. */
            name: string;
            /** @description The type of the block, for example `http`. */
            type: string;
            /** @description The id of the loop or parallel around the block; null at the top. */
            container: string | null;
            /** @description The state of the last visit that was not skipped; `paused` or `running` while a visit is open; or `not visited`. */
            status: string;
            /** @description The number of visits, with the skipped visits. */
            visits: number;
            /** @description The number of visits by state, for example `{ "completed": 18, "failed": 2 }`. */
            states: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The start of its first visit, in ISO 8601 and UTC; null when there was none.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end of its last visit, in ISO 8601 and UTC; null while a visit is open.
             */
            endedAt: string | null;
        };
        GraphEdgeView: {
            /** @description The id of a block, or `start`. */
            from: string;
            /** @description The id of the block that the edge leads to. */
            to: string;
            /** @description The port of the block that it leaves, for example `out` or `error`. */
            port: string;
            /** @description True when the run went this way. */
            taken: boolean;
        };
        GraphView: {
            /** @description All blocks of the executed definition. */
            blocks: components["schemas"]["GraphBlockView"][];
            /** @description All edges of the executed definition. */
            edges: components["schemas"]["GraphEdgeView"][];
        };
        LogBlockView: {
            /** @description The path of the visit: the id of the block and the passes around it, for example `call@each[2]`. */
            path: string;
            /** @description The id of the block in the definition. */
            blockId: string;
            /** @description The name of the block; its id when it has none. */
            name: string;
            /** @description The type of the block, for example `http`. */
            type: string;
            /** @description The state of the visit: `running` or `paused` while it lasts, then `completed`, `failed`, `skipped` or `cancelled`. */
            status: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null while the block runs.
             */
            endedAt: string | null;
            /** @description Milliseconds from start to end; null while it runs. */
            duration: number | null;
            /** @description The number of attempts; 0 for a block without an effect. */
            attempts: number;
            /** @description The port by which the run left the block; null while the block runs and when there was no port. */
            port: string | null;
            /** @description The failure of the block; null when it did not fail. */
            failure: components["schemas"]["FailureView"] | null;
        };
        OpenPauseView: {
            /** @description The id of the pause. */
            contextId: string;
            /** @description The id of the human block that asks. */
            blockId: string;
            /** @description The question in a line. */
            title: string;
            /**
             * Format: date-time
             * @description The time at which the pause was opened, in ISO 8601 and UTC.
             */
            registeredAt: string;
            /**
             * Format: date-time
             * @description The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.
             */
            expiresAt: string | null;
            /** @description The URL to which a program posts the answer, with a key. */
            apiUrl: string;
            /** @description The page to answer the pause; null for a caller who may not answer. */
            uiUrl: string | null;
        };
        TimelineView: {
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the parent execution; null when a caller started it. */
            parentExecutionId: string | null;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The name of the workflow when the execution was accepted. */
            workflowName: string;
            /** @description The version of the workflow that the execution is pinned to. */
            version: number;
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description The time of acceptance, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            completedAt: string | null;
            /** @description The failure of the run; null when it did not fail. */
            failure: components["schemas"]["FailureView"] | null;
            /** @description The blocks and edges of the executed version, with the state of each. */
            graph: components["schemas"]["GraphView"];
            /** @description False when the run has more visits than the 20,000 that are counted for the graph. */
            countsAll: boolean;
            /** @description One page of the visits, in their order, without outputs. */
            visits: components["schemas"]["LogBlockView"][];
            /** @description The pauses that are open, a hundred at most. */
            pausePoints: components["schemas"]["OpenPauseView"][];
            /** @description The run in the UI of Temporal, when there is one. */
            temporalUrl: string | null;
            /** @description The timeline as a page for a browser. Anyone with this link can open it for a day. */
            pageUrl: string;
        };
        DeploymentView: {
            /** @description The id of the workflow. */
            id: string;
            /** @description True when a version is live and the workflow can be executed. */
            isDeployed: boolean;
            /**
             * Format: date-time
             * @description The time at which the live version became live, in ISO 8601 and UTC; null when no version is live.
             */
            deployedAt: string | null;
            /** @description The number of the live version; null when no version is live. */
            version: number | null;
            /** @description The warnings about likely mistakes, a sentence each. Warnings do not stop a deploy. */
            warnings: string[];
        };
        DeployBody: {
            /** @description A name for the version. Left out: no name. */
            name?: string;
            /** @description Notes on the version. Left out: no notes. */
            description?: string;
            /**
             * @description Refuses a definition that names a secret, table, knowledge base or workflow that does not exist.
             * @default false
             */
            strict?: boolean;
        };
        WaitingView: {
            /** @description The version that the executions are pinned to. */
            version: number;
            /** @description The number of its executions that wait for people. */
            count: number;
            /** @description The ids of the oldest of these executions, ten at most. */
            executionIds: string[];
        };
        PreviewView: {
            /** @description The faults for which a deploy of the draft would be refused. */
            faults: components["schemas"]["DetailView"][];
            /** @description The warnings about likely mistakes, a sentence each. */
            warnings: string[];
            /** @description Executions that wait for people, by their version. */
            waiting: components["schemas"]["WaitingView"][];
        };
        RollbackBody: {
            /** @description The number of the version. Left out: the previous live version. */
            version?: number;
        };
        VersionSummaryView: {
            /** @description The id of the workflow. The number identifies the version. */
            id: string;
            /** @description The number of the version, from 1. */
            version: number;
            /** @description The name that was given at the deploy; empty when there was none. */
            name: string;
            /** @description The notes that were given at the deploy; empty when there were none. */
            description: string;
            /** @description True for the live version. */
            isActive: boolean;
            /** @description The warnings at its deploy, a sentence each. */
            warnings: string[];
            /** @description The id of the user or of the key that deployed it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time at which it was deployed, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        VersionView: {
            /** @description The id of the workflow. The number identifies the version. */
            id: string;
            /** @description The number of the version, from 1. */
            version: number;
            /** @description The name that was given at the deploy; empty when there was none. */
            name: string;
            /** @description The notes that were given at the deploy; empty when there were none. */
            description: string;
            /** @description True for the live version. */
            isActive: boolean;
            /** @description The warnings at its deploy, a sentence each. */
            warnings: string[];
            /** @description The id of the user or of the key that deployed it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time at which it was deployed, in ISO 8601 and UTC.
             */
            createdAt: string;
            /** @description The definition, as it was when it was deployed; it never changes. */
            definition: {
                [key: string]: unknown;
            };
        };
        LastExecutionView: {
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description The state of that execution.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description The time of acceptance, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        RecentExecutionView: {
            /**
             * @description The state of that execution.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description Milliseconds from start to end; null while it runs. */
            duration: number | null;
        };
        ListedWorkflowView: {
            /** @description The id of the workflow, which begins with `wf_`. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description The name, which is unique in the workspace. */
            name: string;
            /** @description The description of the workflow; empty when there is none. */
            description: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder: string;
            /** @description True when a version is live and the workflow can be executed. */
            isDeployed: boolean;
            /**
             * Format: date-time
             * @description The time at which the live version became live, in ISO 8601 and UTC; null when no version is live.
             */
            deployedAt: string | null;
            /** @description The number of the live version; null when no version is live. */
            version: number | null;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
            /** @description The last execution; null when there was none. */
            lastExecution: components["schemas"]["LastExecutionView"] | null;
            /** @description The last twelve executions at most, the oldest first. */
            recentExecutions: components["schemas"]["RecentExecutionView"][];
        };
        FolderView: {
            /** @description The path of the folder; empty for the top. */
            path: string;
            /** @description The number of workflows in the folder, without its subfolders. */
            workflowCount: number;
            /** @description The number of deployed workflows among these. */
            deployedCount: number;
        };
        WorkflowView: {
            /** @description The id of the workflow, which begins with `wf_`. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description The name, which is unique in the workspace. */
            name: string;
            /** @description The description of the workflow; empty when there is none. */
            description: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder: string;
            /** @description True when a version is live and the workflow can be executed. */
            isDeployed: boolean;
            /**
             * Format: date-time
             * @description The time at which the live version became live, in ISO 8601 and UTC; null when no version is live.
             */
            deployedAt: string | null;
            /** @description The number of the live version; null when no version is live. */
            version: number | null;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
            /** @description The draft. Executions run the live version. */
            definition: {
                [key: string]: unknown;
            };
        };
        CreateWorkflowBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The name, which no other workflow of the workspace may have. */
            name: string;
            /** @description The description of the workflow; empty when left out. */
            description?: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder?: string;
            /** @description The definition; /api/v1/definition-schema holds its JSON Schema. */
            definition: {
                [key: string]: unknown;
            };
        };
        ValidationView: {
            /** @description True when there are no faults and a deploy is possible. */
            valid: boolean;
            /** @description Every fault, with its block and the path of its field; empty when there are none. */
            faults: components["schemas"]["DetailView"][];
            /** @description The warnings about likely mistakes, a sentence each. */
            warnings: string[];
        };
        ValidateBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Accepted and ignored. */
            name?: string;
            /** @description Accepted and ignored. */
            description?: string;
            /** @description Accepted and ignored. */
            folder?: string;
            /** @description The definition; /api/v1/definition-schema holds its JSON Schema. */
            definition: {
                [key: string]: unknown;
            };
        };
        ImportSummaryView: {
            /** @description The number of blocks that work as before. */
            kept: number;
            /** @description The number of blocks that work in another way. */
            changed: number;
            /** @description The number of blocks that must be made by hand. */
            refused: number;
        };
        ImportedBlockView: {
            /** @description The name of the block in the file. */
            name: string;
            /** @description The type of the block in the other product. */
            type: string;
            /**
             * @description `kept`: it works as before. `changed`: it works in another way. `refused`: a placeholder, with which a deploy is refused.
             * @enum {string}
             */
            outcome: "kept" | "changed" | "refused";
            /** @description The id of the new block, or `start`; null when there is none. */
            becomes: string | null;
            /** @description The differences, or the advice for a replacement; empty when there are none. */
            note: string;
        };
        ImportNeedView: {
            /**
             * @description The kind of resource.
             * @enum {string}
             */
            kind: "secret" | "table" | "knowledgeBase" | "workflow" | "mcpServer" | "trigger";
            /** @description The name by which the workflow looks it up. */
            name: string;
            /** @description The purpose of the resource, in a sentence. */
            note: string;
        };
        ImportReportView: {
            /** @description The number of blocks by outcome. */
            summary: components["schemas"]["ImportSummaryView"];
            /** @description All blocks of the file, each once. */
            blocks: components["schemas"]["ImportedBlockView"][];
            /** @description The resources that the file names but does not hold, and that must be made. */
            needs: components["schemas"]["ImportNeedView"][];
            /** @description What is different or left out in the workflow as a whole, in sentences. */
            notes: string[];
        };
        ForeignImportView: {
            /** @description The workflow that was created; null in a dry run. */
            workflow: components["schemas"]["WorkflowView"] | null;
            /** @description The definition made from the file. */
            definition: {
                [key: string]: unknown;
            };
            /** @description The outcome for each block, and the resources that must be made. */
            report: components["schemas"]["ImportReportView"];
        };
        ImportBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The version of the form of exports, `1`. */
            version?: string;
            /** @description The name; needed without `from`. A file of n8n has it here too; a file of Sim has it in `workflow`. */
            name?: string;
            /** @description The description of the workflow; empty when left out. */
            description?: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder?: string;
            /** @description The definition; needed without `from`. */
            definition?: {
                [key: string]: unknown;
            };
            /** @description In a file of n8n: its nodes. */
            nodes?: {
                [key: string]: unknown;
            }[];
            /** @description In a file of n8n: its connections, by the name of the node where they begin. */
            connections?: {
                [key: string]: unknown;
            };
            /** @description In a file of Sim: its name and description. */
            workflow?: {
                [key: string]: unknown;
            };
            /** @description In a file of Sim: its blocks, edges and variables. */
            state?: {
                [key: string]: unknown;
            };
        };
        UpdateWorkflowBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new name. Left out: no change. */
            name?: string;
            /** @description The new description. Left out: no change. */
            description?: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder?: string;
            /** @description The new draft as a whole. Left out: no change. The live version does not change. */
            definition?: {
                [key: string]: unknown;
            };
        };
        DeletedView: {
            /** @description The id of the deleted resource. A secret has its name here. */
            id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        ExportView: {
            /** @description The version of the form of exports, `1`. */
            version: string;
            /** @description The name of the workflow. */
            name: string;
            /** @description The description of the workflow; empty when there is none. */
            description: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder: string;
            /** @description The draft. */
            definition: {
                [key: string]: unknown;
            };
        };
        WorkflowStatusView: {
            /** @description True when a version is live and the workflow can be executed. */
            isDeployed: boolean;
            /**
             * Format: date-time
             * @description The time at which the live version became live, in ISO 8601 and UTC; null when no version is live.
             */
            deployedAt: string | null;
            /** @description True when the draft differs from the live version. */
            needsRedeployment: boolean;
        };
        PausedExecutionView: {
            /** @description The id under which the execution is listed as paused. */
            id: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description `paused` while no pause is answered, `partially_resumed` while some are, `fully_resumed` once all are.
             * @enum {string}
             */
            status: "paused" | "partially_resumed" | "fully_resumed" | "expired" | "cancelled";
            /** @description The number of pauses of the execution so far. */
            totalPauseCount: number;
            /** @description The number of answered pauses. */
            resumedCount: number;
            /**
             * Format: date-time
             * @description The time at which it paused first, in ISO 8601 and UTC.
             */
            pausedAt: string;
            /**
             * Format: date-time
             * @description The time at which a pause was opened, answered or closed last, in ISO 8601 and UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The earliest time at which an open pause ends without an answer; null when all wait without end.
             */
            expiresAt: string | null;
            /** @description Facts about the execution as a whole; null when there are none. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The blocks that paused. */
            triggerIds: string[];
            /** @description The pauses, the open pauses first. In a list: 20 at most. */
            pausePoints: components["schemas"]["PausePointView"][];
        };
        SnapshotView: {
            /** @description JSON text of the public state of the run. */
            snapshot: string;
            /** @description The ids of the blocks that paused. */
            triggerIds: string[];
        };
        PausedDetailView: {
            /** @description The id under which the execution is listed as paused. */
            id: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /**
             * @description `paused` while no pause is answered, `partially_resumed` while some are, `fully_resumed` once all are.
             * @enum {string}
             */
            status: "paused" | "partially_resumed" | "fully_resumed" | "expired" | "cancelled";
            /** @description The number of pauses of the execution so far. */
            totalPauseCount: number;
            /** @description The number of answered pauses. */
            resumedCount: number;
            /**
             * Format: date-time
             * @description The time at which it paused first, in ISO 8601 and UTC.
             */
            pausedAt: string;
            /**
             * Format: date-time
             * @description The time at which a pause was opened, answered or closed last, in ISO 8601 and UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The earliest time at which an open pause ends without an answer; null when all wait without end.
             */
            expiresAt: string | null;
            /** @description Facts about the execution as a whole; null when there are none. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The blocks that paused. */
            triggerIds: string[];
            /** @description The pauses, the open pauses first. In a list: 20 at most. */
            pausePoints: components["schemas"]["PausePointView"][];
            /** @description The state of the run at its pauses. */
            executionSnapshot: components["schemas"]["SnapshotView"];
            /** @description The answers to these pauses, the oldest first. */
            queue: components["schemas"]["ResumeEntryView"][];
            /** @description The `cursor` of the next page of pauses; null on the last page. */
            nextCursor: string | null;
        };
        AnswerFileView: {
            /** @description The id of the file. Send it in the answer as the value of the file field. */
            id: string;
            /** @description The name of the file as it was uploaded. */
            name: string;
            /** @description The size of the file in bytes. */
            size: number;
            /** @description The media type that the sender declared. */
            type: string;
            /** @description The URL to download the file with a key. */
            url: string;
        };
        InboxItemView: {
            /** @description The id of the pause. Each visit of a block has a new id. */
            contextId: string;
            /** @description The id of the human block that asks. */
            blockId: string;
            /**
             * Format: date-time
             * @description The time at which the pause was opened, in ISO 8601 and UTC.
             */
            registeredAt: string;
            /**
             * @description `paused` while an answer is awaited. `resumed`, `expired`, `cancelled` and `failed` are final.
             * @enum {string}
             */
            resumeStatus: "paused" | "queued" | "resuming" | "resumed" | "expired" | "cancelled" | "failed";
            /** @description Always true: a pause that can be seen can be answered. */
            snapshotReady: boolean;
            /** @description The links to answer the pause. */
            resumeLinks: components["schemas"]["ResumeLinksView"];
            /** @description The message and the form for a person. */
            response: components["schemas"]["PauseResponseView"] | null;
            /**
             * Format: date-time
             * @description The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.
             */
            expiresAt: string | null;
            /** @description The position of the answer among the answers that wait for the run, from 1; only when one execution is read. */
            queuePosition?: number | null;
            /** @description The last answer to the pause; only when one execution is read. */
            latestResumeEntry?: components["schemas"]["ResumeEntryView"] | null;
            /** @description The rules when only certain people may answer; absent otherwise. */
            approvals?: components["schemas"]["ApprovalsView"];
            /** @description The branch of a parallel that asks; absent outside a parallel. */
            parallelScope?: components["schemas"]["ParallelScopeView"];
            /** @description The pass of a loop that asks; absent outside a loop. */
            loopScope?: components["schemas"]["LoopScopeView"];
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The name of the workflow when the execution was accepted. */
            workflowName: string;
            /** @description The id of the execution that waits. */
            executionId: string;
            /** @description True when the pause asks the caller and waits for the answer of the caller. */
            mine: boolean;
        };
        ChunkingView: {
            /** @description The maximum number of tokens in a chunk, with the overlap. */
            maxSize: number;
            /** @description The minimum number of characters. A smaller piece joins its neighbour when maxSize allows it. */
            minSize: number;
            /** @description The number of tokens that a chunk repeats from the previous chunk, in whole sentences; below maxSize. */
            overlap: number;
        };
        KnowledgeBaseView: {
            /** @description The id of the knowledge base, which begins with `kb_`. */
            id: string;
            /** @description The name, which is unique in the workspace. */
            name: string;
            /** @description The description of the content; empty when there is none. */
            description: string;
            /** @description The number of its documents, with the disabled documents. */
            docCount: number;
            /** @description The number of tokens in all chunks of its documents. */
            tokenCount: number;
            /** @description The model to which the base is bound. */
            embeddingModel: string;
            /** @description The number of dimensions of the vectors of the model. */
            embeddingDimension: number;
            /** @description The settings for cutting its documents into chunks. */
            chunkingConfig: components["schemas"]["ChunkingView"];
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
        };
        ChunkingBody: {
            /**
             * @description The maximum number of tokens in a chunk, with the overlap.
             * @default 1024
             */
            maxSize?: number;
            /**
             * @description The minimum number of characters. A smaller piece joins its neighbour when maxSize allows it.
             * @default 100
             */
            minSize?: number;
            /**
             * @description The number of tokens that a chunk repeats from the previous chunk, in whole sentences; below maxSize.
             * @default 200
             */
            overlap?: number;
        };
        CreateKnowledgeBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The name, which no other knowledge base of the workspace may have. */
            name: string;
            /** @description A description of the content; empty when left out. */
            description?: string;
            /** @description The settings for cutting documents into chunks. Each member has a default. */
            chunkingConfig?: components["schemas"]["ChunkingBody"];
        };
        UpdateKnowledgeBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new name. Left out: no change. */
            name?: string;
            /** @description The new description. Left out: no change. */
            description?: string;
            /** @description The settings for cutting documents into chunks. After a change all documents are processed again. Until then searches find the old chunks. */
            chunkingConfig?: components["schemas"]["ChunkingBody"];
            /** @description The model of the installation. A base with another model is bound to it, and all documents are embedded again. */
            embeddingModel?: string;
        };
        TagView: {
            /** @description The id of the tag, by which it is renamed. */
            id: string;
            /** @description The name of the tag in documents and filters. */
            name: string;
            /**
             * @description The type of its values; it decides which operators a filter may use.
             * @enum {string}
             */
            type: "text" | "number" | "date" | "boolean";
        };
        TagBody: {
            /** @description The id of an existing tag, to rename it or to keep its values. */
            id?: string;
            /** @description The name of the tag in documents and filters. */
            name: string;
            /**
             * @description The type of its values, which cannot be changed later.
             * @enum {string}
             */
            type: "text" | "number" | "date" | "boolean";
        };
        DefineTagsBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description All tags. A tag that is left out is removed from all documents. */
            tags: components["schemas"]["TagBody"][];
        };
        SearchItemView: {
            /** @description The id of the document. */
            documentId: string;
            /** @description The name of the file. */
            documentName: string;
            /** @description The URL of origin. For an uploaded document: the URL to download its content. */
            sourceUrl: string;
            /** @description The text of the chunk. */
            content: string;
            /** @description The place of the chunk in the document, from 0. */
            chunkIndex: number;
            /** @description The similarity, from 0 to 1. Results are in this order. */
            similarity: number;
            /** @description Holds knowledgeBaseId, chunkId, the offsets start and end in the text of the document, headings, tokenCount, tags, and cosine, the similarity of the vectors alone. */
            metadata: {
                [key: string]: unknown;
            };
        };
        SearchView: {
            /** @description The chunks that were found, the most similar first. */
            results: components["schemas"]["SearchItemView"][];
            /** @description The query; empty when none was given. */
            query: string;
            /** @description The knowledge bases that were searched. */
            knowledgeBaseIds: string[];
            /** @description The requested maximum number of results. */
            topK: number;
            /** @description The number of results, up to topK. */
            totalResults: number;
        };
        TagFilterBody: {
            /** @description The name of a tag that the knowledge base defines. */
            tagName: string;
            /**
             * @description The comparison with the value of a document. The type of the tag decides the allowed operators.
             * @default eq
             * @enum {string}
             */
            operator?: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "between";
            /** @description A value of the type of the tag. A date has the form 2026-01-31. */
            value: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The upper end of `between`. */
            valueTo?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
        };
        SearchKnowledgeBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description One to twenty ids of knowledge bases. */
            knowledgeBaseIds: string[];
            /** @description The question. It may be left out when tagFilters are given. */
            query?: string;
            /**
             * @description The maximum number of results.
             * @default 10
             */
            topK?: number;
            /** @description Conditions on the tags. A document must match all of them. Only for a search in one knowledge base. */
            tagFilters?: components["schemas"]["TagFilterBody"][];
        };
        ProgressView: {
            /** @description The number of embedded chunks. */
            chunksDone: number;
            /** @description The number of all chunks; null until the document has been read. */
            chunksTotal: number | null;
        };
        DocumentView: {
            /** @description The id of the document, which begins with `doc_`. */
            id: string;
            /** @description The id of its knowledge base. */
            knowledgeBaseId: string;
            /** @description The name of the file. */
            filename: string;
            /** @description The size of the content in bytes; 0 until the URL has been fetched. */
            fileSize: number;
            /** @description The media type of its content. */
            mimeType: string;
            /**
             * @description `pending` until a worker begins. `completed` and `failed` are final. Searches find only completed documents.
             * @enum {string}
             */
            processingStatus: "pending" | "processing" | "completed" | "failed";
            /** @description The reason of the failure, in a sentence. */
            processingError: string | null;
            /** @description The reason of the failure, as a stable word for programs. */
            processingErrorCode: string | null;
            /** @description The progress of the embedding. */
            progress: components["schemas"]["ProgressView"];
            /** @description The number of its chunks; 0 until it has been processed. */
            chunkCount: number;
            /** @description The number of tokens in all its chunks; 0 until it has been processed. */
            tokenCount: number;
            /** @description The number of characters in its text; 0 until it has been processed. */
            characterCount: number;
            /** @description How surely its text is what a person reads in the file, from 0 to 1: the share of pages with text, without characters that are damaged or read in a wrong encoding. Null until it has been read. */
            confidence: number | null;
            /** @description What may be missing or wrong in its text, a sentence each, such as pages without text. */
            warnings: string[];
            /** @description False for a document that searches leave out. */
            enabled: boolean;
            /** @description Values by tag name. The knowledge base defines the tags. */
            tags: {
                [key: string]: unknown;
            };
            /** @description The URL of origin. For an uploaded document: the URL to download its content. */
            sourceUrl: string;
            /**
             * Format: date-time
             * @description The time at which a worker began, in ISO 8601 and UTC; null until then.
             */
            processingStartedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the worker was done, in ISO 8601 and UTC; null until then.
             */
            processingCompletedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which it was added, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        OffsetPageView: {
            /** @description The number of all items that match. */
            total: number;
            /** @description The maximum number of items on a page. */
            limit: number;
            /** @description The number of items before the page. */
            offset: number;
            /** @description True when items come after the page. */
            hasMore: boolean;
        };
        UpdateDocumentBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new name. Left out: no change. */
            filename?: string;
            /** @description False: searches do not find the document. */
            enabled?: boolean;
            /** @description Values by tag name. The knowledge base defines the tags. Null removes a value. */
            tags?: {
                [key: string]: unknown;
            };
        };
        ChunkView: {
            /** @description The id of the chunk, which begins with `chk_`. */
            id: string;
            /** @description The place of the chunk in the document, from 0. */
            chunkIndex: number;
            /** @description The text of the chunk. */
            content: string;
            /** @description Its start in the text of the document; null after an edit. */
            startOffset: number | null;
            /** @description Its end in the text of the document; null after an edit. */
            endOffset: number | null;
            /** @description The headings above the chunk, which are embedded with it. */
            headings: string[];
            /** @description The number of its tokens. */
            tokenCount: number;
            /** @description False for a chunk that searches leave out. */
            enabled: boolean;
        };
        UpdateChunkBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new text. It is embedded before the call is answered. */
            content?: string;
            /** @description False: searches do not find the chunk. */
            enabled?: boolean;
        };
        CostView: {
            /** @description The booked cost of the execution and its calls. */
            total: number;
        };
        LogWorkflowView: {
            /** @description The id of the workflow. */
            id: string;
            /** @description The current name of the workflow, or its last name when it was deleted. */
            name: string;
            /** @description The description of the workflow; empty when there is none. */
            description: string;
            /** @description The path of the folder, for example `sales/eu`; empty for the top. */
            folder: string;
            /** @description True when the workflow was deleted. */
            deleted: boolean;
        };
        LogView: {
            /** @description The id of the log: the id of the execution with `log_` in front. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The current name of the workflow, or its last name when it was deleted. */
            workflowName: string;
            /** @description The number of the version that the execution runs. */
            version: number;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the deployed version; null when it was deleted with its workflow. */
            deploymentVersionId: string | null;
            /**
             * @description `error` for a failed execution, `info` for every other.
             * @enum {string}
             */
            level: "info" | "error";
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The origin: `api`, or `workflow` for a child of another execution. */
            trigger: string;
            /**
             * Format: date-time
             * @description The time of acceptance. Lists are in this order.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            endedAt: string | null;
            /** @description Milliseconds from start to end; null until it has ended. */
            totalDurationMs: number | null;
            /** @description The cost; null while nothing is booked. */
            cost: components["schemas"]["CostView"] | null;
            /** @description The reason of the failure or the cancel, in a sentence. */
            error: string | null;
            /** @description The executed workflow; only with `details=full`. */
            workflow?: components["schemas"]["LogWorkflowView"];
            /** @description The first hundred blocks, without their outputs. */
            blocks?: components["schemas"]["LogBlockView"][];
            /** @description True when there are more blocks. The log has them all, by pages. */
            blocksCut?: boolean;
            /** @description The output of the workflow. A large output is a reference: `$payload` is its id, `bytes` its size. */
            finalOutput?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The blocks as a tree; only on request, with `details=full`. */
            traceSpans?: components["schemas"]["TraceSpanView"][];
        };
        LogMetadataView: {
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The origin: `api`, or `workflow` for a child of another execution. */
            trigger: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            endedAt: string | null;
            /** @description Milliseconds from start to end; null until it has ended. */
            totalDurationMs: number | null;
            /** @description The cost of the execution; null while nothing is booked. */
            cost: components["schemas"]["CostView"] | null;
        };
        LogStateView: {
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The executed definition; null when it was deleted with its workflow. */
            workflowState: {
                [key: string]: unknown;
            } | null;
            /** @description The state, the times and the cost of the execution. */
            executionMetadata: components["schemas"]["LogMetadataView"];
            /** @description The rate limits and the usage of the caller after this call. */
            limits: components["schemas"]["LimitsView"];
        };
        ExecutionDataView: {
            /** @description The output of the workflow; null until the run has completed. */
            finalOutput: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description One page of the block log, with outputs. */
            blocks: components["schemas"]["VisitView"][];
            /** @description The blocks of the page as a tree. */
            traceSpans: components["schemas"]["TraceSpanView"][];
            /** @description The `cursor` of the next page of blocks; null on the last page. */
            nextCursor: string | null;
        };
        LogDetailView: {
            /** @description The id of the log: the id of the execution with `log_` in front. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The current name of the workflow, or its last name when it was deleted. */
            workflowName: string;
            /** @description The number of the version that the execution runs. */
            version: number;
            /** @description The id of the execution, which begins with `exec_`. */
            executionId: string;
            /** @description The id of the deployed version; null when it was deleted with its workflow. */
            deploymentVersionId: string | null;
            /**
             * @description `error` for a failed execution, `info` for every other.
             * @enum {string}
             */
            level: "info" | "error";
            /**
             * @description The state of the execution. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The origin: `api`, or `workflow` for a child of another execution. */
            trigger: string;
            /**
             * Format: date-time
             * @description The time of acceptance. Lists are in this order.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The start time, in ISO 8601 and UTC; null while the execution is queued.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The end time, in ISO 8601 and UTC; null until the execution has ended.
             */
            endedAt: string | null;
            /** @description Milliseconds from start to end; null until it has ended. */
            totalDurationMs: number | null;
            /** @description The cost; null while nothing is booked. */
            cost: components["schemas"]["CostView"] | null;
            /** @description The reason of the failure or the cancel, in a sentence. */
            error: string | null;
            /** @description The executed workflow; only with `details=full`. */
            workflow?: components["schemas"]["LogWorkflowView"];
            /** @description The first hundred blocks, without their outputs. */
            blocks?: components["schemas"]["LogBlockView"][];
            /** @description True when there are more blocks. The log has them all, by pages. */
            blocksCut?: boolean;
            /** @description The output of the workflow. A large output is a reference: `$payload` is its id, `bytes` its size. */
            finalOutput?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The blocks as a tree; only on request, with `details=full`. */
            traceSpans?: components["schemas"]["TraceSpanView"][];
            /** @description The output and the blocks of the execution. */
            executionData: components["schemas"]["ExecutionDataView"];
        };
        ToolChoiceView: {
            /** @description The id of the workflow. */
            workflowId: string;
            /** @description The chosen name of the tool; null when the name comes from the workflow. */
            name: string | null;
            /** @description The chosen description; null when the description comes from the workflow. */
            description: string | null;
            /** @description True when the tool changes nothing; null when nothing is declared. */
            readOnlyHint: boolean | null;
            /** @description True when the tool may destroy something; null when nothing is declared. */
            destructiveHint: boolean | null;
            /** @description True when a repeated call changes nothing more; null when nothing is declared. */
            idempotentHint: boolean | null;
        };
        McpServerView: {
            /** @description The id of the server, which begins with `mcp_`. */
            id: string;
            /** @description The id of its workspace. */
            workspaceId: string;
            /** @description The name, which is unique in the workspace. */
            name: string;
            /** @description The description of the server for agents. */
            description: string;
            /** @description The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder. */
            folder: string | null;
            /** @description The chosen workflows and the settings of their tools. */
            tools: components["schemas"]["ToolChoiceView"][];
            /** @description The seconds that a call waits for a result before it goes on as a task. */
            waitSeconds: number;
            /** @description The address for agents. A call needs a key or a token of this workspace. */
            url: string;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
        };
        ToolChoiceBody: {
            /** @description The id of a workflow of the workspace. */
            workflowId: string;
            /** @description The name of the tool. Left out: a name made from the name of the workflow. */
            name?: string;
            /** @description The description of the tool for agents. Left out: the description of the workflow. */
            description?: string;
            /** @description Tells clients that the tool changes nothing. */
            readOnlyHint?: boolean;
            /** @description Tells clients that the tool may destroy something. */
            destructiveHint?: boolean;
            /** @description Tells clients that a repeated call changes nothing more. */
            idempotentHint?: boolean;
        };
        CreateMcpServerBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The name, which no other server of the workspace may have. */
            name: string;
            /** @description The description of the server for agents; empty when left out. */
            description?: string;
            /** @description The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder. */
            folder?: string | null;
            /** @description Workflows that are offered from any folder, and settings for their tools. */
            tools?: components["schemas"]["ToolChoiceBody"][];
            /**
             * @description The seconds that a call waits for a result before it goes on as a task.
             * @default 20
             */
            waitSeconds?: number;
        };
        UpdateMcpServerBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new name. Left out: no change. */
            name?: string;
            /** @description The new description. Left out: no change. */
            description?: string;
            /** @description The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder. */
            folder?: string | null;
            /** @description The new list as a whole. Left out: no change. */
            tools?: components["schemas"]["ToolChoiceBody"][];
            /** @description The seconds that a call waits for a result before it goes on as a task. */
            waitSeconds?: number;
        };
        McpGrantPersonView: {
            /** @description The id of the user. */
            id: string;
            /** @description The mail address of the user. */
            email: string;
            /** @description The name of the user. */
            name: string;
        };
        McpGrantView: {
            /** @description The id of the grant. */
            id: string;
            /** @description The address of the metadata document of the client. */
            client: string;
            /** @description The user who gave the grant, with a personal key. */
            person: components["schemas"]["McpGrantPersonView"];
            /** @description The scopes of the grant: `execute:{serverId}` and `read`. */
            scopes: string[];
            /**
             * Format: date-time
             * @description The time of the grant, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the grant expires, in ISO 8601 and UTC.
             */
            expiresAt: string;
        };
        TrailEntryView: {
            /**
             * Format: date-time
             * @description The time of the event, in ISO 8601 and UTC.
             */
            at: string;
            /** @description The event: `opened`, `told`, `delegated`, `answered`, `answer refused`, or the end of the pause. */
            event: string;
            /** @description The person, key or address of the event; null when there is none. */
            who: string | null;
            /** @description More about the event, for example the title, the reason or the decision; empty when there is nothing. */
            note: string;
        };
        DelegateBody: {
            /** @description The e-mail address or user id of the person who will answer instead. */
            to: string;
            /** @description A message to that person. It is kept in the history. */
            note?: string;
        };
        ResumeMetadataView: {
            /** @description Milliseconds from start to end, or to now. */
            duration: number;
            /**
             * Format: date-time
             * @description The time at which the answer was taken, in ISO 8601 and UTC.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description The time at which the run had ended or waited again; null until then.
             */
            endTime: string | null;
        };
        ResumeResultView: {
            /** @description False when the run failed or was cancelled after the answer; true when it waits again. */
            success: boolean;
            /**
             * @description The state of the run after the answer.
             * @enum {string}
             */
            status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";
            /** @description The id of this answer as an execution. Every path that takes an execution id takes it too. */
            executionId: string;
            /** @description The output of the workflow; an empty object until the run has completed. */
            output: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description The failure of the run, in a sentence; null when it did not fail. */
            error: string | null;
            /** @description The failure of the run; absent when it did not fail. */
            failure?: components["schemas"]["FailureView"];
            /** @description The open pauses of the run now; absent when it does not wait. */
            paused?: components["schemas"]["PausedView"];
            /** @description The times at which the run went on and stopped. */
            metadata: components["schemas"]["ResumeMetadataView"];
        };
        ResumeBody: {
            /** @description The answers, by the names of the form fields. */
            input?: {
                [key: string]: unknown;
            };
            /** @description Answer at once with a job. */
            async?: boolean;
        };
        ResumeAcknowledgementView: {
            /** @description Always true: the answer is committed. */
            success: boolean;
            /** @description Always true. The answer of a run that has ended does not have it. */
            async: boolean;
            /** @description The id of the job of this execution, which begins with `job_`. */
            jobId: string;
            /** @description The id of this answer as an execution. Every path that takes an execution id takes it too. */
            executionId: string;
            /** @description The accepted work, in a sentence for people. */
            message: string;
            /** @description The absolute URL of the job. Read it with the key of this call. */
            statusUrl: string;
        };
        ColumnView: {
            /** @description The name of the column, unique in the table. */
            name: string;
            /**
             * @description The type of its cells.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date" | "json";
            /** @description True when a cell may not be empty. */
            required: boolean;
            /** @description True when no two rows may have the same value; empty cells do not count. */
            unique: boolean;
            /** @description The value for a row that is inserted without one; null for no default. */
            default?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /**
             * @description The state of the index; absent when the column has none.
             * @enum {string}
             */
            index?: "building" | "ready" | "failed";
        };
        SchemaView: {
            /** @description The columns, in their order. */
            columns: components["schemas"]["ColumnView"][];
        };
        TableView: {
            /** @description The id of the table, which begins with `tbl_`. */
            id: string;
            /** @description The name, which is unique in the workspace; blocks use it or the id. */
            name: string;
            /** @description The description of the content; empty when there is none. */
            description: string;
            /** @description The columns of the table. */
            schema: components["schemas"]["SchemaView"];
            /** @description The number of its rows. */
            rowCount: number;
            /** @description The maximum number of rows: the limit of its author or of the plan, whichever is lower. */
            maxRows: number;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change of its columns or rows.
             */
            updatedAt: string;
        };
        ColumnBody: {
            /** @description The name: letters, digits and underscores, no digit first. */
            name: string;
            /**
             * @description The type of its cells.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date" | "json";
            /**
             * @description True: a row without a value is refused.
             * @default false
             */
            required?: boolean;
            /**
             * @description True: no two rows may have the same value. Empty cells do not count.
             * @default false
             */
            unique?: boolean;
            /** @description The value for a row that is inserted without one; null for no default. */
            default?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /**
             * @description True: an index makes filters on the column fast. It is built while others write.
             * @default false
             */
            indexed?: boolean;
        };
        SchemaBody: {
            /** @description The columns, in the order in which they are shown. */
            columns: components["schemas"]["ColumnBody"][];
        };
        CreateTableBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The name, which no other table has: letters, digits and underscores, no digit first. */
            name: string;
            /** @description A description of the content; empty when left out. */
            description?: string;
            /** @description The columns of the table. */
            schema: components["schemas"]["SchemaBody"];
            /** @description A limit of rows below the limit of the plan. */
            maxRows?: number;
        };
        UpdateTableBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new name. Left out: no change. Blocks that use the old name then fail. */
            name?: string;
            /** @description The new description. Left out: no change. */
            description?: string;
        };
        AddColumnBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The new column, which comes last. */
            column: components["schemas"]["ColumnBody"];
        };
        ColumnUpdates: {
            /** @description The new name. Left out: no change. */
            name?: string;
            /**
             * @description The new type. The change is refused when a cell does not fit it.
             * @enum {string}
             */
            type?: "string" | "number" | "boolean" | "date" | "json";
            /** @description True: no cell may be empty. The change is refused when a cell is empty. */
            required?: boolean;
            /** @description True: no two rows may have the same value. The change is refused when two rows do. */
            unique?: boolean;
            /** @description The value for a row that is inserted without one; null for no default. */
            default?: ({
                [key: string]: unknown;
            } | unknown[] | string | number | boolean) | null;
            /** @description True: an index makes filters on the column fast. It is built while others write. */
            indexed?: boolean;
        };
        ChangeColumnBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The column to change. */
            columnName: string;
            /** @description The members to change. A member that is left out does not change. */
            updates: components["schemas"]["ColumnUpdates"];
        };
        DeleteColumnBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The column to delete; its cells are lost. */
            columnName: string;
        };
        ExportBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /**
             * @description The form of the file.
             * @default csv
             * @enum {string}
             */
            format?: "csv" | "jsonl";
            /** @description In the form of the list of rows. */
            filter?: {
                [key: string]: unknown;
            };
            /** @description In the form of the list of rows. */
            sort?: {
                [key: string]: unknown;
            };
            /**
             * @description True: a quote comes before each text in a CSV that a spreadsheet would read as a formula.
             * @default true
             */
            guardFormulas?: boolean;
        };
        RefusedLineView: {
            /** @description The line of the file where the record begins, from 1. In a workbook, the row. */
            line: number;
            /** @description The reason for which the line was refused. */
            message: string;
        };
        TakenView: {
            /**
             * @description The form of the file.
             * @enum {string}
             */
            format: "csv" | "jsonl" | "json" | "xlsx" | "xls" | "ods";
            /** @description The sign between two values of a CSV. */
            delimiter: string | null;
            /** @description The encoding of a text. */
            encoding: string | null;
            /** @description The sheet of a workbook. */
            sheet: string | null;
            /** @description The line of the header; null for a file without. */
            header: number | null;
            /**
             * @description The decimal sign of numbers.
             * @enum {string}
             */
            decimal: "." | ",";
            /** @description The form of dates; null when all are in ISO 8601. */
            dateFormat: string | null;
            /**
             * @description What an empty cell becomes.
             * @enum {string}
             */
            nulls: "null" | "default";
            /** @description The column of the table by the name of the column in the file; null is left out. */
            mapping: {
                [key: string]: unknown;
            };
            /** @description The columns that the import adds to the table. */
            createdColumns: string[];
        };
        ImportView: {
            /** @description The number of inserted rows. */
            insertedCount: number;
            /** @description The number of refused lines of the file. */
            refusedCount: number;
            /** @description The first hundred of the refused lines. */
            refused: components["schemas"]["RefusedLineView"][];
            /** @description The id of the table. */
            tableId: string;
            /** @description The way in which the file was read. */
            taken: components["schemas"]["TakenView"];
        };
        ImportJobView: {
            /** @description The number of inserted rows. */
            insertedCount: number;
            /** @description The number of refused lines of the file. */
            refusedCount: number;
            /** @description The first hundred of the refused lines. */
            refused: components["schemas"]["RefusedLineView"][];
            /** @description The id of the import, which begins with `imp_`. */
            id: string;
            /** @description The id of the table. */
            tableId: string;
            /**
             * @description The state of the import. `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed" | "cancelled";
            /**
             * @description The form of the file.
             * @enum {string}
             */
            format: "csv" | "jsonl" | "json" | "xlsx" | "xls" | "ods";
            /**
             * @description `all`: one bad line refuses the file. `good`: a bad line refuses only itself.
             * @enum {string}
             */
            mode: "all" | "good";
            /** @description The way in which the file is read; null until a worker begins. */
            taken: components["schemas"]["TakenView"] | null;
            /** @description The size of the file in bytes. */
            size: number;
            /** @description The number of lines with rows that are processed so far. */
            lineCount: number;
            /** @description The reason of the failure. */
            error: string | null;
            /**
             * Format: date-time
             * @description The time at which the file was stored, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which a worker began, in ISO 8601 and UTC; null until then.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the import ended, in ISO 8601 and UTC; null until then.
             */
            completedAt: string | null;
        };
        ImportBegunData: {
            /** @description The import, which waits for a worker. */
            import: components["schemas"]["ImportJobView"];
            /** @description The absolute URL of the import. */
            statusUrl: string;
            /** @description The accepted work, in a sentence for people. */
            message: string;
        };
        ImportBegunView: {
            /** @description Always true: the file is stored. */
            success: boolean;
            /** @description The import and the URL of its progress. */
            data: components["schemas"]["ImportBegunData"];
        };
        FileColumnView: {
            /** @description The name in the file, or `column 3` for one without. */
            name: string;
            /**
             * @description The type that its first values have.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date" | "json";
            /** @description The first three values that are not empty. */
            samples: string[];
            /** @description The column of the table; null when it is left out. */
            column: string | null;
        };
        ImportPreviewView: {
            /** @description The way in which an import would read the file. */
            taken: components["schemas"]["TakenView"];
            /** @description The columns of the file. */
            columns: components["schemas"]["FileColumnView"][];
            /** @description The sheets of a workbook. */
            sheets: string[];
            /** @description The number of lines that were tried: the first ten thousand. */
            checkedCount: number;
            /** @description The number of these lines that an import would refuse. */
            refusedCount: number;
            /** @description The first hundred of the refused lines. */
            refused: components["schemas"]["RefusedLineView"][];
        };
        ImportPageView: {
            /** @description The imports, the newest first. */
            imports: components["schemas"]["ImportJobView"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        RowView: {
            /** @description The id of the row, which begins with `row_`. */
            id: string;
            /** @description The values by column name; null for an empty cell. */
            data: {
                [key: string]: unknown;
            };
            /** @description The number of the row in order of insertion. A deleted row leaves a gap. */
            position: number;
            /** @description The version of the row, which is also its ETag. It rises with each change of the table. */
            version: number;
            /**
             * Format: date-time
             * @description The time at which it was inserted, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
            /** @description The execution that last wrote the row; null when an API call wrote it. */
            executionId: string | null;
        };
        RowPageView: {
            /** @description The rows of the page, in the requested order. */
            rows: components["schemas"]["RowView"][];
            /** @description The number of rows on this page. */
            rowCount: number;
            /** @description The exact number of all rows that match. */
            totalCount: number;
            /** @description The maximum number of rows on a page. */
            limit: number;
            /** @description The number of rows before the page; 0 with a cursor. */
            offset: number;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
            /** @description A token for `changedSince`, to read the changes from now on. */
            changeToken: string;
            /** @description With `changedSince`: the ids of rows that were deleted since. */
            deletedRowIds?: string[];
            /** @description With `changedSince`: true when more changes can be read now. */
            hasMore?: boolean;
        };
        QueryRowsBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them. */
            filter?: {
                [key: string]: unknown;
            };
            /** @description Up to five columns with asc or desc, in order of priority. Empty cells come last. */
            sort?: {
                [key: string]: unknown;
            };
            /**
             * @description The maximum number of rows on a page.
             * @default 100
             */
            limit?: number;
            /**
             * @description The number of rows before the page.
             * @default 0
             */
            offset?: number;
            /** @description The `nextCursor` of the previous page, in place of an offset. */
            cursor?: string;
            /** @description The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it. */
            changedSince?: string;
        };
        InsertedView: {
            /** @description The row; only when `data` was sent. */
            row?: components["schemas"]["RowView"];
            /** @description The rows, in the order in which they were sent. */
            rows: components["schemas"]["RowView"][];
            /** @description The number of inserted rows. */
            insertedCount: number;
            /** @description The result, in a sentence for people. */
            message: string;
        };
        InsertRowsBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The values of one row by column. */
            data?: {
                [key: string]: unknown;
            };
            /** @description In place of `data`: the values of up to 1,000 rows. */
            rows?: {
                [key: string]: unknown;
            }[];
        };
        UpsertRowBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Values by column. null empties a cell. */
            data: {
                [key: string]: unknown;
            };
            /** @description The unique column that identifies the row. It may be left out when the table has only one unique column. */
            conflictTarget?: string;
        };
        GroupView: {
            /** @description The values of the columns by which rows are grouped. */
            by: {
                [key: string]: unknown;
            };
            /** @description The computed values, by the names in the request. */
            values: {
                [key: string]: unknown;
            };
        };
        AggregateView: {
            /** @description One group for each combination of values. Without columns there is one group. */
            groups: components["schemas"]["GroupView"][];
            /** @description True when there are more than a thousand groups. The answer has the first thousand. */
            hasMore: boolean;
        };
        AggregateBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them. */
            filter?: {
                [key: string]: unknown;
            };
            /** @description The columns to group by, two at most. */
            groupBy?: string[];
            /** @description The wanted values, by names of your choice: {"total": {"sum": "amount"}, "rows": {"count": "*"}}. Functions are count, sum, avg, min and max. */
            aggregates: {
                [key: string]: unknown;
            };
        };
        RowUpdate: {
            /** @description The id of the row to change. */
            rowId: string;
            /** @description Values by column. null empties a cell. */
            data: {
                [key: string]: unknown;
            };
            /** @description Nothing is written when the row has another version. */
            version?: number;
        };
        UpdateRowsBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description The changes, each of another row. All are made or none. */
            updates: components["schemas"]["RowUpdate"][];
        };
        UpdateByFilterBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them. */
            filter?: {
                [key: string]: unknown;
            };
            /** @description True: the call is for every row. Without it an empty filter is refused. */
            all?: boolean;
            /** @description Values by column. null empties a cell. */
            data: {
                [key: string]: unknown;
            };
        };
        DeleteRowsBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them. */
            filter?: {
                [key: string]: unknown;
            };
            /** @description True: the call is for every row. Without it an empty filter is refused. */
            all?: boolean;
            /** @description In place of a filter: up to 1,000 ids of rows. */
            rowIds?: string[];
        };
        UpdateRowBody: {
            /** @description The id of the workspace. It may be left out when the key reaches only one. */
            workspaceId?: string;
            /** @description Values by column. null empties a cell. */
            data: {
                [key: string]: unknown;
            };
        };
        DeleteRowBody: {
            /** @description The id of the workspace. */
            workspaceId: string;
        };
        WorkspaceView: {
            /** @description The id of the workspace, which begins with `ws_`. */
            id: string;
            /** @description The name of the workspace. */
            name: string;
            /** @description The name of its plan, which sets its limits. */
            plan: string;
            /** @description False when only workspace keys work here. */
            personalKeysAllowed: boolean;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change, in ISO 8601 and UTC.
             */
            updatedAt: string;
        };
        CreateWorkspaceBody: {
            /** @description The name of the workspace. */
            name: string;
        };
        UpdateWorkspaceBody: {
            /** @description The new name. Left out: no change. */
            name?: string;
            /** @description False: only workspace keys work here. */
            personalKeysAllowed?: boolean;
        };
        MemberView: {
            /** @description The id of the user, which begins with `usr_`. */
            userId: string;
            /** @description The mail address of the user. */
            email: string;
            /** @description The name of the user. */
            name: string;
            /**
             * @description The role of the user in the workspace.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description The time at which the user joined, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        ChangeRoleBody: {
            /**
             * @description The new role of the member.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
        };
        InvitationView: {
            /** @description The id of the invitation, which begins with `inv_`. */
            id: string;
            /** @description The mail address that was invited. */
            email: string;
            /** @description The name that a new user gets; empty when none was given. */
            name: string;
            /**
             * @description The role of the person after acceptance.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * @description `pending` until the person decides. All other states are final.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "withdrawn" | "expired";
            /** @description The id of the user or the key that sent the invitation. */
            invitedBy: string;
            /**
             * Format: date-time
             * @description The time at which the person was invited, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the token expires, in ISO 8601 and UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description The time at which the person accepted or declined, in ISO 8601 and UTC; null until then.
             */
            decidedAt: string | null;
        };
        MadeInvitationView: {
            /** @description The id of the invitation, which begins with `inv_`. */
            id: string;
            /** @description The mail address that was invited. */
            email: string;
            /** @description The name that a new user gets; empty when none was given. */
            name: string;
            /**
             * @description The role of the person after acceptance.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * @description `pending` until the person decides. All other states are final.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "withdrawn" | "expired";
            /** @description The id of the user or the key that sent the invitation. */
            invitedBy: string;
            /**
             * Format: date-time
             * @description The time at which the person was invited, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the token expires, in ISO 8601 and UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description The time at which the person accepted or declined, in ISO 8601 and UTC; null until then.
             */
            decidedAt: string | null;
            /** @description The token, shown only in this answer. Give it only to the invited person. */
            token: string;
        };
        InviteBody: {
            /**
             * Format: email
             * @description The mail address of the person; only a user with this address can accept.
             */
            email: string;
            /** @description The name that a new user gets; empty when left out. */
            name?: string;
            /**
             * @description The role of the person after acceptance.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
        };
        OfferView: {
            /** @description The id of the workspace of the invitation. */
            workspaceId: string;
            /** @description The name of the workspace of the invitation. */
            workspaceName: string;
            /** @description The mail address that was invited. */
            email: string;
            /**
             * @description The role in the workspace after acceptance.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description The time at which the token expires, in ISO 8601 and UTC.
             */
            expiresAt: string;
        };
        InvitationTokenBody: {
            /** @description The token of the invitation. */
            token: string;
        };
        JoinedView: {
            /** @description The id of the joined workspace. */
            workspaceId: string;
            /** @description The id of the user who has joined. */
            userId: string;
            /**
             * @description The role of the user in the workspace.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /** @description The first personal key of a new user, shown only in this answer; null for an existing user. */
            key: string | null;
        };
        DeclinedView: {
            /**
             * @description Always `declined`.
             * @enum {string}
             */
            status: "declined";
        };
        KeyView: {
            /** @description The id of the key, which begins with `key_`. It is not a secret. */
            id: string;
            /** @description The name that tells people what the key is for. */
            name: string;
            /**
             * @description `workspace` for a key of one workspace, `personal` for a key of all workspaces of its user.
             * @enum {string}
             */
            kind: "personal" | "workspace";
            /**
             * @description The role of the key. A personal key has the role of its user in each workspace instead.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /** @description The first and the last characters of the value, to tell two keys apart. */
            hint: string;
            /** @description The id of the user or of the key that made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the key expires, in ISO 8601 and UTC; null when it does not expire.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description The time of the revocation, in ISO 8601 and UTC; null while the key is valid.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description The time of the last use, in ISO 8601 and UTC; null when there was none.
             */
            lastUsedAt: string | null;
        };
        MintedKeyView: {
            /** @description The id of the key, which begins with `key_`. It is not a secret. */
            id: string;
            /** @description The name that tells people what the key is for. */
            name: string;
            /**
             * @description `workspace` for a key of one workspace, `personal` for a key of all workspaces of its user.
             * @enum {string}
             */
            kind: "personal" | "workspace";
            /**
             * @description The role of the key. A personal key has the role of its user in each workspace instead.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /** @description The first and the last characters of the value, to tell two keys apart. */
            hint: string;
            /** @description The id of the user or of the key that made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the key expires, in ISO 8601 and UTC; null when it does not expire.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description The time of the revocation, in ISO 8601 and UTC; null while the key is valid.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description The time of the last use, in ISO 8601 and UTC; null when there was none.
             */
            lastUsedAt: string | null;
            /** @description The value of the key, shown only in this answer. */
            key: string;
        };
        CreateKeyBody: {
            /** @description A name that tells people what the key is for. */
            name: string;
            /**
             * @description The role of the key.
             * @default editor
             * @enum {string}
             */
            role?: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.
             */
            expiresAt?: string;
        };
        CreatePersonalKeyBody: {
            /** @description A name that tells people what the key is for. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.
             */
            expiresAt?: string;
        };
        SavedViewView: {
            /** @description The id of the view, which begins with `view_`. */
            id: string;
            /**
             * @description The list that the view filters.
             * @enum {string}
             */
            area: "executions" | "workflows" | "audit";
            /** @description The name of the view. */
            name: string;
            /** @description The filters, as in the query of the address of the list. */
            query: string;
            /**
             * Format: date-time
             * @description The time at which a view of this name was first saved, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        SaveViewBody: {
            /**
             * @description The list that the view filters.
             * @enum {string}
             */
            area: "executions" | "workflows" | "audit";
            /** @description The name, unique for the list. A second call with it replaces the view. */
            name: string;
            /** @description The filters, as in the query of the address of the list. */
            query: string;
        };
        SecretView: {
            /** @description The name by which blocks read it, for example `secrets.NAME`. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the secret got its first value, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which it got its present value, in ISO 8601 and UTC.
             */
            updatedAt: string;
        };
        PutSecretBody: {
            /** @description The value, which is stored sealed and never shown again. */
            value: string;
        };
        ProviderView: {
            /** @description The id of the provider, a part of the address of its sign-in. */
            id: string;
            /** @description The name for its button. */
            name: string;
        };
        SignInWaysView: {
            /** @description True when a link by mail signs people in. */
            mail: boolean;
            /** @description True when passkeys sign people in. They need the public address. */
            passkeys: boolean;
            /** @description The identity providers by which people sign in. */
            providers: components["schemas"]["ProviderView"][];
        };
        SignedInView: {
            /** @description The id of the user who has signed in. */
            userId: string;
            /** @description The id of the session; its secret is in the cookie alone. */
            sessionId: string;
            /**
             * Format: date-time
             * @description The latest time at which the session ends, in ISO 8601 and UTC.
             */
            expiresAt: string;
        };
        SignInLinkBody: {
            /** @description The token of the link: the text behind `#token=`. */
            token: string;
            /**
             * @description True after the person was told whose account it is, and agreed: the answer to a refusal with `CONFIRM_SIGN_IN`.
             * @default false
             */
            confirmed?: boolean;
        };
        SentMailView: {
            /** @description A sentence for the person. It does not tell whether the address is known. */
            message: string;
        };
        SignInMailBody: {
            /**
             * Format: email
             * @description The mail address of the person who signs in.
             */
            email: string;
        };
        PasskeyOptionsView: {
            /** @description The options for `navigator.credentials`, in the JSON form of WebAuthn. */
            options: {
                [key: string]: unknown;
            };
        };
        PasskeyAnswerBody: {
            /** @description The answer of the browser, in the JSON form of WebAuthn. */
            response: {
                [key: string]: unknown;
            };
        };
        WaysInView: {
            /** @description True when the user has a passkey. */
            passkey: boolean;
            /** @description True when a link by mail can reach the user. */
            mail: boolean;
            /** @description The identity providers at which the user has an identity. */
            providers: components["schemas"]["ProviderView"][];
        };
        OwnWorkspaceView: {
            /** @description The id of the workspace. */
            id: string;
            /** @description The name of the workspace. */
            name: string;
            /** @description The plan of the workspace. */
            plan: string;
            /**
             * @description The role of the user in the workspace.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /** @description False when personal keys are refused. Workspace keys and signed-in users have access in any case. */
            personalKeysAllowed: boolean;
            /** @description False when the user gets no mail about pauses of the workspace. */
            pauseMails: boolean;
            /** @description The identity provider that gave the membership and must confirm the user before the next call; null when none must. */
            awaitsProvider: string | null;
        };
        OwnSessionView: {
            /** @description The id of the session. */
            id: string;
            /**
             * Format: date-time
             * @description The time at which the person signed in, in ISO 8601 and UTC.
             */
            createdAt: string;
        };
        MeView: {
            /** @description The id of the user. */
            id: string;
            /** @description The mail address of the user. */
            email: string;
            /** @description True when a mail or an identity provider has proven the address. */
            emailProven: boolean;
            /**
             * Format: date-time
             * @description The time at which the address was proven, in ISO 8601 and UTC; null when it was not.
             */
            emailProvenAt: string | null;
            /** @description The name of the user. */
            name: string;
            /** @description The ways by which the user can sign in again. */
            ways: components["schemas"]["WaysInView"];
            /** @description The workspaces of the user, the oldest first. */
            workspaces: components["schemas"]["OwnWorkspaceView"][];
            /** @description The session that makes the call; null for a key. */
            session: components["schemas"]["OwnSessionView"] | null;
        };
        UpdateMeBody: {
            /** @description The name that others see. */
            name: string;
        };
        UpdateOwnWorkspaceBody: {
            /** @description False: you get no mail about pauses of the workspace. */
            pauseMails: boolean;
        };
        SessionView: {
            /** @description The id of the session, which begins with `ses_`. It is not a secret. */
            id: string;
            /**
             * @description The way of sign-in.
             * @enum {string}
             */
            method: "link" | "mail" | "oidc" | "passkey" | "invitation";
            /** @description The address from which the person signed in. */
            address: string;
            /** @description The browser in which the person signed in, in words. */
            browser: string;
            /** @description True for the session that makes this call. */
            current: boolean;
            /**
             * Format: date-time
             * @description The time at which the person signed in, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last use, exact to about a minute, in ISO 8601 and UTC.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description The latest time at which the session ends, in ISO 8601 and UTC.
             */
            expiresAt: string;
        };
        RevokedSessionsView: {
            /** @description The result, in a sentence for people. */
            message: string;
        };
        SignedOutView: {
            /** @description Always true. */
            signedOut: boolean;
        };
        PasskeyView: {
            /** @description The id of the passkey, which begins with `pky_`. */
            id: string;
            /** @description The name that its user gave it. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which it was made, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last sign-in with it; null when there was none.
             */
            lastUsedAt: string | null;
        };
        NewPasskeyBody: {
            /** @description The answer of the browser, in the JSON form of WebAuthn. */
            response: {
                [key: string]: unknown;
            };
            /** @description A name for the device of the passkey. */
            name: string;
        };
        IdentityView: {
            /** @description The id of the link, which begins with `idn_`. */
            id: string;
            /** @description The id of the identity provider. */
            provider: string;
            /** @description The name of the identity provider. */
            providerName: string;
            /** @description The address at the provider; null when it gave none. */
            email: string | null;
            /**
             * Format: date-time
             * @description The time at which it was linked, in ISO 8601 and UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the provider last confirmed the person, in ISO 8601 and UTC.
             */
            lastUsedAt: string;
        };
        UsageBucketView: {
            /** @description The number of tokens that the bucket gains in a minute. */
            requestsPerMinute: number;
            /** @description The maximum number of tokens in the bucket, and so of calls at once. */
            maxBurst: number;
            /** @description The number of tokens left now. A call takes one token. */
            remaining: number;
            /**
             * Format: date-time
             * @description The time at which the bucket is full again if no call comes, in ISO 8601 and UTC.
             */
            resetAt: string;
            /** @description Equal to requestsPerMinute. */
            limit: number;
            /** @description True when no token is left. */
            isLimited: boolean;
        };
        RateLimitView: {
            /** @description The bucket of synchronous executions. */
            sync: components["schemas"]["UsageBucketView"];
            /** @description The bucket of asynchronous executions, which are jobs. */
            async: components["schemas"]["UsageBucketView"];
            /** @description The kind of caller. Always `api`: the caller has a key. */
            authType: string;
        };
        SpendingView: {
            /** @description The cost cap of the member for a calendar month. */
            limit: number;
            /** @description The cost of the member in this calendar month, in UTC. */
            currentPeriodCost: number;
            /** @description True when the cost of the month has reached the limit. */
            isExceeded: boolean;
        };
        StorageView: {
            /** @description The stored bytes of executions, documents and tables. */
            usedBytes: number;
            /** @description The number of bytes that the plan allows. */
            limitBytes: number;
            /** @description The used share in percent, from 0 to 100. */
            percentUsed: number;
        };
        TableLimitsView: {
            /** @description The number of tables. */
            count: number;
            /** @description The number of tables that the plan allows. */
            maxTables: number;
            /** @description The number of rows that the plan allows in a table. */
            maxRowsPerTable: number;
        };
        UsageLimitsView: {
            /** @description Always true. */
            success: boolean;
            /** @description The two buckets of executions. */
            rateLimit: components["schemas"]["RateLimitView"];
            /** @description The cost of the workspace in this month, and its limit. */
            usage: components["schemas"]["UsageView"];
            /** @description The cost cap of the user of a personal key; null without a cap and for a workspace key. */
            memberCap: components["schemas"]["SpendingView"] | null;
            /** @description The storage of the workspace and its limit. */
            storage: components["schemas"]["StorageView"];
            /** @description The number of tables of the workspace and its limit. */
            tables: components["schemas"]["TableLimitsView"];
        };
        UsageGroupView: {
            /** @description The day, the id of the workflow, the id of the actor, or the kind. */
            group: string;
            /** @description The name of the workflow, the member or the key. */
            name: string | null;
            /** @description The cost of the group, in the currency of the prices of the operator. */
            cost: number;
            /** @description The number of booked executions and hosted calls. */
            entries: number;
        };
        UsageTotalView: {
            /** @description The cost of all groups, also beyond `limit`. */
            cost: number;
            /** @description The number of kept executions that began in this time, with or without cost; a million at most. */
            executions: number;
        };
        MemberCapView: {
            /** @description The id of the member. */
            userId: string;
            /** @description The cost cap of the member for a calendar month. */
            monthlyCost: number;
            /** @description The cost of the member in this calendar month, in UTC. */
            currentPeriodCost: number;
            /** @description True when the cost of the month has reached the cap. Executions are then refused with 402. */
            isExceeded: boolean;
            /**
             * Format: date-time
             * @description The time at which the cap was set last, in ISO 8601 and UTC.
             */
            updatedAt: string;
        };
        SetMemberCapBody: {
            /** @description The cost cap of the member for a calendar month. 0 refuses every execution. */
            monthlyCost: number;
        };
        LivenessView: {
            /**
             * @description Always `up`: a dead process does not answer.
             * @enum {string}
             */
            status: "up";
        };
        DependenciesView: {
            /**
             * @description The state of Postgres. Without it the process cannot serve.
             * @enum {string}
             */
            database: "up" | "down";
            /**
             * @description The state of Temporal. While it is down, executions are accepted and start later.
             * @enum {string}
             */
            temporal: "up" | "down";
        };
        ReadinessView: {
            /**
             * @description `up` when requests can be served; `stopping` once the process was told to end.
             * @enum {string}
             */
            status: "up" | "down" | "stopping";
            /** @description The state of each dependency. */
            dependencies: components["schemas"]["DependenciesView"];
            /** @description True while workers find runs that Temporal does not know, for example after a restore of an older store, and repair them. */
            repairsRuns: boolean;
        };
    };
    responses: {
        /** @description The request is not valid; `details` names each field and its rule. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "\"name\" must have 1 to 128 characters.",
                 *       "code": "INVALID_REQUEST",
                 *       "requestId": "req_01957c6a8e0070008000000000000059",
                 *       "details": [
                 *         {
                 *           "path": "name",
                 *           "message": "must have 1 to 128 characters",
                 *           "code": "length"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The X-API-Key header holds no valid key. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A valid API key is required in the X-API-Key header.",
                 *       "code": "UNAUTHORIZED",
                 *       "requestId": "req_01957c6a8e0070008000000000000060"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description A limit of the plan or of the member is reached. `code` and `details` name the limit. */
        UsageLimitExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The workspace has used up what its plan self_hosted allows in a month, which is 0.001.",
                 *       "code": "USAGE_LIMIT_EXCEEDED",
                 *       "requestId": "req_01957c6a8e0070008000000000000061",
                 *       "details": [
                 *         {
                 *           "path": "",
                 *           "message": "The workspace has used up what its plan self_hosted allows in a month, which is 0.001.",
                 *           "code": "plan_limit"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The key is valid, but its role does not allow this call. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This call needs the permission to admin, which the role viewer of this key does not have.",
                 *       "code": "FORBIDDEN",
                 *       "requestId": "req_01957c6a8e0070008000000000000062"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The resource does not exist, or it belongs to another workspace. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "No such workflow.",
                 *       "code": "NOT_FOUND",
                 *       "requestId": "req_01957c6a8e0070008000000000000063"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The current state does not allow this call; `code` tells the reason. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This pause was answered already. By the key \"first\", at 2026-01-02T09:00:01.000Z.",
                 *       "code": "ALREADY_RESUMED",
                 *       "requestId": "req_01957c6a8e0070008000000000000064"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The resource is not at the version that If-Match names, or does not exist. */
        Outdated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The row has changed since it was read; read it again.",
                 *       "code": "PRECONDITION_FAILED",
                 *       "requestId": "req_01957c6a8e0070008000000000000065"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The body is larger than the installation accepts (10 MB by default). */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "PAYLOAD_TOO_LARGE",
                 *       "error": "The request body is too large.",
                 *       "requestId": "req_01957c6a8e0070008000000000000066"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The body is not sent as application/json. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "UNSUPPORTED_MEDIA_TYPE",
                 *       "error": "The body must be sent as application/json.",
                 *       "requestId": "req_01957c6a8e0070008000000000000067"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The Idempotency-Key was used in the last 24 hours with another body. */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This Idempotency-Key was used with another request or by another caller; use a new key.",
                 *       "code": "IDEMPOTENCY_KEY_REUSED",
                 *       "requestId": "req_01957c6a8e0070008000000000000068"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The rate limit is exceeded. Send the request again after the seconds in Retry-After. */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before the request is sent again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The rate limit is exceeded; send the request again after the seconds in Retry-After.",
                 *       "code": "RATE_LIMIT_EXCEEDED",
                 *       "requestId": "req_01957c6a8e0070008000000000000069"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description The address and the headers together are too long. Send a long filter in a body. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorView"];
            };
        };
        /** @description A part that the call needs is unavailable. Send the request again after the seconds in Retry-After. */
        Unavailable: {
            headers: {
                /** @description Seconds to wait before the request is sent again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorView"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description An action, for example `workflow.deployed`. */
                action?: string;
                /** @description A type of resource, for example `workflow`. */
                resourceType?: string;
                /** @description The id of the changed resource. A secret has its name here. */
                resourceId?: string;
                /** @description The id of the user or the key that acted. */
                actorId?: string;
                /** @description Only entries of this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                startDate?: string;
                /** @description Only entries of this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01957c6a8e0070008000000000000021",
                     *           "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *           "seq": 44,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "keyId": "key_01957c6a8e0070008000000000000004",
                     *           "requestId": "req_01957c6a8e0070008000000000000022",
                     *           "action": "workflow.updated",
                     *           "resourceType": "workflow",
                     *           "resourceId": "wf_01957c6a8e0070008000000000000020",
                     *           "resourceName": "Size of an order",
                     *           "actorKind": "key",
                     *           "actorId": "key_01957c6a8e0070008000000000000004",
                     *           "actorName": "first",
                     *           "actorEmail": null,
                     *           "ipAddress": "192.0.2.7",
                     *           "description": "workflow Size of an order: updated",
                     *           "metadata": {
                     *             "description": {
                     *               "to": "Orders over 1,000 go another way.",
                     *               "from": "Large orders go another way."
                     *             }
                     *           },
                     *           "hash": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f"
                     *         }
                     *       ],
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       },
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of entries, the newest first. */
                        data: components["schemas"]["AuditLogView"][];
                        /** @description The rate limits and the usage of the caller, as they are after this call. */
                        limits: components["schemas"]["LimitsView"];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the entry.
                 * @example aud_01957c6a8e0070008000000000000021
                 */
                auditLogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry, as it was appended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "aud_01957c6a8e0070008000000000000021",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "seq": 44,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "keyId": "key_01957c6a8e0070008000000000000004",
                     *         "requestId": "req_01957c6a8e0070008000000000000022",
                     *         "action": "workflow.updated",
                     *         "resourceType": "workflow",
                     *         "resourceId": "wf_01957c6a8e0070008000000000000020",
                     *         "resourceName": "Size of an order",
                     *         "actorKind": "key",
                     *         "actorId": "key_01957c6a8e0070008000000000000004",
                     *         "actorName": "first",
                     *         "actorEmail": null,
                     *         "ipAddress": "192.0.2.7",
                     *         "description": "workflow Size of an order: updated",
                     *         "metadata": {
                     *           "description": {
                     *             "to": "Orders over 1,000 go another way.",
                     *             "from": "Large orders go another way."
                     *           }
                     *         },
                     *         "hash": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The entry, as it was appended. */
                        data: components["schemas"]["AuditLogView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    followWorkspace: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: {
                /** @description The id of the last event that was received; the first event comes at once when something has changed since. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event for each change; the stream goes on until the client closes it, or its key or session ends. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["WorkspaceEventView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    executeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description `true` adds the first hundred blocks as `logs` and as `traceSpans`, and `totalDuration`, to a result. */
                "X-Include-Trace-Spans"?: string;
                /** @description `raw` asks for only the status, headers and body of the Response block. */
                "X-Response-Mode"?: string;
                /** @description `async` asks for a job. */
                "X-Execution-Mode"?: string;
                /** @description `respond-async` asks for a job; `wait=<seconds>` bounds the wait for a result. */
                Prefer?: string;
            };
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "inputs": {
                 *         "amount": 5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExecuteBody"];
            };
        };
        responses: {
            /** @description The run has ended or waits for a person. `status` tells the difference. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "output": {
                     *         "size": "small",
                     *         "amount": 5,
                     *         "note": "none"
                     *       },
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       },
                     *       "executionId": "exec_01957c6a8e0070008000000000000024",
                     *       "jobId": "job_01957c6a8e0070008000000000000024",
                     *       "status": "completed",
                     *       "error": null,
                     *       "metadata": {
                     *         "executionId": "exec_01957c6a8e0070008000000000000024",
                     *         "status": "completed",
                     *         "duration": 105,
                     *         "startTime": "2026-01-02T09:00:00.015Z",
                     *         "endTime": "2026-01-02T09:00:00.120Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SyncResultView"];
                    "text/event-stream": string;
                };
            };
            /** @description The execution was accepted as a job. Read its progress at `statusUrl`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "async": true,
                     *       "jobId": "job_01957c6a8e0070008000000000000025",
                     *       "taskId": "job_01957c6a8e0070008000000000000025",
                     *       "executionId": "exec_01957c6a8e0070008000000000000025",
                     *       "status": "queued",
                     *       "statusUrl": "https://holdfast.example/api/jobs/job_01957c6a8e0070008000000000000025",
                     *       "links": {
                     *         "status": "https://holdfast.example/api/jobs/job_01957c6a8e0070008000000000000025"
                     *       },
                     *       "message": "The execution was accepted. Poll statusUrl until its status is completed or failed.",
                     *       "createdAt": "2026-01-02T09:00:00.000Z",
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0.005,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AcknowledgementView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            /** @description For a raw answer: only the status, headers and body of the Response block. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the job, or of its execution.
                 * @example job_01957c6a8e0070008000000000000025
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job as it is now, or at its end when the end came within `wait` seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "taskId": "job_01957c6a8e0070008000000000000025",
                     *       "jobId": "job_01957c6a8e0070008000000000000025",
                     *       "executionId": "exec_01957c6a8e0070008000000000000025",
                     *       "status": "completed",
                     *       "output": {
                     *         "size": "small",
                     *         "amount": 5,
                     *         "note": "none"
                     *       },
                     *       "metadata": {
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "completedAt": "2026-01-02T09:00:00.120Z",
                     *         "duration": 105
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    followJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that was received; the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The id of the job, or of its execution.
                 * @example job_01957c6a8e0070008000000000000025
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event for each state of the job; the event `done` is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "taskId": "job_01957c6a8e0070008000000000000025",
                     *       "jobId": "job_01957c6a8e0070008000000000000025",
                     *       "executionId": "exec_01957c6a8e0070008000000000000025",
                     *       "status": "completed",
                     *       "output": {
                     *         "size": "small",
                     *         "amount": 5,
                     *         "note": "none"
                     *       },
                     *       "metadata": {
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "completedAt": "2026-01-02T09:00:00.120Z",
                     *         "duration": 105
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["JobView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExecution: {
        parameters: {
            query?: {
                /** @description Blocks of one page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Adds the blocks of the page as `logs` and as `traceSpans`, and `totalDuration`. */
                includeTraceSpans?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000024
                 */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution with its inputs, its output and one page of its block log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "executionId": "exec_01957c6a8e0070008000000000000024",
                     *       "jobId": "job_01957c6a8e0070008000000000000024",
                     *       "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *       "workflowName": "Size of an order",
                     *       "version": 1,
                     *       "status": "completed",
                     *       "mode": "sync",
                     *       "trigger": "api",
                     *       "actor": {
                     *         "kind": "key",
                     *         "id": "key_01957c6a8e0070008000000000000004"
                     *       },
                     *       "inputs": {
                     *         "amount": 5,
                     *         "note": "none"
                     *       },
                     *       "output": {
                     *         "size": "small",
                     *         "amount": 5,
                     *         "note": "none"
                     *       },
                     *       "failure": null,
                     *       "paused": null,
                     *       "temporalUrl": null,
                     *       "error": null,
                     *       "cancelRequested": false,
                     *       "blocks": [
                     *         {
                     *           "path": "check",
                     *           "blockId": "check",
                     *           "name": "check",
                     *           "type": "condition",
                     *           "status": "completed",
                     *           "attempts": 1,
                     *           "port": "else",
                     *           "failure": null,
                     *           "startedAt": "2026-01-02T09:00:00.015Z",
                     *           "endedAt": "2026-01-02T09:00:00.120Z",
                     *           "duration": 105,
                     *           "output": {
                     *             "port": "else"
                     *           },
                     *           "logs": null,
                     *           "cost": null
                     *         },
                     *         {
                     *           "path": "large",
                     *           "blockId": "large",
                     *           "name": "large",
                     *           "type": "response",
                     *           "status": "skipped",
                     *           "attempts": 0,
                     *           "port": null,
                     *           "failure": null,
                     *           "startedAt": "2026-01-02T09:00:00.015Z",
                     *           "endedAt": "2026-01-02T09:00:00.120Z",
                     *           "duration": 105,
                     *           "output": null,
                     *           "logs": null,
                     *           "cost": null
                     *         },
                     *         {
                     *           "path": "small",
                     *           "blockId": "small",
                     *           "name": "small",
                     *           "type": "response",
                     *           "status": "completed",
                     *           "attempts": 1,
                     *           "port": null,
                     *           "failure": null,
                     *           "startedAt": "2026-01-02T09:00:00.015Z",
                     *           "endedAt": "2026-01-02T09:00:00.120Z",
                     *           "duration": 105,
                     *           "output": {
                     *             "data": {
                     *               "size": "small",
                     *               "amount": 5,
                     *               "note": "none"
                     *             },
                     *             "status": 200,
                     *             "headers": {}
                     *           },
                     *           "logs": null,
                     *           "cost": null
                     *         }
                     *       ],
                     *       "nextCursor": null,
                     *       "metadata": {
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "completedAt": "2026-01-02T09:00:00.120Z",
                     *         "duration": 105
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExecutionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `$payload` of a reference in the block log. */
                valueId: string;
                /** @description The id of the execution, or of a resume of it. */
                executionId: string;
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The value that `$payload` names where a block log shows a reference. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredValueView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000034
                 */
                workflowId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000041
                 */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution was asked to end. Its status shows when it has ended. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "executionId": "exec_01957c6a8e0070008000000000000041",
                     *       "status": "paused",
                     *       "message": "The execution was asked to end."
                     *     }
                     */
                    "application/json": components["schemas"]["CancelView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                /** @description The maximum number of visits on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000024
                 */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The graph with the state of each block, and one page of the visits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "executionId": "exec_01957c6a8e0070008000000000000024",
                     *         "parentExecutionId": null,
                     *         "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *         "workflowName": "Size of an order",
                     *         "version": 1,
                     *         "status": "completed",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "completedAt": "2026-01-02T09:00:00.120Z",
                     *         "failure": null,
                     *         "graph": {
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "name": "check",
                     *               "type": "condition",
                     *               "container": null,
                     *               "status": "completed",
                     *               "visits": 1,
                     *               "states": {
                     *                 "completed": 1
                     *               },
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z"
                     *             },
                     *             {
                     *               "id": "large",
                     *               "name": "large",
                     *               "type": "response",
                     *               "container": null,
                     *               "status": "skipped",
                     *               "visits": 1,
                     *               "states": {
                     *                 "skipped": 1
                     *               },
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z"
                     *             },
                     *             {
                     *               "id": "small",
                     *               "name": "small",
                     *               "type": "response",
                     *               "container": null,
                     *               "status": "completed",
                     *               "visits": 1,
                     *               "states": {
                     *                 "completed": 1
                     *               },
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z"
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check",
                     *               "port": "out",
                     *               "taken": true
                     *             },
                     *             {
                     *               "from": "check",
                     *               "to": "large",
                     *               "port": "large",
                     *               "taken": false
                     *             },
                     *             {
                     *               "from": "check",
                     *               "to": "small",
                     *               "port": "else",
                     *               "taken": true
                     *             }
                     *           ]
                     *         },
                     *         "countsAll": true,
                     *         "visits": [
                     *           {
                     *             "path": "check",
                     *             "blockId": "check",
                     *             "name": "check",
                     *             "type": "condition",
                     *             "status": "completed",
                     *             "attempts": 1,
                     *             "port": "else",
                     *             "failure": null,
                     *             "startedAt": "2026-01-02T09:00:00.015Z",
                     *             "endedAt": "2026-01-02T09:00:00.120Z",
                     *             "duration": 105
                     *           },
                     *           {
                     *             "path": "large",
                     *             "blockId": "large",
                     *             "name": "large",
                     *             "type": "response",
                     *             "status": "skipped",
                     *             "attempts": 0,
                     *             "port": null,
                     *             "failure": null,
                     *             "startedAt": "2026-01-02T09:00:00.015Z",
                     *             "endedAt": "2026-01-02T09:00:00.120Z",
                     *             "duration": 105
                     *           },
                     *           {
                     *             "path": "small",
                     *             "blockId": "small",
                     *             "name": "small",
                     *             "type": "response",
                     *             "status": "completed",
                     *             "attempts": 1,
                     *             "port": null,
                     *             "failure": null,
                     *             "startedAt": "2026-01-02T09:00:00.015Z",
                     *             "endedAt": "2026-01-02T09:00:00.120Z",
                     *             "duration": 105
                     *           }
                     *         ],
                     *         "pausePoints": [],
                     *         "temporalUrl": null,
                     *         "pageUrl": "https://holdfast.example/timeline/exec_01957c6a8e0070008000000000000024?token=1767258000.c2lnbmF0dXJlIG9mIHRoaXMgbGluaw&as=key_01957c6a8e0070008000000000000004"
                     *       },
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The graph with the state of each block, and one page of the visits. */
                        data: components["schemas"]["TimelineView"];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deployWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the workflow as it was read. When it has changed since, the call is refused with 412 and changes nothing. */
                "If-Match"?: string;
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "First",
                 *       "description": "As it was agreed."
                 *     }
                 */
                "application/json": components["schemas"]["DeployBody"];
            };
        };
        responses: {
            /** @description The draft is live as a new version; new executions run it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "isDeployed": true,
                     *         "version": 1,
                     *         "warnings": [],
                     *         "deployedAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The draft is live as a new version; new executions run it. */
                        data: components["schemas"]["DeploymentView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    undeployWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No version is live; running executions go on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "isDeployed": false,
                     *         "version": null,
                     *         "warnings": [],
                     *         "deployedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description No version is live; running executions go on. */
                        data: components["schemas"]["DeploymentView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewDeploy: {
        parameters: {
            query?: {
                /** @description The change to preview. Left out: `deploy`. */
                action?: "deploy" | "rollback" | "undeploy";
                /** @description For a rollback: the number of the version. */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview of the change. Nothing was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "faults": [],
                     *         "warnings": [],
                     *         "waiting": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The preview of the change. Nothing was changed. */
                        data: components["schemas"]["PreviewView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    rollbackWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["RollbackBody"];
            };
        };
        responses: {
            /** @description The earlier version is live again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "isDeployed": true,
                     *         "version": 1,
                     *         "warnings": [],
                     *         "deployedAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The earlier version is live again. */
                        data: components["schemas"]["DeploymentView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "wf_01957c6a8e0070008000000000000020",
                     *           "version": 2,
                     *           "name": "Second",
                     *           "description": "",
                     *           "isActive": true,
                     *           "warnings": [],
                     *           "createdBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         {
                     *           "id": "wf_01957c6a8e0070008000000000000020",
                     *           "version": 1,
                     *           "name": "First",
                     *           "description": "As it was agreed.",
                     *           "isActive": false,
                     *           "warnings": [],
                     *           "createdBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of versions, the newest first. */
                        data: components["schemas"]["VersionSummaryView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
                /**
                 * @description The number of the version.
                 * @example 1
                 */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version with its definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "version": 1,
                     *         "name": "First",
                     *         "description": "As it was agreed.",
                     *         "isActive": false,
                     *         "warnings": [],
                     *         "createdBy": "key_01957c6a8e0070008000000000000004",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The version with its definition. */
                        data: components["schemas"]["VersionView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description Only workflows that are deployed. */
                deployedOnly?: boolean;
                /** @description `deployed`: only deployed workflows. `draft`: only workflows that are not deployed. */
                state?: "deployed" | "draft";
                /** @description A part of the name, in upper or lower case. */
                name?: string;
                /** @description The path of a folder. Its subfolders are included. */
                folder?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of workflows, the oldest first, and the number of all that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "wf_01957c6a8e0070008000000000000020",
                     *           "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *           "name": "Size of an order",
                     *           "description": "Orders over 1,000 go another way.",
                     *           "folder": "",
                     *           "isDeployed": true,
                     *           "deployedAt": "2026-01-02T09:00:01.000Z",
                     *           "version": 1,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z",
                     *           "lastExecution": null,
                     *           "recentExecutions": []
                     *         }
                     *       ],
                     *       "totalCount": 2,
                     *       "nextCursor": "eyJhdCI6IjIwMjYtMDEtMDIiLCJpZCI6IndmXzEifQ.bWFj"
                     *     }
                     */
                    "application/json": {
                        /** @description One page of workflows, the oldest first, and the number of all that match. */
                        data: components["schemas"]["ListedWorkflowView"][];
                        /** @description The total number of items on all pages. */
                        totalCount: number;
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Size of an order",
                 *       "description": "Large orders go another way.",
                 *       "definition": {
                 *         "start": {
                 *           "inputs": {
                 *             "amount": {
                 *               "type": "number",
                 *               "required": true
                 *             },
                 *             "note": {
                 *               "type": "string",
                 *               "default": "none"
                 *             }
                 *           }
                 *         },
                 *         "blocks": [
                 *           {
                 *             "id": "check",
                 *             "type": "condition",
                 *             "cases": [
                 *               {
                 *                 "port": "large",
                 *                 "when": "start.amount > 1000"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "id": "large",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "large",
                 *                 "amount": "{{ start.amount }}"
                 *               }
                 *             }
                 *           },
                 *           {
                 *             "id": "small",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "small",
                 *                 "amount": "{{ start.amount }}",
                 *                 "note": "{{ start.note }}"
                 *               }
                 *             }
                 *           }
                 *         ],
                 *         "edges": [
                 *           {
                 *             "from": "start",
                 *             "to": "check"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "large",
                 *             "to": "large"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "else",
                 *             "to": "small"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkflowBody"];
            };
        };
        responses: {
            /** @description The workflow was created; it runs once it is deployed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Size of an order",
                     *         "description": "Large orders go another way.",
                     *         "folder": "",
                     *         "isDeployed": false,
                     *         "deployedAt": null,
                     *         "version": null,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workflow was created; it runs once it is deployed. */
                        data: components["schemas"]["WorkflowView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of folders, in the order of their paths. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "path": "",
                     *           "workflowCount": 4,
                     *           "deployedCount": 2
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of folders, in the order of their paths. */
                        data: components["schemas"]["FolderView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    validateDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "definition": {
                 *         "start": {
                 *           "inputs": {
                 *             "amount": {
                 *               "type": "number",
                 *               "required": true
                 *             },
                 *             "note": {
                 *               "type": "string",
                 *               "default": "none"
                 *             }
                 *           }
                 *         },
                 *         "blocks": [
                 *           {
                 *             "id": "check",
                 *             "type": "condition",
                 *             "cases": [
                 *               {
                 *                 "port": "large",
                 *                 "when": "start.amount > 1000"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "id": "large",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "large",
                 *                 "amount": "{{ start.amount }}"
                 *               }
                 *             }
                 *           },
                 *           {
                 *             "id": "small",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "small",
                 *                 "amount": "{{ start.amount }}",
                 *                 "note": "{{ start.note }}"
                 *               }
                 *             }
                 *           }
                 *         ],
                 *         "edges": [
                 *           {
                 *             "from": "start",
                 *             "to": "check"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "large",
                 *             "to": "large"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "else",
                 *             "to": "small"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ValidateBody"];
            };
        };
        responses: {
            /** @description The result of the check. `valid` is true when the definition can be deployed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "valid": true,
                     *         "faults": [],
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The result of the check. `valid` is true when the definition can be deployed. */
                        data: components["schemas"]["ValidationView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    importWorkflow: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The product that made the file. Left out: Holdfast. */
                from?: "n8n" | "sim";
                /** @description With `from`: a dry run, which gives the full answer and stores nothing. */
                dryRun?: boolean;
                /** @description The name of the workflow. It replaces the name in the file. */
                workflowName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": "1",
                 *       "name": "Size of an order, copied",
                 *       "description": "Orders over 1,000 go another way.",
                 *       "folder": "",
                 *       "definition": {
                 *         "start": {
                 *           "inputs": {
                 *             "amount": {
                 *               "type": "number",
                 *               "required": true
                 *             },
                 *             "note": {
                 *               "type": "string",
                 *               "default": "none"
                 *             }
                 *           }
                 *         },
                 *         "blocks": [
                 *           {
                 *             "id": "check",
                 *             "type": "condition",
                 *             "cases": [
                 *               {
                 *                 "port": "large",
                 *                 "when": "start.amount > 1000"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "id": "large",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "large",
                 *                 "amount": "{{ start.amount }}"
                 *               }
                 *             }
                 *           },
                 *           {
                 *             "id": "small",
                 *             "type": "response",
                 *             "params": {
                 *               "data": {
                 *                 "size": "small",
                 *                 "amount": "{{ start.amount }}",
                 *                 "note": "{{ start.note }}"
                 *               }
                 *             }
                 *           }
                 *         ],
                 *         "edges": [
                 *           {
                 *             "from": "start",
                 *             "to": "check"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "large",
                 *             "to": "large"
                 *           },
                 *           {
                 *             "from": "check",
                 *             "port": "else",
                 *             "to": "small"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ImportBody"];
            };
        };
        responses: {
            /** @description The workflow that was created from the export. With `from` the answer also has the definition and the report. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000023",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Size of an order, copied",
                     *         "description": "Orders over 1,000 go another way.",
                     *         "folder": "",
                     *         "isDeployed": false,
                     *         "deployedAt": null,
                     *         "version": null,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workflow that was created from the export. With `from` the answer also has the definition and the report. */
                        data: components["schemas"]["WorkflowView"] | components["schemas"]["ForeignImportView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow with its draft definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Size of an order",
                     *         "description": "Large orders go another way.",
                     *         "folder": "",
                     *         "isDeployed": true,
                     *         "deployedAt": "2026-01-02T09:00:01.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workflow with its draft definition. */
                        data: components["schemas"]["WorkflowView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000058
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow and its versions were deleted; its executions stay in the logs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000058",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workflow and its versions were deleted; its executions stay in the logs. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the workflow as it was read. When it has changed since, the call is refused with 412 and changes nothing. */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Orders over 1,000 go another way."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorkflowBody"];
            };
        };
        responses: {
            /** @description The workflow as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wf_01957c6a8e0070008000000000000020",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Size of an order",
                     *         "description": "Orders over 1,000 go another way.",
                     *         "folder": "",
                     *         "isDeployed": true,
                     *         "deployedAt": "2026-01-02T09:00:01.000Z",
                     *         "version": 1,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workflow as it is after the change. */
                        data: components["schemas"]["WorkflowView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft, as a body for import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": "1",
                     *         "name": "Size of an order",
                     *         "description": "Orders over 1,000 go another way.",
                     *         "folder": "",
                     *         "definition": {
                     *           "start": {
                     *             "inputs": {
                     *               "amount": {
                     *                 "type": "number",
                     *                 "required": true
                     *               },
                     *               "note": {
                     *                 "type": "string",
                     *                 "default": "none"
                     *               }
                     *             }
                     *           },
                     *           "blocks": [
                     *             {
                     *               "id": "check",
                     *               "type": "condition",
                     *               "cases": [
                     *                 {
                     *                   "port": "large",
                     *                   "when": "start.amount > 1000"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "large",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "large",
                     *                   "amount": "{{ start.amount }}"
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "id": "small",
                     *               "type": "response",
                     *               "params": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": "{{ start.amount }}",
                     *                   "note": "{{ start.note }}"
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "edges": [
                     *             {
                     *               "from": "start",
                     *               "to": "check"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "large",
                     *               "to": "large"
                     *             },
                     *             {
                     *               "from": "check",
                     *               "port": "else",
                     *               "to": "small"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The draft, as a body for import. */
                        data: components["schemas"]["ExportView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000020
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment status: live or not, and changed since or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isDeployed": true,
                     *       "deployedAt": "2026-01-02T09:00:01.000Z",
                     *       "needsRedeployment": false
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowStatusView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDefinitionSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The JSON Schema that every definition must satisfy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    listPausedExecutions: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description A comma list of paused, partially_resumed, fully_resumed, expired, cancelled. */
                status?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000028
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of executions that wait or waited for a person, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pausedExecutions": [
                     *         {
                     *           "id": "pause_01957c6a8e0070008000000000000029",
                     *           "workflowId": "wf_01957c6a8e0070008000000000000028",
                     *           "executionId": "exec_01957c6a8e0070008000000000000030",
                     *           "status": "paused",
                     *           "totalPauseCount": 1,
                     *           "resumedCount": 0,
                     *           "metadata": null,
                     *           "pausedAt": "2026-01-02T09:00:00.040Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": null,
                     *           "triggerIds": [
                     *             "approve"
                     *           ],
                     *           "pausePoints": [
                     *             {
                     *               "contextId": "ctx_01957c6a8e00700080000000000000310000000000000000",
                     *               "blockId": "approve",
                     *               "resumeStatus": "paused",
                     *               "registeredAt": "2026-01-02T09:00:00.040Z",
                     *               "snapshotReady": true,
                     *               "resumeLinks": {
                     *                 "apiUrl": "https://holdfast.example/api/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000",
                     *                 "uiUrl": "https://holdfast.example/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000?token=1767258000.c2lnbmF0dXJlIG9mIHRoaXMgbGluaw&by=key_01957c6a8e0070008000000000000004",
                     *                 "contextId": "ctx_01957c6a8e00700080000000000000310000000000000000",
                     *                 "executionId": "exec_01957c6a8e0070008000000000000030",
                     *                 "workflowId": "wf_01957c6a8e0070008000000000000028"
                     *               },
                     *               "response": {
                     *                 "displayData": {
                     *                   "title": "Approve 12?",
                     *                   "message": "Please decide.",
                     *                   "fields": [
                     *                     {
                     *                       "label": "Amount",
                     *                       "value": 12
                     *                     }
                     *                   ]
                     *                 },
                     *                 "formFields": [
                     *                   {
                     *                     "name": "approved",
                     *                     "type": "boolean",
                     *                     "label": "Approved",
                     *                     "required": true
                     *                   },
                     *                   {
                     *                     "name": "note",
                     *                     "type": "text",
                     *                     "label": "Note",
                     *                     "required": false,
                     *                     "max": 20
                     *                   }
                     *                 ]
                     *               },
                     *               "expiresAt": null,
                     *               "approvals": {
                     *                 "required": 1,
                     *                 "veto": true,
                     *                 "allowStarter": false,
                     *                 "assignees": [
                     *                   "ann@example.org"
                     *                 ],
                     *                 "roles": [],
                     *                 "decision": "approved"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The paused executions of the page, the newest first. */
                        pausedExecutions: components["schemas"]["PausedExecutionView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPausedExecution: {
        parameters: {
            query?: {
                /** @description The maximum number of pauses on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000035
                 */
                executionId: string;
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000034
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused execution with its state, one page of its pauses, and their answers so far. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pause_01957c6a8e0070008000000000000039",
                     *       "workflowId": "wf_01957c6a8e0070008000000000000034",
                     *       "executionId": "exec_01957c6a8e0070008000000000000035",
                     *       "status": "fully_resumed",
                     *       "totalPauseCount": 1,
                     *       "resumedCount": 1,
                     *       "metadata": null,
                     *       "pausedAt": "2026-01-02T09:00:00.040Z",
                     *       "updatedAt": "2026-01-02T09:00:00.000Z",
                     *       "expiresAt": null,
                     *       "triggerIds": [
                     *         "approve"
                     *       ],
                     *       "pausePoints": [
                     *         {
                     *           "contextId": "ctx_01957c6a8e00700080000000000000360000000000000000",
                     *           "blockId": "approve",
                     *           "resumeStatus": "resumed",
                     *           "registeredAt": "2026-01-02T09:00:00.040Z",
                     *           "snapshotReady": true,
                     *           "resumeLinks": {
                     *             "apiUrl": "https://holdfast.example/api/resume/wf_01957c6a8e0070008000000000000034/exec_01957c6a8e0070008000000000000035/ctx_01957c6a8e00700080000000000000360000000000000000",
                     *             "uiUrl": "https://holdfast.example/resume/wf_01957c6a8e0070008000000000000034/exec_01957c6a8e0070008000000000000035/ctx_01957c6a8e00700080000000000000360000000000000000?token=1767258000.c2lnbmF0dXJlIG9mIHRoaXMgbGluaw&by=key_01957c6a8e0070008000000000000004",
                     *             "contextId": "ctx_01957c6a8e00700080000000000000360000000000000000",
                     *             "executionId": "exec_01957c6a8e0070008000000000000035",
                     *             "workflowId": "wf_01957c6a8e0070008000000000000034"
                     *           },
                     *           "response": {
                     *             "displayData": {
                     *               "title": "Approve 12?",
                     *               "message": "Please decide.",
                     *               "fields": [
                     *                 {
                     *                   "label": "Amount",
                     *                   "value": 12
                     *                 }
                     *               ]
                     *             },
                     *             "formFields": [
                     *               {
                     *                 "name": "approved",
                     *                 "type": "boolean",
                     *                 "label": "Approved",
                     *                 "required": true
                     *               },
                     *               {
                     *                 "name": "note",
                     *                 "type": "text",
                     *                 "label": "Note",
                     *                 "required": false,
                     *                 "max": 20
                     *               }
                     *             ]
                     *           },
                     *           "expiresAt": null,
                     *           "queuePosition": null,
                     *           "latestResumeEntry": {
                     *             "id": "res_01957c6a8e0070008000000000000040",
                     *             "pausedExecutionId": "pause_01957c6a8e0070008000000000000039",
                     *             "newExecutionId": "exec_01957c6a8e0070008000000000000037",
                     *             "contextId": "ctx_01957c6a8e00700080000000000000360000000000000000",
                     *             "resumeInput": {
                     *               "approved": true,
                     *               "note": "Agreed."
                     *             },
                     *             "status": "completed",
                     *             "failureReason": null,
                     *             "actor": {
                     *               "kind": "key",
                     *               "id": "key_01957c6a8e0070008000000000000004"
                     *             },
                     *             "parentExecutionId": "exec_01957c6a8e0070008000000000000035",
                     *             "queuedAt": "2026-01-02T09:00:01.000Z",
                     *             "claimedAt": "2026-01-02T09:00:01.000Z",
                     *             "completedAt": "2026-01-02T09:00:00.120Z"
                     *           }
                     *         }
                     *       ],
                     *       "executionSnapshot": {
                     *         "snapshot": "{\"workflowId\":\"wf_01957c6a8e0070008000000000000034\",\"version\":1,\"planHash\":\"b3bf3ea879a4ff53a75acf4d283e2ace7e121f019e033f02098c87dcbc36ef06\",\"blocks\":[{\"path\":\"approve\",\"blockId\":\"approve\",\"type\":\"human\",\"status\":\"completed\",\"attempts\":1},{\"path\":\"done\",\"blockId\":\"done\",\"type\":\"response\",\"status\":\"completed\",\"attempts\":1}],\"variables\":{}}",
                     *         "triggerIds": [
                     *           "approve"
                     *         ]
                     *       },
                     *       "queue": [
                     *         {
                     *           "id": "res_01957c6a8e0070008000000000000040",
                     *           "pausedExecutionId": "pause_01957c6a8e0070008000000000000039",
                     *           "newExecutionId": "exec_01957c6a8e0070008000000000000037",
                     *           "contextId": "ctx_01957c6a8e00700080000000000000360000000000000000",
                     *           "resumeInput": {
                     *             "approved": true,
                     *             "note": "Agreed."
                     *           },
                     *           "status": "completed",
                     *           "failureReason": null,
                     *           "actor": {
                     *             "kind": "key",
                     *             "id": "key_01957c6a8e0070008000000000000004"
                     *           },
                     *           "parentExecutionId": "exec_01957c6a8e0070008000000000000035",
                     *           "queuedAt": "2026-01-02T09:00:01.000Z",
                     *           "claimedAt": "2026-01-02T09:00:01.000Z",
                     *           "completedAt": "2026-01-02T09:00:00.120Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PausedDetailView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadAnswerFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the pause, from `pausePoints`.
                 * @example ctx_01957c6a8e00700080000000000000420000000000000000
                 */
                contextId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000041
                 */
                executionId: string;
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000034
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description One file or more, in fields of any name.
                     */
                    file?: string;
                };
            };
        };
        responses: {
            /** @description The files are kept with the execution; send each as the answer to a file field. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "files": [
                     *           {
                     *             "id": "file_01957c6a8e0070008000000000000043",
                     *             "name": "scan.txt",
                     *             "size": 17,
                     *             "type": "text/plain",
                     *             "url": "https://holdfast.example/api/workflows/wf_01957c6a8e0070008000000000000034/executions/exec_01957c6a8e0070008000000000000041/files/file_01957c6a8e0070008000000000000043"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The files are kept with the execution; send each as the answer to a file field. */
                        data: {
                            /** @description The files, in the order in which they were sent. */
                            files: components["schemas"]["AnswerFileView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadAnswerFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000034
                 */
                workflowId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000041
                 */
                executionId: string;
                /**
                 * @description The id of the file.
                 * @example file_01957c6a8e0070008000000000000043
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it was uploaded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The signed paper. */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description True: only pauses that ask the caller. */
                mine?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of open pauses: first the pauses that ask you, then the oldest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "contextId": "ctx_01957c6a8e00700080000000000000310000000000000000",
                     *           "blockId": "approve",
                     *           "resumeStatus": "paused",
                     *           "registeredAt": "2026-01-02T09:00:00.040Z",
                     *           "snapshotReady": true,
                     *           "resumeLinks": {
                     *             "apiUrl": "https://holdfast.example/api/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000",
                     *             "uiUrl": "https://holdfast.example/resume/wf_01957c6a8e0070008000000000000028/exec_01957c6a8e0070008000000000000030/ctx_01957c6a8e00700080000000000000310000000000000000?token=1767258000.c2lnbmF0dXJlIG9mIHRoaXMgbGluaw&as=usr_01957c6a8e0070008000000000000032&by=key_01957c6a8e0070008000000000000033",
                     *             "contextId": "ctx_01957c6a8e00700080000000000000310000000000000000",
                     *             "executionId": "exec_01957c6a8e0070008000000000000030",
                     *             "workflowId": "wf_01957c6a8e0070008000000000000028"
                     *           },
                     *           "response": {
                     *             "displayData": {
                     *               "title": "Approve 12?",
                     *               "message": "Please decide.",
                     *               "fields": [
                     *                 {
                     *                   "label": "Amount",
                     *                   "value": 12
                     *                 }
                     *               ]
                     *             },
                     *             "formFields": [
                     *               {
                     *                 "name": "approved",
                     *                 "type": "boolean",
                     *                 "label": "Approved",
                     *                 "required": true
                     *               },
                     *               {
                     *                 "name": "note",
                     *                 "type": "text",
                     *                 "label": "Note",
                     *                 "required": false,
                     *                 "max": 20
                     *               }
                     *             ]
                     *           },
                     *           "expiresAt": null,
                     *           "approvals": {
                     *             "required": 1,
                     *             "veto": true,
                     *             "allowStarter": false,
                     *             "assignees": [
                     *               "ann@example.org"
                     *             ],
                     *             "roles": [],
                     *             "decision": "approved"
                     *           },
                     *           "workflowId": "wf_01957c6a8e0070008000000000000028",
                     *           "workflowName": "Ask Ann",
                     *           "executionId": "exec_01957c6a8e0070008000000000000030",
                     *           "mine": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of open pauses: first the pauses that ask you, then the oldest. */
                        data: components["schemas"]["InboxItemView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKnowledgeBases: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every knowledge base, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "knowledgeBases": [
                     *           {
                     *             "id": "kb_01957c6a8e0070008000000000000052",
                     *             "name": "manuals",
                     *             "description": "How our machines are used.",
                     *             "docCount": 0,
                     *             "tokenCount": 0,
                     *             "embeddingModel": "hash-384",
                     *             "embeddingDimension": 384,
                     *             "chunkingConfig": {
                     *               "maxSize": 200,
                     *               "minSize": 1,
                     *               "overlap": 0
                     *             },
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z"
                     *           }
                     *         ],
                     *         "totalCount": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description Every knowledge base, the oldest first. */
                        data: {
                            /** @description Every knowledge base of the workspace. */
                            knowledgeBases: components["schemas"]["KnowledgeBaseView"][];
                            /** @description The total number of items on all pages. */
                            totalCount: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspaceId": "ws_01957c6a8e0070008000000000000002",
                 *       "name": "manuals",
                 *       "description": "How our machines are used.",
                 *       "chunkingConfig": {
                 *         "maxSize": 200,
                 *         "minSize": 1,
                 *         "overlap": 0
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateKnowledgeBody"];
            };
        };
        responses: {
            /** @description The knowledge base was created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "knowledgeBase": {
                     *           "id": "kb_01957c6a8e0070008000000000000052",
                     *           "name": "manuals",
                     *           "description": "How our machines are used.",
                     *           "docCount": 0,
                     *           "tokenCount": 0,
                     *           "embeddingModel": "hash-384",
                     *           "embeddingDimension": 384,
                     *           "chunkingConfig": {
                     *             "maxSize": 200,
                     *             "minSize": 1,
                     *             "overlap": 0
                     *           },
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "Knowledge base created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The knowledge base was created. */
                        data: {
                            /** @description The knowledge base that the call is about. */
                            knowledgeBase: components["schemas"]["KnowledgeBaseView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKnowledgeBase: {
        parameters: {
            query: {
                /** @description The id of the workspace. */
                workspaceId: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The knowledge base as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "knowledgeBase": {
                     *           "id": "kb_01957c6a8e0070008000000000000052",
                     *           "name": "manuals",
                     *           "description": "How our machines are used.",
                     *           "docCount": 0,
                     *           "tokenCount": 0,
                     *           "embeddingModel": "hash-384",
                     *           "embeddingDimension": 384,
                     *           "chunkingConfig": {
                     *             "maxSize": 200,
                     *             "minSize": 1,
                     *             "overlap": 0
                     *           },
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The knowledge base as it is now. */
                        data: {
                            /** @description The knowledge base that the call is about. */
                            knowledgeBase: components["schemas"]["KnowledgeBaseView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "How our machines are used and mended."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateKnowledgeBody"];
            };
        };
        responses: {
            /** @description The knowledge base as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "knowledgeBase": {
                     *           "id": "kb_01957c6a8e0070008000000000000052",
                     *           "name": "manuals",
                     *           "description": "How our machines are used and mended.",
                     *           "docCount": 0,
                     *           "tokenCount": 0,
                     *           "embeddingModel": "hash-384",
                     *           "embeddingDimension": 384,
                     *           "chunkingConfig": {
                     *             "maxSize": 200,
                     *             "minSize": 1,
                     *             "overlap": 0
                     *           },
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "Knowledge base updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The knowledge base as it is after the change. */
                        data: {
                            /** @description The knowledge base that the call is about. */
                            knowledgeBase: components["schemas"]["KnowledgeBaseView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKnowledgeBase: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The knowledge base was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "Knowledge base deleted"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The knowledge base was deleted. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every tag, in the order of their definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "tags": [
                     *           {
                     *             "id": "tag_01957c6a8e0070008000000000000053",
                     *             "name": "machine",
                     *             "type": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description Every tag, in the order of their definition. */
                        data: {
                            /** @description Every tag, in the order of their definition. */
                            tags: components["schemas"]["TagView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    defineTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tags": [
                 *         {
                 *           "name": "machine",
                 *           "type": "text"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DefineTagsBody"];
            };
        };
        responses: {
            /** @description Every tag as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "tags": [
                     *           {
                     *             "id": "tag_01957c6a8e0070008000000000000053",
                     *             "name": "machine",
                     *             "type": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description Every tag as it is after the change. */
                        data: {
                            /** @description Every tag, in the order of their definition. */
                            tags: components["schemas"]["TagView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchKnowledge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "knowledgeBaseIds": [
                 *         "kb_01957c6a8e0070008000000000000052"
                 *       ],
                 *       "query": "How is the pump started?",
                 *       "topK": 3,
                 *       "tagFilters": [
                 *         {
                 *           "tagName": "machine",
                 *           "operator": "starts_with",
                 *           "value": "p-"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SearchKnowledgeBody"];
            };
        };
        responses: {
            /** @description The best chunks of enabled documents, the most similar first, up to topK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "documentId": "doc_01957c6a8e0070008000000000000054",
                     *             "documentName": "pumps and fans.md",
                     *             "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *             "content": "# Pumps\n\nThe pump P-100 is started by the green button.",
                     *             "chunkIndex": 0,
                     *             "similarity": 0.8499392758387732,
                     *             "metadata": {
                     *               "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *               "chunkId": "chk_01957c6a8e00700080000000000000550000000000000000",
                     *               "start": 0,
                     *               "end": 55,
                     *               "headings": [
                     *                 "Pumps"
                     *               ],
                     *               "tokenCount": 14,
                     *               "tags": {
                     *                 "machine": "P-100"
                     *               },
                     *               "cosine": 0.4682929302239427
                     *             }
                     *           }
                     *         ],
                     *         "query": "How is the pump started?",
                     *         "knowledgeBaseIds": [
                     *           "kb_01957c6a8e0070008000000000000052"
                     *         ],
                     *         "topK": 3,
                     *         "totalResults": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The best chunks of enabled documents, the most similar first, up to topK. */
                        data: components["schemas"]["SearchView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query: {
                /** @description The id of the workspace. */
                workspaceId: string;
                /** @description The maximum number of documents on a page. */
                limit?: number;
                /** @description The number of documents to skip. */
                offset?: number;
                /** @description A part of the filename, in upper or lower case. */
                search?: string;
                /** @description The documents to list. */
                enabledFilter?: "all" | "enabled" | "disabled";
                /** @description The sort key. */
                sortBy?: "filename" | "fileSize" | "tokenCount" | "chunkCount" | "uploadedAt" | "processingStatus" | "enabled";
                /** @description The sort direction. */
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents, and their total number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "documents": [
                     *           {
                     *             "id": "doc_01957c6a8e0070008000000000000054",
                     *             "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *             "filename": "machines.md",
                     *             "fileSize": 89,
                     *             "mimeType": "text/markdown",
                     *             "processingStatus": "completed",
                     *             "processingError": null,
                     *             "processingErrorCode": null,
                     *             "progress": {
                     *               "chunksDone": 2,
                     *               "chunksTotal": 2
                     *             },
                     *             "chunkCount": 2,
                     *             "tokenCount": 22,
                     *             "characterCount": 89,
                     *             "confidence": 1,
                     *             "warnings": [],
                     *             "enabled": true,
                     *             "tags": {
                     *               "machine": "P-100"
                     *             },
                     *             "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *             "processingStartedAt": "2026-01-02T09:00:01.000Z",
                     *             "processingCompletedAt": "2026-01-02T09:00:01.000Z",
                     *             "createdAt": "2026-01-02T09:00:00.000Z"
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "total": 1,
                     *           "limit": 50,
                     *           "offset": 0,
                     *           "hasMore": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description A page of documents, and their total number. */
                        data: {
                            /** @description The documents that the call is about, in order. */
                            documents: components["schemas"]["DocumentView"][];
                            /** @description The position of the page in the list. */
                            pagination: components["schemas"]["OffsetPageView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    addDocuments: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description Seconds to wait until the document has been processed. */
                wait?: number;
            };
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
            };
            cookie?: never;
        };
        /** @description JSON with `text` and `filename`, or with `url`. Or files as multipart/form-data, with `tags` as JSON for all files. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "# Pumps\n\nThe pump P-100 is started by the green button.\n\n# Fans\n\nThe fan stops by itself.",
                 *       "filename": "machines.md",
                 *       "tags": {
                 *         "machine": "P-100"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The id of the workspace. It may be left out when the key reaches only one. */
                    workspaceId?: string;
                    /** @description The text of the document. */
                    text?: string;
                    /** @description The URL from which a worker fetches the document. */
                    url?: string;
                    /** @description The name of the document. For a URL it may be left out: the last part of the path is the name. */
                    filename?: string;
                    /** @description Values by tag name. The knowledge base defines the tags. */
                    tags?: unknown;
                    /**
                     * Format: binary
                     * @description One to twenty files, each of 100 MB at most, in fields of any name.
                     */
                    file?: string;
                };
                /**
                 * @example {
                 *       "text": "# Pumps\n\nThe pump P-100 is started by the green button.\n\n# Fans\n\nThe fan stops by itself.",
                 *       "filename": "machines.md",
                 *       "tags": {
                 *         "machine": "P-100"
                 *       }
                 *     }
                 */
                "multipart/form-data": {
                    /** @description The id of the workspace. It may be left out when the key reaches only one. */
                    workspaceId?: string;
                    /** @description The text of the document. */
                    text?: string;
                    /** @description The URL from which a worker fetches the document. */
                    url?: string;
                    /** @description The name of the document. For a URL it may be left out: the last part of the path is the name. */
                    filename?: string;
                    /** @description Values by tag name. The knowledge base defines the tags. */
                    tags?: unknown;
                    /**
                     * Format: binary
                     * @description One to twenty files, each of 100 MB at most, in fields of any name.
                     */
                    file?: string;
                };
            };
        };
        responses: {
            /** @description The documents are stored, and a worker processes them. For content that the base already has, the answer shows the existing document. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "document": {
                     *           "id": "doc_01957c6a8e0070008000000000000054",
                     *           "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *           "filename": "machines.md",
                     *           "fileSize": 89,
                     *           "mimeType": "text/markdown",
                     *           "processingStatus": "completed",
                     *           "processingError": null,
                     *           "processingErrorCode": null,
                     *           "progress": {
                     *             "chunksDone": 2,
                     *             "chunksTotal": 2
                     *           },
                     *           "chunkCount": 2,
                     *           "tokenCount": 22,
                     *           "characterCount": 89,
                     *           "confidence": 1,
                     *           "warnings": [],
                     *           "enabled": true,
                     *           "tags": {
                     *             "machine": "P-100"
                     *           },
                     *           "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *           "processingStartedAt": "2026-01-02T09:00:01.000Z",
                     *           "processingCompletedAt": "2026-01-02T09:00:01.000Z",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "documents": [
                     *           {
                     *             "id": "doc_01957c6a8e0070008000000000000054",
                     *             "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *             "filename": "machines.md",
                     *             "fileSize": 89,
                     *             "mimeType": "text/markdown",
                     *             "processingStatus": "completed",
                     *             "processingError": null,
                     *             "processingErrorCode": null,
                     *             "progress": {
                     *               "chunksDone": 2,
                     *               "chunksTotal": 2
                     *             },
                     *             "chunkCount": 2,
                     *             "tokenCount": 22,
                     *             "characterCount": 89,
                     *             "confidence": 1,
                     *             "warnings": [],
                     *             "enabled": true,
                     *             "tags": {
                     *               "machine": "P-100"
                     *             },
                     *             "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *             "processingStartedAt": "2026-01-02T09:00:01.000Z",
                     *             "processingCompletedAt": "2026-01-02T09:00:01.000Z",
                     *             "createdAt": "2026-01-02T09:00:00.000Z"
                     *           }
                     *         ],
                     *         "duplicates": 0,
                     *         "message": "Document added"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The documents are stored, and a worker processes them. For content that the base already has, the answer shows the existing document. */
                        data: {
                            /** @description The document that the call is about. */
                            document: components["schemas"]["DocumentView"];
                            /** @description The documents that the call is about, in order. */
                            documents: components["schemas"]["DocumentView"][];
                            /** @description The number of documents that the knowledge base already had. The answer shows the existing documents. */
                            duplicates: number;
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description Seconds to wait until the document has been processed. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document as it is now, or when the wait is over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "document": {
                     *           "id": "doc_01957c6a8e0070008000000000000054",
                     *           "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *           "filename": "machines.md",
                     *           "fileSize": 89,
                     *           "mimeType": "text/markdown",
                     *           "processingStatus": "completed",
                     *           "processingError": null,
                     *           "processingErrorCode": null,
                     *           "progress": {
                     *             "chunksDone": 2,
                     *             "chunksTotal": 2
                     *           },
                     *           "chunkCount": 2,
                     *           "tokenCount": 22,
                     *           "characterCount": 89,
                     *           "confidence": 1,
                     *           "warnings": [],
                     *           "enabled": true,
                     *           "tags": {
                     *             "machine": "P-100"
                     *           },
                     *           "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *           "processingStartedAt": "2026-01-02T09:00:01.000Z",
                     *           "processingCompletedAt": "2026-01-02T09:00:01.000Z",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The document as it is now, or when the wait is over. */
                        data: {
                            /** @description The document that the call is about. */
                            document: components["schemas"]["DocumentView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document was deleted. Searches do not find it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "Document deleted"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The document was deleted. Searches do not find it. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "pumps and fans.md"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description The document as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "document": {
                     *           "id": "doc_01957c6a8e0070008000000000000054",
                     *           "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *           "filename": "pumps and fans.md",
                     *           "fileSize": 89,
                     *           "mimeType": "text/markdown",
                     *           "processingStatus": "completed",
                     *           "processingError": null,
                     *           "processingErrorCode": null,
                     *           "progress": {
                     *             "chunksDone": 2,
                     *             "chunksTotal": 2
                     *           },
                     *           "chunkCount": 2,
                     *           "tokenCount": 22,
                     *           "characterCount": 89,
                     *           "confidence": 1,
                     *           "warnings": [],
                     *           "enabled": true,
                     *           "tags": {
                     *             "machine": "P-100"
                     *           },
                     *           "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000054/content",
                     *           "processingStartedAt": "2026-01-02T09:00:01.000Z",
                     *           "processingCompletedAt": "2026-01-02T09:00:01.000Z",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "Document updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The document as it is after the change. */
                        data: {
                            /** @description The document that the call is about. */
                            document: components["schemas"]["DocumentView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDocument: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000057
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document waits for a worker. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "document": {
                     *           "id": "doc_01957c6a8e0070008000000000000057",
                     *           "knowledgeBaseId": "kb_01957c6a8e0070008000000000000052",
                     *           "filename": "empty.html",
                     *           "fileSize": 16,
                     *           "mimeType": "text/html",
                     *           "processingStatus": "pending",
                     *           "processingError": null,
                     *           "processingErrorCode": null,
                     *           "progress": {
                     *             "chunksDone": 0,
                     *             "chunksTotal": null
                     *           },
                     *           "chunkCount": 0,
                     *           "tokenCount": 0,
                     *           "characterCount": 0,
                     *           "confidence": null,
                     *           "warnings": [],
                     *           "enabled": true,
                     *           "tags": {},
                     *           "sourceUrl": "https://holdfast.example/api/v1/knowledge/kb_01957c6a8e0070008000000000000052/documents/doc_01957c6a8e0070008000000000000057/content",
                     *           "processingStartedAt": null,
                     *           "processingCompletedAt": null,
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "The document is processed again"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The document waits for a worker. */
                        data: {
                            /** @description The document that the call is about. */
                            document: components["schemas"]["DocumentView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadDocument: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it was uploaded or fetched. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # Pumps
                     *
                     *     The pump P-100 is started by the green button.
                     *
                     *     # Fans
                     *
                     *     The fan stops by itself.
                     */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChunks: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The maximum number of chunks on a page. */
                limit?: number;
                /** @description The number of chunks to skip. */
                offset?: number;
                /** @description A part of the content, in upper or lower case. */
                search?: string;
                /** @description The chunks to list. */
                enabledFilter?: "all" | "enabled" | "disabled";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of chunks, in the order of the document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "chunks": [
                     *           {
                     *             "id": "chk_01957c6a8e00700080000000000000550000000000000000",
                     *             "chunkIndex": 0,
                     *             "content": "# Pumps\n\nThe pump P-100 is started by the green button.",
                     *             "startOffset": 0,
                     *             "endOffset": 55,
                     *             "headings": [
                     *               "Pumps"
                     *             ],
                     *             "tokenCount": 14,
                     *             "enabled": true
                     *           },
                     *           {
                     *             "id": "chk_01957c6a8e00700080000000000000560000000000000000",
                     *             "chunkIndex": 1,
                     *             "content": "# Fans\n\nThe fan stops by itself.",
                     *             "startOffset": 57,
                     *             "endOffset": 89,
                     *             "headings": [
                     *               "Fans"
                     *             ],
                     *             "tokenCount": 8,
                     *             "enabled": true
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "total": 2,
                     *           "limit": 50,
                     *           "offset": 0,
                     *           "hasMore": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description A page of chunks, in the order of the document. */
                        data: {
                            /** @description The chunks of the page, in the order of the document. */
                            chunks: components["schemas"]["ChunkView"][];
                            /** @description The position of the page in the list. */
                            pagination: components["schemas"]["OffsetPageView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChunk: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
                /**
                 * @description The id of the chunk. When the document is processed again, its chunks get new ids.
                 * @example chk_01957c6a8e00700080000000000000550000000000000000
                 */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chunk as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "chunk": {
                     *           "id": "chk_01957c6a8e00700080000000000000550000000000000000",
                     *           "chunkIndex": 0,
                     *           "content": "# Pumps\n\nThe pump P-100 is started by the green button.",
                     *           "startOffset": 0,
                     *           "endOffset": 55,
                     *           "headings": [
                     *             "Pumps"
                     *           ],
                     *           "tokenCount": 14,
                     *           "enabled": true
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The chunk as it is now. */
                        data: {
                            /** @description The chunk that the call is about. */
                            chunk: components["schemas"]["ChunkView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteChunk: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
                /**
                 * @description The id of the chunk. When the document is processed again, its chunks get new ids.
                 * @example chk_01957c6a8e00700080000000000000560000000000000000
                 */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chunk was deleted. Searches do not find it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "Chunk deleted"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The chunk was deleted. Searches do not find it. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateChunk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the knowledge base.
                 * @example kb_01957c6a8e0070008000000000000052
                 */
                knowledgeBaseId: string;
                /**
                 * @description The id of the document.
                 * @example doc_01957c6a8e0070008000000000000054
                 */
                documentId: string;
                /**
                 * @description The id of the chunk. When the document is processed again, its chunks get new ids.
                 * @example chk_01957c6a8e00700080000000000000560000000000000000
                 */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateChunkBody"];
            };
        };
        responses: {
            /** @description The changed chunk. Searches find it until the document is processed again, which makes new chunks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "chunk": {
                     *           "id": "chk_01957c6a8e00700080000000000000560000000000000000",
                     *           "chunkIndex": 1,
                     *           "content": "# Fans\n\nThe fan stops by itself.",
                     *           "startOffset": 57,
                     *           "endOffset": 89,
                     *           "headings": [
                     *             "Fans"
                     *           ],
                     *           "tokenCount": 8,
                     *           "enabled": false
                     *         },
                     *         "message": "Chunk updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The changed chunk. Searches find it until the document is processed again, which makes new chunks. */
                        data: {
                            /** @description The chunk that the call is about. */
                            chunk: components["schemas"]["ChunkView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLogs: {
        parameters: {
            query?: {
                /** @description The id of a workspace. Left out: all workspaces that the key may read. */
                workspaceId?: string;
                /** @description Ids of workflows, separated by commas. */
                workflowIds?: string;
                /** @description Paths of folders, separated by commas. A folder includes its subfolders. */
                folderIds?: string;
                /** @description Origins, separated by commas: `api`, `mcp` or `workflow`. */
                triggers?: string;
                /** @description States, separated by commas: queued, running, paused, completed, failed, cancelled. */
                status?: string;
                /** @description `error`: failed executions. `info`: all others. */
                level?: "info" | "error";
                /** @description Codes of the failure, separated by commas. */
                failureCodes?: string;
                /** @description Only executions accepted at this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                startDate?: string;
                /** @description Only executions accepted at this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                endDate?: string;
                /** @description The id of an execution, of its log, or of a resume. */
                executionId?: string;
                /** @description The id of the parent execution. */
                parentExecutionId?: string;
                /** @description The minimum duration in milliseconds. */
                minDurationMs?: number;
                /** @description The maximum duration in milliseconds. */
                maxDurationMs?: number;
                /** @description The minimum cost. */
                minCost?: number;
                /** @description The maximum cost. */
                maxCost?: number;
                /** @description A model that an llm block of the execution used. */
                model?: string;
                /** @description Text in the failure or the output, in upper or lower case. There are no wildcards. */
                search?: string;
                /** @description The order by time of acceptance. */
                order?: "asc" | "desc";
                /** @description `full` adds the workflow and the blocks. */
                details?: "basic" | "full";
                /** @description Adds the output, with `details=full`. */
                includeFinalOutput?: boolean;
                /** @description Adds the blocks as a tree of spans, with `details=full`. */
                includeTraceSpans?: boolean;
                /** @description The maximum number of executions on a page. With `details=full` at most 100. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Send it with the filters of that page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of executions, by default the newest first. `cut` is true when a search reached its time limit; `nextCursor` continues it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "log_01957c6a8e0070008000000000000024",
                     *           "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *           "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *           "workflowName": "Size of an order",
                     *           "version": 1,
                     *           "executionId": "exec_01957c6a8e0070008000000000000024",
                     *           "deploymentVersionId": "dep_01957c6a8e0070008000000000000026",
                     *           "level": "info",
                     *           "status": "completed",
                     *           "trigger": "api",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "startedAt": "2026-01-02T09:00:00.015Z",
                     *           "endedAt": "2026-01-02T09:00:00.120Z",
                     *           "totalDurationMs": 105,
                     *           "cost": {
                     *             "total": 0.005
                     *           },
                     *           "error": null,
                     *           "workflow": {
                     *             "id": "wf_01957c6a8e0070008000000000000020",
                     *             "name": "Size of an order",
                     *             "description": "Orders over 1,000 go another way.",
                     *             "folder": "",
                     *             "deleted": false
                     *           },
                     *           "blocks": [
                     *             {
                     *               "path": "check",
                     *               "blockId": "check",
                     *               "name": "check",
                     *               "type": "condition",
                     *               "status": "completed",
                     *               "attempts": 1,
                     *               "port": "else",
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105
                     *             },
                     *             {
                     *               "path": "large",
                     *               "blockId": "large",
                     *               "name": "large",
                     *               "type": "response",
                     *               "status": "skipped",
                     *               "attempts": 0,
                     *               "port": null,
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105
                     *             },
                     *             {
                     *               "path": "small",
                     *               "blockId": "small",
                     *               "name": "small",
                     *               "type": "response",
                     *               "status": "completed",
                     *               "attempts": 1,
                     *               "port": null,
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105
                     *             }
                     *           ],
                     *           "blocksCut": false,
                     *           "finalOutput": {
                     *             "size": "small",
                     *             "amount": 5,
                     *             "note": "none"
                     *           },
                     *           "traceSpans": [
                     *             {
                     *               "id": "check",
                     *               "blockId": "check",
                     *               "name": "check",
                     *               "type": "condition",
                     *               "status": "success",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             },
                     *             {
                     *               "id": "large",
                     *               "blockId": "large",
                     *               "name": "large",
                     *               "type": "response",
                     *               "status": "running",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             },
                     *             {
                     *               "id": "small",
                     *               "blockId": "small",
                     *               "name": "small",
                     *               "type": "response",
                     *               "status": "success",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0.01,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       },
                     *       "cut": false,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of executions, by default the newest first. `cut` is true when a search reached its time limit; `nextCursor` continues it. */
                        data: components["schemas"]["LogView"][];
                        /** @description The rate limits and the usage of the caller, as they are after this call. */
                        limits: components["schemas"]["LimitsView"];
                        /** @description True when a search reached its time limit; `nextCursor` continues it. */
                        cut: boolean;
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportLogs: {
        parameters: {
            query?: {
                /** @description The id of a workspace. Left out: all workspaces that the key may read. */
                workspaceId?: string;
                /** @description Ids of workflows, separated by commas. */
                workflowIds?: string;
                /** @description Paths of folders, separated by commas. A folder includes its subfolders. */
                folderIds?: string;
                /** @description Origins, separated by commas: `api`, `mcp` or `workflow`. */
                triggers?: string;
                /** @description States, separated by commas: queued, running, paused, completed, failed, cancelled. */
                status?: string;
                /** @description `error`: failed executions. `info`: all others. */
                level?: "info" | "error";
                /** @description Codes of the failure, separated by commas. */
                failureCodes?: string;
                /** @description Only executions accepted at this time or later. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                startDate?: string;
                /** @description Only executions accepted at this time or before. ISO 8601, inclusive. A date without a time is the whole day in UTC. */
                endDate?: string;
                /** @description The id of an execution, of its log, or of a resume. */
                executionId?: string;
                /** @description The id of the parent execution. */
                parentExecutionId?: string;
                /** @description The minimum duration in milliseconds. */
                minDurationMs?: number;
                /** @description The maximum duration in milliseconds. */
                maxDurationMs?: number;
                /** @description The minimum cost. */
                minCost?: number;
                /** @description The maximum cost. */
                maxCost?: number;
                /** @description A model that an llm block of the execution used. */
                model?: string;
                /** @description Text in the failure or the output, in upper or lower case. There are no wildcards. */
                search?: string;
                /** @description The order by time of acceptance. */
                order?: "asc" | "desc";
                /** @description `full` adds the workflow and the blocks. */
                details?: "basic" | "full";
                /** @description Adds the output, with `details=full`. */
                includeFinalOutput?: boolean;
                /** @description Adds the blocks as a tree of spans, with `details=full`. */
                includeTraceSpans?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All executions that match the filters, in the form of the list. The connection breaks when the export cannot finish. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"log_01957c6a8e0070008000000000000024","workspaceId":"ws_01957c6a8e0070008000000000000002","workflowId":"wf_01957c6a8e0070008000000000000020","workflowName":"Size of an order","version":1,"executionId":"exec_01957c6a8e0070008000000000000024","deploymentVersionId":"dep_01957c6a8e0070008000000000000026","level":"info","status":"completed","trigger":"api","createdAt":"2026-01-02T09:00:00.000Z","startedAt":"2026-01-02T09:00:00.015Z","endedAt":"2026-01-02T09:00:00.120Z","totalDurationMs":105,"cost":{"total":0.005},"error":null} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLogState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000024
                 */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition of the executed version, with the times and the cost of the execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "executionId": "exec_01957c6a8e0070008000000000000024",
                     *       "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *       "workflowState": {
                     *         "start": {
                     *           "inputs": {
                     *             "amount": {
                     *               "type": "number",
                     *               "required": true
                     *             },
                     *             "note": {
                     *               "type": "string",
                     *               "default": "none"
                     *             }
                     *           }
                     *         },
                     *         "blocks": [
                     *           {
                     *             "id": "check",
                     *             "type": "condition",
                     *             "cases": [
                     *               {
                     *                 "port": "large",
                     *                 "when": "start.amount > 1000"
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "id": "large",
                     *             "type": "response",
                     *             "params": {
                     *               "data": {
                     *                 "size": "large",
                     *                 "amount": "{{ start.amount }}"
                     *               }
                     *             }
                     *           },
                     *           {
                     *             "id": "small",
                     *             "type": "response",
                     *             "params": {
                     *               "data": {
                     *                 "size": "small",
                     *                 "amount": "{{ start.amount }}",
                     *                 "note": "{{ start.note }}"
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "edges": [
                     *           {
                     *             "from": "start",
                     *             "to": "check"
                     *           },
                     *           {
                     *             "from": "check",
                     *             "port": "large",
                     *             "to": "large"
                     *           },
                     *           {
                     *             "from": "check",
                     *             "port": "else",
                     *             "to": "small"
                     *           }
                     *         ]
                     *       },
                     *       "executionMetadata": {
                     *         "status": "completed",
                     *         "trigger": "api",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "endedAt": "2026-01-02T09:00:00.120Z",
                     *         "totalDurationMs": 105,
                     *         "cost": {
                     *           "total": 0.005
                     *         }
                     *       },
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0.01,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogStateView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLog: {
        parameters: {
            query?: {
                /** @description Blocks of one page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the log, or of its execution.
                 * @example log_01957c6a8e0070008000000000000024
                 */
                logId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution with its output and one page of its block log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "log_01957c6a8e0070008000000000000024",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *         "workflowName": "Size of an order",
                     *         "version": 1,
                     *         "executionId": "exec_01957c6a8e0070008000000000000024",
                     *         "deploymentVersionId": "dep_01957c6a8e0070008000000000000026",
                     *         "level": "info",
                     *         "status": "completed",
                     *         "trigger": "api",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "startedAt": "2026-01-02T09:00:00.015Z",
                     *         "endedAt": "2026-01-02T09:00:00.120Z",
                     *         "totalDurationMs": 105,
                     *         "cost": {
                     *           "total": 0.005
                     *         },
                     *         "error": null,
                     *         "workflow": {
                     *           "id": "wf_01957c6a8e0070008000000000000020",
                     *           "name": "Size of an order",
                     *           "description": "Orders over 1,000 go another way.",
                     *           "folder": "",
                     *           "deleted": false
                     *         },
                     *         "executionData": {
                     *           "finalOutput": {
                     *             "size": "small",
                     *             "amount": 5,
                     *             "note": "none"
                     *           },
                     *           "blocks": [
                     *             {
                     *               "path": "check",
                     *               "blockId": "check",
                     *               "name": "check",
                     *               "type": "condition",
                     *               "status": "completed",
                     *               "attempts": 1,
                     *               "port": "else",
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "output": {
                     *                 "port": "else"
                     *               },
                     *               "logs": null,
                     *               "cost": null
                     *             },
                     *             {
                     *               "path": "large",
                     *               "blockId": "large",
                     *               "name": "large",
                     *               "type": "response",
                     *               "status": "skipped",
                     *               "attempts": 0,
                     *               "port": null,
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "output": null,
                     *               "logs": null,
                     *               "cost": null
                     *             },
                     *             {
                     *               "path": "small",
                     *               "blockId": "small",
                     *               "name": "small",
                     *               "type": "response",
                     *               "status": "completed",
                     *               "attempts": 1,
                     *               "port": null,
                     *               "failure": null,
                     *               "startedAt": "2026-01-02T09:00:00.015Z",
                     *               "endedAt": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "output": {
                     *                 "data": {
                     *                   "size": "small",
                     *                   "amount": 5,
                     *                   "note": "none"
                     *                 },
                     *                 "status": 200,
                     *                 "headers": {}
                     *               },
                     *               "logs": null,
                     *               "cost": null
                     *             }
                     *           ],
                     *           "traceSpans": [
                     *             {
                     *               "id": "check",
                     *               "blockId": "check",
                     *               "name": "check",
                     *               "type": "condition",
                     *               "status": "success",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             },
                     *             {
                     *               "id": "large",
                     *               "blockId": "large",
                     *               "name": "large",
                     *               "type": "response",
                     *               "status": "running",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             },
                     *             {
                     *               "id": "small",
                     *               "blockId": "small",
                     *               "name": "small",
                     *               "type": "response",
                     *               "status": "success",
                     *               "startTime": "2026-01-02T09:00:00.015Z",
                     *               "endTime": "2026-01-02T09:00:00.120Z",
                     *               "duration": 105,
                     *               "children": []
                     *             }
                     *           ],
                     *           "nextCursor": null
                     *         }
                     *       },
                     *       "limits": {
                     *         "workflowExecutionRateLimit": {
                     *           "sync": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           },
                     *           "async": {
                     *             "requestsPerMinute": 12000,
                     *             "maxBurst": 24000,
                     *             "remaining": 23999,
                     *             "resetAt": "2026-01-02T09:00:01.000Z"
                     *           }
                     *         },
                     *         "usage": {
                     *           "currentPeriodCost": 0.01,
                     *           "limit": 1000000,
                     *           "plan": "self_hosted",
                     *           "isExceeded": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The execution with its output and one page of its block log. */
                        data: components["schemas"]["LogDetailView"];
                        /** @description The rate limits and the usage of the caller, as they are after this call. */
                        limits: components["schemas"]["LimitsView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMcpServers: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of servers, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mcp_01957c6a8e0070008000000000000027",
                     *           "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *           "name": "Order desk",
                     *           "description": "What agents of the order desk may do.",
                     *           "folder": null,
                     *           "tools": [
                     *             {
                     *               "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *               "name": "size_of_order",
                     *               "description": null,
                     *               "readOnlyHint": true,
                     *               "destructiveHint": null,
                     *               "idempotentHint": null
                     *             }
                     *           ],
                     *           "waitSeconds": 20,
                     *           "url": "https://holdfast.example/api/mcp/mcp_01957c6a8e0070008000000000000027",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of servers, the oldest first. */
                        data: components["schemas"]["McpServerView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Order desk",
                 *       "description": "What agents of the order desk may do.",
                 *       "tools": [
                 *         {
                 *           "workflowId": "wf_01957c6a8e0070008000000000000020",
                 *           "name": "size_of_order",
                 *           "readOnlyHint": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateMcpServerBody"];
            };
        };
        responses: {
            /** @description The server was created and answers at `url`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_01957c6a8e0070008000000000000027",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Order desk",
                     *         "description": "What agents of the order desk may do.",
                     *         "folder": null,
                     *         "tools": [
                     *           {
                     *             "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *             "name": "size_of_order",
                     *             "description": null,
                     *             "readOnlyHint": true,
                     *             "destructiveHint": null,
                     *             "idempotentHint": null
                     *           }
                     *         ],
                     *         "waitSeconds": 20,
                     *         "url": "https://holdfast.example/api/mcp/mcp_01957c6a8e0070008000000000000027",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The server was created and answers at `url`. */
                        data: components["schemas"]["McpServerView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the MCP server.
                 * @example mcp_01957c6a8e0070008000000000000027
                 */
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server with its settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_01957c6a8e0070008000000000000027",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Order desk",
                     *         "description": "What agents of the order desk may do.",
                     *         "folder": null,
                     *         "tools": [
                     *           {
                     *             "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *             "name": "size_of_order",
                     *             "description": null,
                     *             "readOnlyHint": true,
                     *             "destructiveHint": null,
                     *             "idempotentHint": null
                     *           }
                     *         ],
                     *         "waitSeconds": 20,
                     *         "url": "https://holdfast.example/api/mcp/mcp_01957c6a8e0070008000000000000027",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The server with its settings. */
                        data: components["schemas"]["McpServerView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the MCP server.
                 * @example mcp_01957c6a8e0070008000000000000027
                 */
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server was deleted. The workflows are not changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_01957c6a8e0070008000000000000027",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The server was deleted. The workflows are not changed. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the MCP server.
                 * @example mcp_01957c6a8e0070008000000000000027
                 */
                serverId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "orders",
                 *       "waitSeconds": 10
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMcpServerBody"];
            };
        };
        responses: {
            /** @description The server as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mcp_01957c6a8e0070008000000000000027",
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Order desk",
                     *         "description": "What agents of the order desk may do.",
                     *         "folder": "orders",
                     *         "tools": [
                     *           {
                     *             "workflowId": "wf_01957c6a8e0070008000000000000020",
                     *             "name": "size_of_order",
                     *             "description": null,
                     *             "readOnlyHint": true,
                     *             "destructiveHint": null,
                     *             "idempotentHint": null
                     *           }
                     *         ],
                     *         "waitSeconds": 10,
                     *         "url": "https://holdfast.example/api/mcp/mcp_01957c6a8e0070008000000000000027",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The server as it is after the change. */
                        data: components["schemas"]["McpServerView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMcpGrants: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the MCP server.
                 * @example mcp_01957c6a8e0070008000000000000027
                 */
                serverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of grants, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "Base64urlOfTheBrowser",
                     *           "client": "https://desktop.example/client.json",
                     *           "person": {
                     *             "id": "usr_01957c6a8e0070008000000000000008",
                     *             "email": "admin@localhost",
                     *             "name": "Admin"
                     *           },
                     *           "scopes": [
                     *             "execute:mcp_01957c6a8e0070008000000000000027",
                     *             "read"
                     *           ],
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of grants, the oldest first. */
                        data: components["schemas"]["McpGrantView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeMcpGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the MCP server.
                 * @example mcp_01957c6a8e0070008000000000000027
                 */
                serverId: string;
                /**
                 * @description The id of the grant, from the list of grants.
                 * @example Zk3vQeT1bW9xR5uYc7aPd0LmN2oHs4JgFiKqXyVwBtE
                 */
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant and its tokens were deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "Base64urlOfTheBrowser",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The grant and its tokens were deleted. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequestTrail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the pause, from `pausePoints`.
                 * @example ctx_01957c6a8e00700080000000000000310000000000000000
                 */
                contextId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000030
                 */
                executionId: string;
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000028
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the request, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "event": "opened",
                     *           "who": null,
                     *           "note": "Approve 12?",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "told",
                     *           "who": "ann@example.org",
                     *           "note": "opened",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "told",
                     *           "who": "bob@example.org",
                     *           "note": "opened",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "delegated",
                     *           "who": "ann <ann@example.org>",
                     *           "note": "to bob@example.org: I am away.",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The events of the request, the oldest first. */
                        data: components["schemas"]["TrailEntryView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    delegateRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the pause, from `pausePoints`.
                 * @example ctx_01957c6a8e00700080000000000000310000000000000000
                 */
                contextId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000030
                 */
                executionId: string;
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000028
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "bob@example.org",
                 *       "note": "I am away."
                 *     }
                 */
                "application/json": components["schemas"]["DelegateBody"];
            };
        };
        responses: {
            /** @description The history of the request. The other person may answer now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "event": "opened",
                     *           "who": null,
                     *           "note": "Approve 12?",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "told",
                     *           "who": "ann@example.org",
                     *           "note": "opened",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "told",
                     *           "who": "bob@example.org",
                     *           "note": "opened",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "event": "delegated",
                     *           "who": "ann <ann@example.org>",
                     *           "note": "to bob@example.org: I am away.",
                     *           "at": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The history of the request. The other person may answer now. */
                        data: components["schemas"]["TrailEntryView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the pause, from `pausePoints`.
                 * @example ctx_01957c6a8e00700080000000000000360000000000000000
                 */
                contextId: string;
                /**
                 * @description The id of the execution, or of a resume of it.
                 * @example exec_01957c6a8e0070008000000000000035
                 */
                executionId: string;
                /**
                 * @description The id of the workflow.
                 * @example wf_01957c6a8e0070008000000000000034
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "input": {
                 *         "approved": true,
                 *         "note": "Agreed."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ResumeBody"];
            };
        };
        responses: {
            /** @description The answer was taken, and the run has ended or waits again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "status": "completed",
                     *       "executionId": "exec_01957c6a8e0070008000000000000037",
                     *       "output": {
                     *         "approved": true,
                     *         "note": "Agreed."
                     *       },
                     *       "error": null,
                     *       "metadata": {
                     *         "duration": 105,
                     *         "startTime": "2026-01-02T09:00:00.015Z",
                     *         "endTime": "2026-01-02T09:00:00.120Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ResumeResultView"];
                };
            };
            /** @description The answer was taken, and the run goes on. Read its progress at `statusUrl`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "async": true,
                     *       "jobId": "job_01957c6a8e0070008000000000000038",
                     *       "executionId": "exec_01957c6a8e0070008000000000000038",
                     *       "message": "The answer was accepted and the run goes on.",
                     *       "statusUrl": "https://holdfast.example/api/jobs/job_01957c6a8e0070008000000000000038"
                     *     }
                     */
                    "application/json": components["schemas"]["ResumeAcknowledgementView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTables: {
        parameters: {
            query: {
                /** @description The id of the workspace. */
                workspaceId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every table, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "tables": [
                     *           {
                     *             "id": "tbl_01957c6a8e0070008000000000000044",
                     *             "name": "leads",
                     *             "description": "Who may buy.",
                     *             "schema": {
                     *               "columns": [
                     *                 {
                     *                   "name": "email",
                     *                   "type": "string",
                     *                   "required": true,
                     *                   "unique": true
                     *                 },
                     *                 {
                     *                   "name": "score",
                     *                   "type": "number",
                     *                   "required": false,
                     *                   "unique": false
                     *                 },
                     *                 {
                     *                   "name": "stage",
                     *                   "type": "string",
                     *                   "required": false,
                     *                   "unique": false,
                     *                   "default": "new"
                     *                 }
                     *               ]
                     *             },
                     *             "rowCount": 0,
                     *             "maxRows": 10000000,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z"
                     *           }
                     *         ],
                     *         "totalCount": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description Every table, the oldest first. */
                        data: {
                            /** @description Every table of the workspace. */
                            tables: components["schemas"]["TableView"][];
                            /** @description The total number of items on all pages. */
                            totalCount: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspaceId": "ws_01957c6a8e0070008000000000000002",
                 *       "name": "leads",
                 *       "description": "Who may buy.",
                 *       "schema": {
                 *         "columns": [
                 *           {
                 *             "name": "email",
                 *             "type": "string",
                 *             "required": true,
                 *             "unique": true
                 *           },
                 *           {
                 *             "name": "score",
                 *             "type": "number"
                 *           },
                 *           {
                 *             "name": "stage",
                 *             "type": "string",
                 *             "default": "new"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTableBody"];
            };
        };
        responses: {
            /** @description The table was created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "table": {
                     *           "id": "tbl_01957c6a8e0070008000000000000044",
                     *           "name": "leads",
                     *           "description": "Who may buy.",
                     *           "schema": {
                     *             "columns": [
                     *               {
                     *                 "name": "email",
                     *                 "type": "string",
                     *                 "required": true,
                     *                 "unique": true
                     *               },
                     *               {
                     *                 "name": "score",
                     *                 "type": "number",
                     *                 "required": false,
                     *                 "unique": false
                     *               },
                     *               {
                     *                 "name": "stage",
                     *                 "type": "string",
                     *                 "required": false,
                     *                 "unique": false,
                     *                 "default": "new"
                     *               }
                     *             ]
                     *           },
                     *           "rowCount": 0,
                     *           "maxRows": 10000000,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "Table created"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The table was created. */
                        data: {
                            /** @description The table that the call is about. */
                            table: components["schemas"]["TableView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTable: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table with its columns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "table": {
                     *           "id": "tbl_01957c6a8e0070008000000000000044",
                     *           "name": "leads",
                     *           "description": "Who may buy.",
                     *           "schema": {
                     *             "columns": [
                     *               {
                     *                 "name": "email",
                     *                 "type": "string",
                     *                 "required": true,
                     *                 "unique": true
                     *               },
                     *               {
                     *                 "name": "score",
                     *                 "type": "number",
                     *                 "required": false,
                     *                 "unique": false
                     *               },
                     *               {
                     *                 "name": "stage",
                     *                 "type": "string",
                     *                 "required": false,
                     *                 "unique": false,
                     *                 "default": "new"
                     *               }
                     *             ]
                     *           },
                     *           "rowCount": 0,
                     *           "maxRows": 10000000,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The table with its columns. */
                        data: {
                            /** @description The table that the call is about. */
                            table: components["schemas"]["TableView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTable: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000048
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table and its rows were deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "Table deleted"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The table and its rows were deleted. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Who may buy, and who has."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTableBody"];
            };
        };
        responses: {
            /** @description The table as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "table": {
                     *           "id": "tbl_01957c6a8e0070008000000000000044",
                     *           "name": "leads",
                     *           "description": "Who may buy, and who has.",
                     *           "schema": {
                     *             "columns": [
                     *               {
                     *                 "name": "email",
                     *                 "type": "string",
                     *                 "required": true,
                     *                 "unique": true
                     *               },
                     *               {
                     *                 "name": "score",
                     *                 "type": "number",
                     *                 "required": false,
                     *                 "unique": false
                     *               },
                     *               {
                     *                 "name": "stage",
                     *                 "type": "string",
                     *                 "required": false,
                     *                 "unique": false,
                     *                 "default": "new"
                     *               }
                     *             ]
                     *           },
                     *           "rowCount": 0,
                     *           "maxRows": 10000000,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         "message": "Table updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The table as it is after the change. */
                        data: {
                            /** @description The table that the call is about. */
                            table: components["schemas"]["TableView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    addColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "column": {
                 *         "name": "met",
                 *         "type": "date"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AddColumnBody"];
            };
        };
        responses: {
            /** @description All columns. A default is in every existing row. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "email",
                     *             "type": "string",
                     *             "required": true,
                     *             "unique": true
                     *           },
                     *           {
                     *             "name": "score",
                     *             "type": "number",
                     *             "required": false,
                     *             "unique": false
                     *           },
                     *           {
                     *             "name": "stage",
                     *             "type": "string",
                     *             "required": false,
                     *             "unique": false,
                     *             "default": "new"
                     *           },
                     *           {
                     *             "name": "met",
                     *             "type": "date",
                     *             "required": false,
                     *             "unique": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description All columns. A default is in every existing row. */
                        data: {
                            /** @description All columns of the table, in their order. */
                            columns: components["schemas"]["ColumnView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "columnName": "met"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteColumnBody"];
            };
        };
        responses: {
            /** @description The remaining columns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "email",
                     *             "type": "string",
                     *             "required": true,
                     *             "unique": true
                     *           },
                     *           {
                     *             "name": "points",
                     *             "type": "number",
                     *             "required": false,
                     *             "unique": false
                     *           },
                     *           {
                     *             "name": "stage",
                     *             "type": "string",
                     *             "required": false,
                     *             "unique": false,
                     *             "default": "new"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The remaining columns. */
                        data: {
                            /** @description All columns of the table, in their order. */
                            columns: components["schemas"]["ColumnView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "columnName": "score",
                 *       "updates": {
                 *         "name": "points",
                 *         "required": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeColumnBody"];
            };
        };
        responses: {
            /** @description All columns after the change. A change that some rows do not fit is refused, and `details` shows the first of these rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "columns": [
                     *           {
                     *             "name": "email",
                     *             "type": "string",
                     *             "required": true,
                     *             "unique": true
                     *           },
                     *           {
                     *             "name": "points",
                     *             "type": "number",
                     *             "required": false,
                     *             "unique": false
                     *           },
                     *           {
                     *             "name": "stage",
                     *             "type": "string",
                     *             "required": false,
                     *             "unique": false,
                     *             "default": "new"
                     *           },
                     *           {
                     *             "name": "met",
                     *             "type": "date",
                     *             "required": false,
                     *             "unique": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description All columns after the change. A change that some rows do not fit is refused, and `details` shows the first of these rows. */
                        data: {
                            /** @description All columns of the table, in their order. */
                            columns: components["schemas"]["ColumnView"][];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportRows: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The form of the file. */
                format?: "csv" | "jsonl";
                /** @description JSON, in the form of the list of rows. */
                filter?: string;
                /** @description JSON, in the form of the list of rows. */
                sort?: string;
                /** @description True: a quote comes before each text in a CSV that a spreadsheet would read as a formula. */
                guardFormulas?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All rows that match, as a streamed file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example email,points,stage
                     *     cid@example.org,4,new
                     */
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportRowsByBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "points": {
                 *           "$gte": 4
                 *         }
                 *       },
                 *       "format": "jsonl"
                 *     }
                 */
                "application/json": components["schemas"]["ExportBody"];
            };
        };
        responses: {
            /** @description All rows that match, as a streamed file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"email":"cid@example.org","points":4,"stage":"new"} */
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    importTable: {
        parameters: {
            query: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`. */
                delimiter?: string;
                /** @description The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`. */
                encoding?: string;
                /** @description The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table. */
                header?: string;
                /** @description The name of the sheet of a workbook; the default is the first that is not empty. */
                sheet?: string;
                /** @description JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation. */
                mapping?: string;
                /** @description An empty cell: `null` leaves it empty, `default` gives it the default of its column. */
                nulls?: "null" | "default";
                /** @description The decimal sign of numbers. */
                decimal?: "." | ",";
                /** @description The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case. */
                dateFormat?: string;
                /** @description True: the quote with which an export guards a text such as `+49` is taken off. */
                guardFormulas?: boolean;
                /** @description The name of the new table: letters, digits and underscores, no digit first. */
                name: string;
                /** @description The description of the new table. */
                description?: string;
                /** @description `all`: every row or none. `good`: every row that fits, and a report of the others. */
                mode?: "all" | "good";
                /** @description Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB. */
                async?: boolean;
            };
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The bytes of the file: CSV, JSON list, lines of JSON, XLSX, XLS or ODS, also packed with gzip. */
        requestBody: {
            content: {
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/csv": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/tab-separated-values": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/plain": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/x-ndjson": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/jsonl": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/gzip": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/x-gzip": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/octet-stream": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.ms-excel": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.oasis.opendocument.spreadsheet": string;
            };
        };
        responses: {
            /** @description The table was made, and the rows were inserted. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "insertedCount": 2,
                     *         "refusedCount": 0,
                     *         "refused": [],
                     *         "tableId": "tbl_01957c6a8e0070008000000000000048",
                     *         "taken": {
                     *           "format": "csv",
                     *           "delimiter": ";",
                     *           "encoding": "utf-8",
                     *           "sheet": null,
                     *           "header": 1,
                     *           "decimal": ".",
                     *           "dateFormat": null,
                     *           "nulls": "null",
                     *           "mapping": {
                     *             "Name": "Name",
                     *             "City": "City"
                     *           },
                     *           "createdColumns": [
                     *             "Name",
                     *             "City"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The table was made, and the rows were inserted. */
                        data: components["schemas"]["ImportView"];
                    };
                };
            };
            /** @description With `async`: the file is stored, and a worker imports it. Read its progress at `statusUrl`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "import": {
                     *           "id": "imp_01957c6a8e0070008000000000000049",
                     *           "tableId": "tbl_01957c6a8e0070008000000000000050",
                     *           "format": "csv",
                     *           "mode": "all",
                     *           "taken": null,
                     *           "size": 29,
                     *           "status": "pending",
                     *           "error": null,
                     *           "lineCount": 0,
                     *           "insertedCount": 0,
                     *           "refusedCount": 0,
                     *           "refused": [],
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "startedAt": null,
                     *           "completedAt": null
                     *         },
                     *         "statusUrl": "https://holdfast.example/api/v1/tables/tbl_01957c6a8e0070008000000000000050/imports/imp_01957c6a8e0070008000000000000049",
                     *         "message": "The file is stored, and a worker imports it"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImportBegunView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewTable: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`. */
                delimiter?: string;
                /** @description The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`. */
                encoding?: string;
                /** @description The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table. */
                header?: string;
                /** @description The name of the sheet of a workbook; the default is the first that is not empty. */
                sheet?: string;
                /** @description JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation. */
                mapping?: string;
                /** @description An empty cell: `null` leaves it empty, `default` gives it the default of its column. */
                nulls?: "null" | "default";
                /** @description The decimal sign of numbers. */
                decimal?: "." | ",";
                /** @description The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case. */
                dateFormat?: string;
                /** @description True: the quote with which an export guards a text such as `+49` is taken off. */
                guardFormulas?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bytes of the file: CSV, JSON list, lines of JSON, XLSX, XLS or ODS, also packed with gzip. */
        requestBody: {
            content: {
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/csv": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/tab-separated-values": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "text/plain": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/x-ndjson": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/jsonl": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/gzip": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/x-gzip": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/octet-stream": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.ms-excel": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example Name;City
                 *     Ann;Bonn
                 *     Bob;Köln
                 */
                "application/vnd.oasis.opendocument.spreadsheet": string;
            };
        };
        responses: {
            /** @description What was found, and which lines an import would refuse. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "taken": {
                     *           "format": "csv",
                     *           "delimiter": ";",
                     *           "encoding": "utf-8",
                     *           "sheet": null,
                     *           "header": 1,
                     *           "decimal": ".",
                     *           "dateFormat": null,
                     *           "nulls": "null",
                     *           "mapping": {
                     *             "Name": "Name",
                     *             "City": "City"
                     *           },
                     *           "createdColumns": [
                     *             "Name",
                     *             "City"
                     *           ]
                     *         },
                     *         "columns": [
                     *           {
                     *             "name": "Name",
                     *             "type": "string",
                     *             "samples": [
                     *               "Ann",
                     *               "Bob"
                     *             ],
                     *             "column": "Name"
                     *           },
                     *           {
                     *             "name": "City",
                     *             "type": "string",
                     *             "samples": [
                     *               "Bonn",
                     *               "Köln"
                     *             ],
                     *             "column": "City"
                     *           }
                     *         ],
                     *         "sheets": [],
                     *         "checkedCount": 2,
                     *         "refusedCount": 0,
                     *         "refused": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description What was found, and which lines an import would refuse. */
                        data: components["schemas"]["ImportPreviewView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    importRows: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`. */
                delimiter?: string;
                /** @description The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`. */
                encoding?: string;
                /** @description The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table. */
                header?: string;
                /** @description The name of the sheet of a workbook; the default is the first that is not empty. */
                sheet?: string;
                /** @description JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation. */
                mapping?: string;
                /** @description An empty cell: `null` leaves it empty, `default` gives it the default of its column. */
                nulls?: "null" | "default";
                /** @description The decimal sign of numbers. */
                decimal?: "." | ",";
                /** @description The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case. */
                dateFormat?: string;
                /** @description True: the quote with which an export guards a text such as `+49` is taken off. */
                guardFormulas?: boolean;
                /** @description True: a column of the file that the table does not have is added to it. */
                createColumns?: boolean;
                /** @description `all`: every row or none. `good`: every row that fits, and a report of the others. */
                mode?: "all" | "good";
                /** @description Stores the file and answers at once; a worker imports it. Needed for more than 16 MiB. */
                async?: boolean;
            };
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        /** @description The bytes of the file: CSV, JSON list, lines of JSON, XLSX, XLS or ODS, also packed with gzip. */
        requestBody: {
            content: {
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "text/csv": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "text/tab-separated-values": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "text/plain": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/x-ndjson": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/jsonl": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/gzip": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/x-gzip": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/octet-stream": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/vnd.ms-excel": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example email,points
                 *     cid@example.org,4
                 *     dan@example.org,many
                 */
                "application/vnd.oasis.opendocument.spreadsheet": string;
            };
        };
        responses: {
            /** @description The rows were inserted. The report lists the refused lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "insertedCount": 1,
                     *         "refusedCount": 1,
                     *         "refused": [
                     *           {
                     *             "line": 3,
                     *             "message": "points must be a number, not \"many\""
                     *           }
                     *         ],
                     *         "tableId": "tbl_01957c6a8e0070008000000000000044",
                     *         "taken": {
                     *           "format": "csv",
                     *           "delimiter": ",",
                     *           "encoding": "utf-8",
                     *           "sheet": null,
                     *           "header": 1,
                     *           "decimal": ".",
                     *           "dateFormat": null,
                     *           "nulls": "null",
                     *           "mapping": {
                     *             "email": "email",
                     *             "points": "points"
                     *           },
                     *           "createdColumns": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The rows were inserted. The report lists the refused lines. */
                        data: components["schemas"]["ImportView"];
                    };
                };
            };
            /** @description With `async`: the file is stored, and a worker imports it. Read its progress at `statusUrl`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "import": {
                     *           "id": "imp_01957c6a8e0070008000000000000047",
                     *           "tableId": "tbl_01957c6a8e0070008000000000000044",
                     *           "format": "csv",
                     *           "mode": "all",
                     *           "taken": null,
                     *           "size": 22,
                     *           "status": "pending",
                     *           "error": null,
                     *           "lineCount": 0,
                     *           "insertedCount": 0,
                     *           "refusedCount": 0,
                     *           "refused": [],
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "startedAt": null,
                     *           "completedAt": null
                     *         },
                     *         "statusUrl": "https://holdfast.example/api/v1/tables/tbl_01957c6a8e0070008000000000000044/imports/imp_01957c6a8e0070008000000000000047",
                     *         "message": "The file is stored, and a worker imports it"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImportBegunView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewImport: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The sign between two values of a CSV: one character, or `comma`, `semicolon`, `tab`, `pipe`. */
                delimiter?: string;
                /** @description The encoding of a text, such as `utf-8`, `windows-1252`, `utf-16le` or `shift_jis`. */
                encoding?: string;
                /** @description The line of the header, from 1. `false`: the first line has values, and the columns have the order of the table. */
                header?: string;
                /** @description The name of the sheet of a workbook; the default is the first that is not empty. */
                sheet?: string;
                /** @description JSON: the column of the table by the name in the file, such as `{"E-Mail":"email","Note":null}`. Null leaves a column out. Other columns are found by their names, without regard to case, blanks and punctuation. */
                mapping?: string;
                /** @description An empty cell: `null` leaves it empty, `default` gives it the default of its column. */
                nulls?: "null" | "default";
                /** @description The decimal sign of numbers. */
                decimal?: "." | ",";
                /** @description The form of dates, such as `DD.MM.YYYY` or `MM/DD/YYYY hh:mm A`. ISO 8601 is read in any case. */
                dateFormat?: string;
                /** @description True: the quote with which an export guards a text such as `+49` is taken off. */
                guardFormulas?: boolean;
                /** @description True: a column of the file that the table does not have is added to it. */
                createColumns?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        /** @description The bytes of the file: CSV, JSON list, lines of JSON, XLSX, XLS or ODS, also packed with gzip. */
        requestBody: {
            content: {
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "text/csv": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "text/tab-separated-values": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "text/plain": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/x-ndjson": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/jsonl": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/gzip": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/x-gzip": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/octet-stream": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/vnd.ms-excel": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example E-Mail;points
                 *     eve@example.org;1,5
                 */
                "application/vnd.oasis.opendocument.spreadsheet": string;
            };
        };
        responses: {
            /** @description What was found, and which lines an import would refuse. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "taken": {
                     *           "format": "csv",
                     *           "delimiter": ";",
                     *           "encoding": "utf-8",
                     *           "sheet": null,
                     *           "header": 1,
                     *           "decimal": ",",
                     *           "dateFormat": null,
                     *           "nulls": "null",
                     *           "mapping": {
                     *             "E-Mail": "email",
                     *             "points": "points"
                     *           },
                     *           "createdColumns": []
                     *         },
                     *         "columns": [
                     *           {
                     *             "name": "E-Mail",
                     *             "type": "string",
                     *             "samples": [
                     *               "eve@example.org"
                     *             ],
                     *             "column": "email"
                     *           },
                     *           {
                     *             "name": "points",
                     *             "type": "number",
                     *             "samples": [
                     *               "1,5"
                     *             ],
                     *             "column": "points"
                     *           }
                     *         ],
                     *         "sheets": [],
                     *         "checkedCount": 1,
                     *         "refusedCount": 0,
                     *         "refused": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description What was found, and which lines an import would refuse. */
                        data: components["schemas"]["ImportPreviewView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The maximum number of imports on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The imports of the last 30 days, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "imports": [
                     *           {
                     *             "id": "imp_01957c6a8e0070008000000000000047",
                     *             "tableId": "tbl_01957c6a8e0070008000000000000044",
                     *             "format": "csv",
                     *             "mode": "all",
                     *             "taken": {
                     *               "nulls": "null",
                     *               "sheet": null,
                     *               "format": "csv",
                     *               "header": 1,
                     *               "decimal": ".",
                     *               "mapping": {
                     *                 "email": "email"
                     *               },
                     *               "encoding": "utf-8",
                     *               "delimiter": ",",
                     *               "dateFormat": null,
                     *               "createdColumns": []
                     *             },
                     *             "size": 22,
                     *             "status": "completed",
                     *             "error": null,
                     *             "lineCount": 1,
                     *             "insertedCount": 1,
                     *             "refusedCount": 0,
                     *             "refused": [],
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "startedAt": "2026-01-02T09:00:00.015Z",
                     *             "completedAt": "2026-01-02T09:00:00.120Z"
                     *           }
                     *         ],
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The imports of the last 30 days, the newest first. */
                        data: components["schemas"]["ImportPageView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getImport: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description Seconds to wait until the import has ended. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000050
                 */
                tableId: string;
                /**
                 * @description The id of the import.
                 * @example imp_01957c6a8e0070008000000000000049
                 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import with its progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "import": {
                     *           "id": "imp_01957c6a8e0070008000000000000049",
                     *           "tableId": "tbl_01957c6a8e0070008000000000000050",
                     *           "format": "csv",
                     *           "mode": "all",
                     *           "taken": {
                     *             "nulls": "null",
                     *             "sheet": null,
                     *             "format": "csv",
                     *             "header": 1,
                     *             "decimal": ".",
                     *             "mapping": {
                     *               "City": "City",
                     *               "Name": "Name"
                     *             },
                     *             "encoding": "utf-8",
                     *             "delimiter": ";",
                     *             "dateFormat": null,
                     *             "createdColumns": []
                     *           },
                     *           "size": 29,
                     *           "status": "completed",
                     *           "error": null,
                     *           "lineCount": 2,
                     *           "insertedCount": 2,
                     *           "refusedCount": 0,
                     *           "refused": [],
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "startedAt": "2026-01-02T09:00:00.015Z",
                     *           "completedAt": "2026-01-02T09:00:00.120Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The import with its progress. */
                        data: {
                            /** @description The import that the call is about. */
                            import: components["schemas"]["ImportJobView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelImport: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
                /**
                 * @description The id of the import.
                 * @example imp_01957c6a8e0070008000000000000051
                 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import has ended. In the mode `all` no row of it is in the table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "import": {
                     *           "id": "imp_01957c6a8e0070008000000000000051",
                     *           "tableId": "tbl_01957c6a8e0070008000000000000044",
                     *           "format": "csv",
                     *           "mode": "all",
                     *           "taken": null,
                     *           "size": 22,
                     *           "status": "cancelled",
                     *           "error": null,
                     *           "lineCount": 0,
                     *           "insertedCount": 0,
                     *           "refusedCount": 0,
                     *           "refused": [],
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "startedAt": null,
                     *           "completedAt": "2026-01-02T09:00:00.120Z"
                     *         },
                     *         "message": "Import cancelled"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The import has ended. In the mode `all` no row of it is in the table. */
                        data: {
                            /** @description The import that the call is about. */
                            import: components["schemas"]["ImportJobView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRows: {
        parameters: {
            query: {
                /** @description The id of the workspace. */
                workspaceId: string;
                /** @description JSON. Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them. */
                filter?: string;
                /** @description JSON. Up to five columns with asc or desc, in order of priority. Empty cells come last. */
                sort?: string;
                /** @description The maximum number of rows on a page. */
                limit?: number;
                /** @description The number of rows before the page. */
                offset?: number;
                /** @description The `nextCursor` of the previous page, in place of an offset. */
                cursor?: string;
                /** @description The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it. */
                changedSince?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the rows that match, and their exact number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "rows": [
                     *           {
                     *             "id": "row_01957c6a8e0070008000000000000045",
                     *             "data": {
                     *               "email": "ann@example.org",
                     *               "points": 8,
                     *               "stage": "new"
                     *             },
                     *             "position": 0,
                     *             "version": 1,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z",
                     *             "executionId": null
                     *           }
                     *         ],
                     *         "rowCount": 1,
                     *         "totalCount": 2,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "nextCursor": "eyJhdCI6IjIwMjYtMDEtMDIiLCJpZCI6IndmXzEifQ.bWFj",
                     *         "changeToken": "eyJhdCI6IjIwMjYtMDEtMDIiLCJpZCI6IndmXzEifQ.bWFj"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description One page of the rows that match, and their exact number. */
                        data: components["schemas"]["RowPageView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRowsByFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "points": {
                 *           "$lt": 9
                 *         }
                 *       },
                 *       "data": {
                 *         "stage": "lost"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateByFilterBody"];
            };
        };
        responses: {
            /** @description All rows that match were changed, 10,000 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "1 row(s) updated",
                     *         "updatedCount": 1,
                     *         "updatedRowIds": [
                     *           "row_01957c6a8e0070008000000000000046"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description All rows that match were changed, 10,000 at most. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                            /** @description The number of changed rows. */
                            updatedCount: number;
                            /** @description The ids of the rows that were changed. */
                            updatedRowIds: string[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    insertRows: {
        parameters: {
            query?: never;
            header?: {
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rows": [
                 *         {
                 *           "email": "ann@example.org",
                 *           "points": 8
                 *         },
                 *         {
                 *           "email": "bob@example.org",
                 *           "points": 5
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InsertRowsBody"];
            };
        };
        responses: {
            /** @description All rows were inserted. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "rows": [
                     *           {
                     *             "id": "row_01957c6a8e0070008000000000000045",
                     *             "data": {
                     *               "email": "ann@example.org",
                     *               "points": 8,
                     *               "stage": "new"
                     *             },
                     *             "position": 0,
                     *             "version": 1,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z",
                     *             "executionId": null
                     *           },
                     *           {
                     *             "id": "row_01957c6a8e0070008000000000000046",
                     *             "data": {
                     *               "email": "bob@example.org",
                     *               "points": 5,
                     *               "stage": "new"
                     *             },
                     *             "position": 1,
                     *             "version": 1,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z",
                     *             "executionId": null
                     *           }
                     *         ],
                     *         "insertedCount": 2,
                     *         "message": "2 row(s) inserted"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description All rows were inserted. */
                        data: components["schemas"]["InsertedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rowIds": [
                 *         "row_01957c6a8e0070008000000000000045"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DeleteRowsBody"];
            };
        };
        responses: {
            /** @description The rows were deleted, 10,000 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "1 row(s) deleted",
                     *         "deletedCount": 1,
                     *         "deletedRowIds": [
                     *           "row_01957c6a8e0070008000000000000045"
                     *         ],
                     *         "missingRowIds": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The rows were deleted, 10,000 at most. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                            /** @description The number of deleted rows. */
                            deletedCount: number;
                            /** @description The ids of the rows that were deleted. */
                            deletedRowIds: string[];
                            /** @description The requested ids that no row has. */
                            missingRowIds: string[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "updates": [
                 *         {
                 *           "rowId": "row_01957c6a8e0070008000000000000045",
                 *           "data": {
                 *             "points": 9
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRowsBody"];
            };
        };
        responses: {
            /** @description All rows were changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "1 row(s) updated",
                     *         "updatedCount": 1,
                     *         "updatedRowIds": [
                     *           "row_01957c6a8e0070008000000000000045"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description All rows were changed. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                            /** @description The number of changed rows. */
                            updatedCount: number;
                            /** @description The ids of the rows that were changed. */
                            updatedRowIds: string[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    queryRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "points": {
                 *           "$gte": 5
                 *         }
                 *       },
                 *       "sort": {
                 *         "points": "desc"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QueryRowsBody"];
            };
        };
        responses: {
            /** @description One page of the rows that match, and their exact number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "rows": [
                     *           {
                     *             "id": "row_01957c6a8e0070008000000000000045",
                     *             "data": {
                     *               "email": "ann@example.org",
                     *               "points": 8,
                     *               "stage": "new"
                     *             },
                     *             "position": 0,
                     *             "version": 1,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z",
                     *             "executionId": null
                     *           },
                     *           {
                     *             "id": "row_01957c6a8e0070008000000000000046",
                     *             "data": {
                     *               "email": "bob@example.org",
                     *               "points": 5,
                     *               "stage": "new"
                     *             },
                     *             "position": 1,
                     *             "version": 1,
                     *             "createdAt": "2026-01-02T09:00:00.000Z",
                     *             "updatedAt": "2026-01-02T09:00:00.000Z",
                     *             "executionId": null
                     *           }
                     *         ],
                     *         "rowCount": 2,
                     *         "totalCount": 2,
                     *         "limit": 100,
                     *         "offset": 0,
                     *         "nextCursor": null,
                     *         "changeToken": "eyJhdCI6IjIwMjYtMDEtMDIiLCJpZCI6IndmXzEifQ.bWFj"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description One page of the rows that match, and their exact number. */
                        data: components["schemas"]["RowPageView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertRow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the row as it was read. When it has changed since, the call is refused with 412 and changes nothing. */
                "If-Match"?: string;
                /** @description Has 1 to 255 printable characters. The same key of the same caller with the same body gives the stored answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "email": "bob@example.org",
                 *         "stage": "won"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpsertRowBody"];
            };
        };
        responses: {
            /** @description The row, with its version as ETag. `operation` is `insert` or `update`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "row": {
                     *           "id": "row_01957c6a8e0070008000000000000046",
                     *           "data": {
                     *             "email": "bob@example.org",
                     *             "points": 5,
                     *             "stage": "won"
                     *           },
                     *           "position": 1,
                     *           "version": 2,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z",
                     *           "executionId": null
                     *         },
                     *         "operation": "update",
                     *         "message": "Row updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The row, with its version as ETag. `operation` is `insert` or `update`. */
                        data: {
                            /** @description The row that the call is about. */
                            row: components["schemas"]["RowView"];
                            /** @description `insert` when the row is new, `update` when it already existed. */
                            operation: string;
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    aggregateRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groupBy": [
                 *         "stage"
                 *       ],
                 *       "aggregates": {
                 *         "rows": {
                 *           "count": "*"
                 *         },
                 *         "total": {
                 *           "sum": "points"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AggregateBody"];
            };
        };
        responses: {
            /** @description One group for each combination of values, in their order. Without columns there is one group. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "groups": [
                     *           {
                     *             "by": {
                     *               "stage": "new"
                     *             },
                     *             "values": {
                     *               "rows": 1,
                     *               "total": 8
                     *             }
                     *           },
                     *           {
                     *             "by": {
                     *               "stage": "won"
                     *             },
                     *             "values": {
                     *               "rows": 1,
                     *               "total": 5
                     *             }
                     *           }
                     *         ],
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description One group for each combination of values, in their order. Without columns there is one group. */
                        data: components["schemas"]["AggregateView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRow: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
                /**
                 * @description The id of the row.
                 * @example row_01957c6a8e0070008000000000000045
                 */
                rowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The row; its ETag names its version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "row": {
                     *           "id": "row_01957c6a8e0070008000000000000045",
                     *           "data": {
                     *             "email": "ann@example.org",
                     *             "points": 9,
                     *             "stage": "new"
                     *           },
                     *           "position": 0,
                     *           "version": 3,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z",
                     *           "executionId": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The row; its ETag names its version. */
                        data: {
                            /** @description The row that the call is about. */
                            row: components["schemas"]["RowView"];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the row as it was read. When it has changed since, the call is refused with 412 and changes nothing. */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the row.
                 * @example row_01957c6a8e0070008000000000000046
                 */
                rowId: string;
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspaceId": "ws_01957c6a8e0070008000000000000002"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteRowBody"];
            };
        };
        responses: {
            /** @description The row was deleted, and its position stays free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "message": "Row deleted",
                     *         "deletedCount": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The row was deleted, and its position stays free. */
                        data: {
                            /** @description The result, in a sentence for people. */
                            message: string;
                            /** @description The number of deleted rows. */
                            deletedCount: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the row as it was read. When it has changed since, the call is refused with 412 and changes nothing. */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the row.
                 * @example row_01957c6a8e0070008000000000000045
                 */
                rowId: string;
                /**
                 * @description The id of the table.
                 * @example tbl_01957c6a8e0070008000000000000044
                 */
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "stage": "won"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRowBody"];
            };
        };
        responses: {
            /** @description The row as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "row": {
                     *           "id": "row_01957c6a8e0070008000000000000045",
                     *           "data": {
                     *             "email": "ann@example.org",
                     *             "points": 9,
                     *             "stage": "won"
                     *           },
                     *           "position": 0,
                     *           "version": 5,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z",
                     *           "executionId": null
                     *         },
                     *         "message": "Row updated"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Always true: a call that is refused has another status and another shape. */
                        success: boolean;
                        /** @description The row as it is after the change. */
                        data: {
                            /** @description The row that the call is about. */
                            row: components["schemas"]["RowView"];
                            /** @description The result, in a sentence for people. */
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["UsageLimitExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Outdated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces that the key reaches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ws_01957c6a8e0070008000000000000002",
                     *           "name": "Default",
                     *           "plan": "self_hosted",
                     *           "personalKeysAllowed": true,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         {
                     *           "id": "ws_01957c6a8e0070008000000000000001",
                     *           "name": "Finance",
                     *           "plan": "self_hosted",
                     *           "personalKeysAllowed": true,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The workspaces that the key reaches. */
                        data: components["schemas"]["WorkspaceView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Finance"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkspaceBody"];
            };
        };
        responses: {
            /** @description The workspace was created, and you are its admin. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ws_01957c6a8e0070008000000000000001",
                     *         "name": "Finance",
                     *         "plan": "self_hosted",
                     *         "personalKeysAllowed": true,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workspace was created, and you are its admin. */
                        data: components["schemas"]["WorkspaceView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace and its settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Default",
                     *         "plan": "self_hosted",
                     *         "personalKeysAllowed": true,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workspace and its settings. */
                        data: components["schemas"]["WorkspaceView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000001
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Accounting"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorkspaceBody"];
            };
        };
        responses: {
            /** @description The workspace as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ws_01957c6a8e0070008000000000000001",
                     *         "name": "Accounting",
                     *         "plan": "self_hosted",
                     *         "personalKeysAllowed": true,
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workspace as it is after the change. */
                        data: components["schemas"]["WorkspaceView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members of the workspace with their roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "userId": "usr_01957c6a8e0070008000000000000008",
                     *           "email": "admin@localhost",
                     *           "name": "Admin",
                     *           "role": "admin",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         },
                     *         {
                     *           "userId": "usr_01957c6a8e0070008000000000000005",
                     *           "email": "bob@example.org",
                     *           "name": "Bob",
                     *           "role": "viewer",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The members of the workspace with their roles. */
                        data: components["schemas"]["MemberView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the member.
                 * @example usr_01957c6a8e0070008000000000000009
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is no longer a member of the workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_01957c6a8e0070008000000000000009",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The person is no longer a member of the workspace. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the member.
                 * @example usr_01957c6a8e0070008000000000000005
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeRoleBody"];
            };
        };
        responses: {
            /** @description The member with the new role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000005",
                     *         "email": "bob@example.org",
                     *         "name": "Bob",
                     *         "role": "editor",
                     *         "createdAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The member with the new role. */
                        data: components["schemas"]["MemberView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 200 invitations, the open invitations first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inv_01957c6a8e0070008000000000000006",
                     *           "email": "dan@example.org",
                     *           "name": "Bob",
                     *           "role": "viewer",
                     *           "status": "withdrawn",
                     *           "invitedBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z",
                     *           "decidedAt": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "id": "inv_01957c6a8e0070008000000000000007",
                     *           "email": "eve@example.org",
                     *           "name": "Bob",
                     *           "role": "viewer",
                     *           "status": "declined",
                     *           "invitedBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z",
                     *           "decidedAt": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "id": "inv_01957c6a8e0070008000000000000003",
                     *           "email": "bob@example.org",
                     *           "name": "Bob",
                     *           "role": "viewer",
                     *           "status": "accepted",
                     *           "invitedBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z",
                     *           "decidedAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The newest 200 invitations, the open invitations first. */
                        data: components["schemas"]["InvitationView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "bob@example.org",
                 *       "name": "Bob",
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["InviteBody"];
            };
        };
        responses: {
            /** @description The person is invited for seven days and answers with `token`, which is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01957c6a8e0070008000000000000003",
                     *         "email": "bob@example.org",
                     *         "name": "Bob",
                     *         "role": "viewer",
                     *         "status": "pending",
                     *         "invitedBy": "key_01957c6a8e0070008000000000000004",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "expiresAt": "2026-01-02T09:00:01.000Z",
                     *         "decidedAt": null,
                     *         "token": "an-example-of-an-invitations-token-43-long-x-"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The person is invited for seven days and answers with `token`, which is shown only here. */
                        data: components["schemas"]["MadeInvitationView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the invitation.
                 * @example inv_01957c6a8e0070008000000000000006
                 */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is withdrawn. Its token is invalid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_01957c6a8e0070008000000000000006",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The invitation is withdrawn. Its token is invalid. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    readInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "an-example-of-an-invitations-token-43-long-x-"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            /** @description The workspace and the role that the invitation offers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "workspaceName": "Default",
                     *         "email": "bob@example.org",
                     *         "role": "viewer",
                     *         "expiresAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The workspace and the role that the invitation offers. */
                        data: components["schemas"]["OfferView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "an-example-of-an-invitations-token-43-long-x-"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            /** @description You are a member of the workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "workspaceId": "ws_01957c6a8e0070008000000000000002",
                     *         "userId": "usr_01957c6a8e0070008000000000000005",
                     *         "role": "viewer",
                     *         "key": "sk-holdfast-pExampleExampleExampleExampleExampleExample"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You are a member of the workspace. */
                        data: components["schemas"]["JoinedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "an-example-of-an-invitations-token-43-long-x-"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            /** @description The invitation is declined; nothing has changed for you. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "declined"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The invitation is declined; nothing has changed for you. */
                        data: components["schemas"]["DeclinedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are no longer a member of the workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ws_01957c6a8e0070008000000000000002",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You are no longer a member of the workspace. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOwnWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pauseMails": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateOwnWorkspaceBody"];
            };
        };
        responses: {
            /** @description Your membership of the workspace after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ws_01957c6a8e0070008000000000000002",
                     *         "name": "Default",
                     *         "plan": "self_hosted",
                     *         "role": "admin",
                     *         "personalKeysAllowed": true,
                     *         "pauseMails": true,
                     *         "awaitsProvider": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Your membership of the workspace after the change. */
                        data: components["schemas"]["OwnWorkspaceView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaceKeys: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys, the newest first, without their values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01957c6a8e0070008000000000000010",
                     *           "name": "Nightly job",
                     *           "kind": "workspace",
                     *           "role": "editor",
                     *           "hint": "sk-holdfast-…mple",
                     *           "createdBy": "key_01957c6a8e0070008000000000000004",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": null
                     *         },
                     *         {
                     *           "id": "key_01957c6a8e0070008000000000000004",
                     *           "name": "first",
                     *           "kind": "workspace",
                     *           "role": "admin",
                     *           "hint": "sk-holdfast-…mple",
                     *           "createdBy": "usr_01957c6a8e0070008000000000000008",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of keys, the newest first, without their values. */
                        data: components["schemas"]["KeyView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspaceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly job",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            /** @description The key was created; `key` holds its value, which is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01957c6a8e0070008000000000000010",
                     *         "name": "Nightly job",
                     *         "kind": "workspace",
                     *         "role": "editor",
                     *         "hint": "sk-holdfast-…mple",
                     *         "createdBy": "key_01957c6a8e0070008000000000000004",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": null,
                     *         "key": "sk-holdfast-wExampleExampleExampleExampleExampleExample"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The key was created; `key` holds its value, which is shown only here. */
                        data: components["schemas"]["MintedKeyView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeWorkspaceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the key.
                 * @example key_01957c6a8e0070008000000000000010
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked and no longer valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01957c6a8e0070008000000000000010",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The key is revoked and no longer valid. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPersonalKeys: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. Leave it out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of your personal keys, the newest first, without their values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01957c6a8e0070008000000000000011",
                     *           "name": "Laptop",
                     *           "kind": "personal",
                     *           "role": "admin",
                     *           "hint": "sk-holdfast-…mple",
                     *           "createdBy": "usr_01957c6a8e0070008000000000000008",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": null
                     *         },
                     *         {
                     *           "id": "key_01957c6a8e0070008000000000000012",
                     *           "name": "first",
                     *           "kind": "personal",
                     *           "role": "admin",
                     *           "hint": "sk-holdfast-…mple",
                     *           "createdBy": "usr_01957c6a8e0070008000000000000008",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "lastUsedAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description One page of your personal keys, the newest first, without their values. */
                        data: components["schemas"]["KeyView"][];
                        /** @description The `cursor` of the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPersonalKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePersonalKeyBody"];
            };
        };
        responses: {
            /** @description The key was created; `key` holds its value, which is shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01957c6a8e0070008000000000000011",
                     *         "name": "Laptop",
                     *         "kind": "personal",
                     *         "role": "admin",
                     *         "hint": "sk-holdfast-…mple",
                     *         "createdBy": "usr_01957c6a8e0070008000000000000008",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "expiresAt": null,
                     *         "revokedAt": null,
                     *         "lastUsedAt": null,
                     *         "key": "sk-holdfast-pExampleExampleExampleExampleExampleExample"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The key was created; `key` holds its value, which is shown only here. */
                        data: components["schemas"]["MintedKeyView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokePersonalKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example key_01957c6a8e0070008000000000000011
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked and no longer valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01957c6a8e0070008000000000000011",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The key is revoked and no longer valid. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSavedViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your saved views, by list and name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "view_01957c6a8e0070008000000000000013",
                     *           "area": "executions",
                     *           "name": "Failed today",
                     *           "query": "status=failed",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Your saved views, by list and name. */
                        data: components["schemas"]["SavedViewView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "area": "executions",
                 *       "name": "Failed today",
                 *       "query": "status=failed"
                 *     }
                 */
                "application/json": components["schemas"]["SaveViewBody"];
            };
        };
        responses: {
            /** @description The view as it was saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "view_01957c6a8e0070008000000000000013",
                     *         "area": "executions",
                     *         "name": "Failed today",
                     *         "query": "status=failed",
                     *         "createdAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The view as it was saved. */
                        data: components["schemas"]["SavedViewView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the view, from the list of your saved views.
                 * @example view_01957c6a8e0070008000000000000013
                 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view was deleted; its filters stay in the address of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "view_01957c6a8e0070008000000000000013",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The view was deleted; its filters stay in the address of the list. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names of the secrets; a value is never shown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "BILLING_TOKEN",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The names of the secrets; a value is never shown. */
                        data: components["schemas"]["SecretView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    putSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The name of the secret.
                 * @example BILLING_TOKEN
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "the token of the billing service"
                 *     }
                 */
                "application/json": components["schemas"]["PutSecretBody"];
            };
        };
        responses: {
            /** @description The secret has the new value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "BILLING_TOKEN",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The secret has the new value. */
                        data: components["schemas"]["SecretView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The name of the secret.
                 * @example BILLING_TOKEN
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret was deleted; blocks that name it fail from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "BILLING_TOKEN",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The secret was deleted; blocks that name it fail from now on. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSignInWays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways in which people sign in here. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "mail": true,
                     *         "passkeys": true,
                     *         "providers": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The ways in which people sign in here. */
                        data: components["schemas"]["SignInWaysView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "an-example-of-an-invitations-token-43-long-x-"
                 *     }
                 */
                "application/json": components["schemas"]["SignInLinkBody"];
            };
        };
        responses: {
            /** @description You have signed in; the cookie holds the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000008",
                     *         "sessionId": "ses_01957c6a8e0070008000000000000016",
                     *         "expiresAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You have signed in; the cookie holds the session. */
                        data: components["schemas"]["SignedInView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestSignInMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "joe@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["SignInMailBody"];
            };
        };
        responses: {
            /** @description A link is under way if the address is known. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "message": "If this address is known here, a mail with a link arrives within a minute."
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description A link is under way if the address is known. */
                        data: components["schemas"]["SentMailView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "an-example-of-an-invitations-token-43-long-x-"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            /** @description You are a member of the workspace, and have signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000014",
                     *         "sessionId": "ses_01957c6a8e0070008000000000000015",
                     *         "expiresAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You are a member of the workspace, and have signed in. */
                        data: components["schemas"]["SignedInView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    startPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options for the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "options": {
                     *           "rpId": "localhost",
                     *           "challenge": "Base64urlOfTheBrowser",
                     *           "timeout": 60000,
                     *           "userVerification": "required"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The options for the browser. */
                        data: components["schemas"]["PasskeyOptionsView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response": {
                 *         "id": "Base64urlOfTheBrowser",
                 *         "rawId": "Base64urlOfTheBrowser",
                 *         "type": "public-key",
                 *         "clientExtensionResults": {},
                 *         "response": {
                 *           "clientDataJSON": "Base64urlOfTheBrowser",
                 *           "authenticatorData": "Base64urlOfTheBrowser",
                 *           "signature": "Base64urlOfTheBrowser"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PasskeyAnswerBody"];
            };
        };
        responses: {
            /** @description You have signed in; the cookie holds the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000008",
                     *         "sessionId": "ses_01957c6a8e0070008000000000000018",
                     *         "expiresAt": "2026-01-02T09:00:01.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You have signed in; the cookie holds the session. */
                        data: components["schemas"]["SignedInView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your account with its workspaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_01957c6a8e0070008000000000000008",
                     *         "email": "admin@localhost",
                     *         "name": "Admin",
                     *         "emailProven": false,
                     *         "emailProvenAt": null,
                     *         "ways": {
                     *           "passkey": false,
                     *           "mail": false,
                     *           "providers": []
                     *         },
                     *         "workspaces": [
                     *           {
                     *             "id": "ws_01957c6a8e0070008000000000000002",
                     *             "name": "Default",
                     *             "plan": "self_hosted",
                     *             "role": "admin",
                     *             "personalKeysAllowed": true,
                     *             "pauseMails": true,
                     *             "awaitsProvider": null
                     *           },
                     *           {
                     *             "id": "ws_01957c6a8e0070008000000000000001",
                     *             "name": "Accounting",
                     *             "plan": "self_hosted",
                     *             "role": "admin",
                     *             "personalKeysAllowed": true,
                     *             "pauseMails": true,
                     *             "awaitsProvider": null
                     *           }
                     *         ],
                     *         "session": {
                     *           "id": "ses_01957c6a8e0070008000000000000016",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Your account with its workspaces. */
                        data: components["schemas"]["MeView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Admin"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMeBody"];
            };
        };
        responses: {
            /** @description Your account as it is after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_01957c6a8e0070008000000000000008",
                     *         "email": "admin@localhost",
                     *         "name": "Admin",
                     *         "emailProven": false,
                     *         "emailProvenAt": null,
                     *         "ways": {
                     *           "passkey": false,
                     *           "mail": false,
                     *           "providers": []
                     *         },
                     *         "workspaces": [
                     *           {
                     *             "id": "ws_01957c6a8e0070008000000000000002",
                     *             "name": "Default",
                     *             "plan": "self_hosted",
                     *             "role": "admin",
                     *             "personalKeysAllowed": true,
                     *             "pauseMails": true,
                     *             "awaitsProvider": null
                     *           },
                     *           {
                     *             "id": "ws_01957c6a8e0070008000000000000001",
                     *             "name": "Accounting",
                     *             "plan": "self_hosted",
                     *             "role": "admin",
                     *             "personalKeysAllowed": true,
                     *             "pauseMails": true,
                     *             "awaitsProvider": null
                     *           }
                     *         ],
                     *         "session": {
                     *           "id": "ses_01957c6a8e0070008000000000000016",
                     *           "createdAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Your account as it is after the change. */
                        data: components["schemas"]["MeView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your live sessions, the last used first; 200 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ses_01957c6a8e0070008000000000000018",
                     *           "method": "passkey",
                     *           "address": "127.0.0.1",
                     *           "browser": "Chrome on Linux",
                     *           "current": false,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "lastUsedAt": "2026-01-02T09:00:01.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z"
                     *         },
                     *         {
                     *           "id": "ses_01957c6a8e0070008000000000000016",
                     *           "method": "link",
                     *           "address": "127.0.0.1",
                     *           "browser": "Chrome on Linux",
                     *           "current": true,
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "lastUsedAt": "2026-01-02T09:00:01.000Z",
                     *           "expiresAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Your live sessions, the last used first; 200 at most. */
                        data: components["schemas"]["SessionView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your other sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "message": "0 other sessions have ended."
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Your other sessions have ended. */
                        data: components["schemas"]["RevokedSessionsView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the session.
                 * @example ses_01957c6a8e0070008000000000000018
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ses_01957c6a8e0070008000000000000018",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The session has ended. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You have signed out in this browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "signedOut": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description You have signed out in this browser. */
                        data: components["schemas"]["SignedOutView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your passkeys, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pky_01957c6a8e0070008000000000000017",
                     *           "name": "Laptop",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "lastUsedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Your passkeys, the oldest first. */
                        data: components["schemas"]["PasskeyView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "response": {
                 *         "id": "Base64urlOfTheBrowser",
                 *         "rawId": "Base64urlOfTheBrowser",
                 *         "type": "public-key",
                 *         "clientExtensionResults": {},
                 *         "response": {
                 *           "clientDataJSON": "Base64urlOfTheBrowser",
                 *           "attestationObject": "Base64urlOfTheBrowser",
                 *           "transports": [
                 *             "internal"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewPasskeyBody"];
            };
        };
        responses: {
            /** @description The passkey is kept, and signs you in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pky_01957c6a8e0070008000000000000017",
                     *         "name": "Laptop",
                     *         "createdAt": "2026-01-02T09:00:00.000Z",
                     *         "lastUsedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The passkey is kept, and signs you in. */
                        data: components["schemas"]["PasskeyView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    startPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options for the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "options": {
                     *           "challenge": "Base64urlOfTheBrowser",
                     *           "rp": {
                     *             "name": "Holdfast",
                     *             "id": "localhost"
                     *           },
                     *           "user": {
                     *             "id": "Base64urlOfTheBrowser",
                     *             "name": "admin@localhost",
                     *             "displayName": "Admin"
                     *           },
                     *           "pubKeyCredParams": [
                     *             {
                     *               "alg": -8,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -7,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -257,
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "timeout": 60000,
                     *           "attestation": "none",
                     *           "excludeCredentials": [],
                     *           "authenticatorSelection": {
                     *             "residentKey": "required",
                     *             "userVerification": "required",
                     *             "requireResidentKey": true
                     *           },
                     *           "extensions": {
                     *             "credProps": true
                     *           },
                     *           "hints": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The options for the browser. */
                        data: components["schemas"]["PasskeyOptionsView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the passkey.
                 * @example pky_01957c6a8e0070008000000000000017
                 */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkey is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pky_01957c6a8e0070008000000000000017",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The passkey is deleted. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your identities, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "idn_01957c6a8e0070008000000000000019",
                     *           "provider": "corp",
                     *           "providerName": "corp",
                     *           "email": "joe@corp.example",
                     *           "createdAt": "2026-01-02T09:00:00.000Z",
                     *           "lastUsedAt": "2026-01-02T09:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Your identities, the oldest first. */
                        data: components["schemas"]["IdentityView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the identity, from the list of your identities.
                 * @example idn_01957c6a8e0070008000000000000019
                 */
                identityId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity is unlinked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "idn_01957c6a8e0070008000000000000019",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The identity is unlinked. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageLimits: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rate limits of the key, and the usage, storage and tables of a workspace. Without a workspace in the query it is the first workspace of the key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "rateLimit": {
                     *         "sync": {
                     *           "requestsPerMinute": 12000,
                     *           "maxBurst": 24000,
                     *           "remaining": 23999,
                     *           "resetAt": "2026-01-02T09:00:01.000Z",
                     *           "limit": 12000,
                     *           "isLimited": false
                     *         },
                     *         "async": {
                     *           "requestsPerMinute": 12000,
                     *           "maxBurst": 24000,
                     *           "remaining": 23999,
                     *           "resetAt": "2026-01-02T09:00:01.000Z",
                     *           "limit": 12000,
                     *           "isLimited": false
                     *         },
                     *         "authType": "api"
                     *       },
                     *       "usage": {
                     *         "currentPeriodCost": 0,
                     *         "limit": 1000000,
                     *         "plan": "self_hosted",
                     *         "isExceeded": false
                     *       },
                     *       "memberCap": null,
                     *       "storage": {
                     *         "usedBytes": 0,
                     *         "limitBytes": 1099511627776,
                     *         "percentUsed": 0
                     *       },
                     *       "tables": {
                     *         "count": 0,
                     *         "maxTables": 10000,
                     *         "maxRowsPerTable": 10000000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UsageLimitsView"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The grouping of the cost. */
                groupBy?: "day" | "workflow" | "member" | "kind";
                /** @description The first day, in UTC. Left out: the first day of this month. */
                startDate?: string;
                /** @description The last day, in UTC. Left out: today. */
                endDate?: string;
                /** @description The maximum number of groups. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups. Days come in their order, other groups by their cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [],
                     *       "total": {
                     *         "cost": 0,
                     *         "executions": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The groups. Days come in their order, other groups by their cost. */
                        data: components["schemas"]["UsageGroupView"][];
                        /** @description The total of all groups. */
                        total: components["schemas"]["UsageTotalView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportUsage: {
        parameters: {
            query?: {
                /** @description The id of the workspace. It may be left out when the key reaches only one. */
                workspaceId?: string;
                /** @description The grouping of the cost. */
                groupBy?: "day" | "workflow" | "member" | "kind";
                /** @description The first day, in UTC. Left out: the first day of this month. */
                startDate?: string;
                /** @description The last day, in UTC. Left out: today. */
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CSV with a line for each group, 10,000 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example group,name,cost,entries */
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMemberCaps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caps of all members with a cap. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "userId": "usr_01957c6a8e0070008000000000000005",
                     *           "monthlyCost": 20,
                     *           "currentPeriodCost": 0,
                     *           "isExceeded": false,
                     *           "updatedAt": "2026-01-02T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The caps of all members with a cap. */
                        data: components["schemas"]["MemberCapView"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMemberCap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the member.
                 * @example usr_01957c6a8e0070008000000000000005
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cap and the cost of the member. Without a cap the answer is 404. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000005",
                     *         "monthlyCost": 20,
                     *         "currentPeriodCost": 0,
                     *         "isExceeded": false,
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The cap and the cost of the member. Without a cap the answer is 404. */
                        data: components["schemas"]["MemberCapView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    setMemberCap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the member.
                 * @example usr_01957c6a8e0070008000000000000005
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "monthlyCost": 20
                 *     }
                 */
                "application/json": components["schemas"]["SetMemberCapBody"];
            };
        };
        responses: {
            /** @description The cap as it holds from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "userId": "usr_01957c6a8e0070008000000000000005",
                     *         "monthlyCost": 20,
                     *         "currentPeriodCost": 0,
                     *         "isExceeded": false,
                     *         "updatedAt": "2026-01-02T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The cap as it holds from now on. */
                        data: components["schemas"]["MemberCapView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMemberCap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace. It may be left out when the key reaches only one.
                 * @example ws_01957c6a8e0070008000000000000002
                 */
                workspaceId: string;
                /**
                 * @description The id of the member.
                 * @example usr_01957c6a8e0070008000000000000005
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cap was removed. Only the workspace plan limits the member now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_01957c6a8e0070008000000000000005",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The cap was removed. Only the workspace plan limits the member now. */
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive and answers requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "up"
                     *     }
                     */
                    "application/json": components["schemas"]["LivenessView"];
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process can serve requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "up",
                     *       "dependencies": {
                     *         "database": "up",
                     *         "temporal": "up"
                     *       },
                     *       "repairsRuns": false
                     *     }
                     */
                    "application/json": components["schemas"]["ReadinessView"];
                };
            };
            /** @description The process cannot serve requests: the database is away, or the process is stopping. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessView"];
                };
            };
        };
    };
}
