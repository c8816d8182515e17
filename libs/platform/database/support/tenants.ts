import type pg from 'pg';

/** A row of every tenant table in the workspace, written as the owner. The names of all rows end in the workspace's. */
export async function fillWorkspace(owner: pg.Client, workspaceId: string): Promise<void> {
  for (const statement of rows) await owner.query(statement.replaceAll('$w', workspaceId));
}

const rows = [
  `insert into workspaces (id, name) values ('$w', 'of $w')`,
  `insert into users (id, email, name) values ('usr_$w', '$w@example.org', 'of $w')`,
  `insert into memberships (workspace_id, user_id, role) values ('$w', 'usr_$w', 'admin')`,
  `insert into former_members (workspace_id, user_id, email) values ('$w', 'usr_$w', '$w@example.org')`,
  `insert into invitations (id, workspace_id, email, name, role, digest, invited_by, expires_at)
   values ('inv_$w', '$w', 'new@$w.test', 'new', 'viewer', 'invitation of $w', 'usr_$w', now() + interval '1 day')`,
  `insert into api_keys (id, workspace_id, kind, role, name, digest, hint, created_by)
   values ('key_$w', '$w', 'workspace', 'admin', 'key', 'digest of $w', 'hint', 'usr_$w')`,
  `insert into data_keys (workspace_id, version, wrapped) values ('$w', 1, 'wrapped')`,
  `insert into secrets (workspace_id, name, sealed) values ('$w', 'TOKEN', 'sealed')`,
  `insert into workflows (id, workspace_id, name, definition, definition_hash)
   values ('wf_$w', '$w', 'workflow', '{}', 'hash')`,
  `insert into mcp_servers (id, workspace_id, name) values ('mcp_$w', '$w', 'server')`,
  `insert into plans (workspace_id, hash, plan) values ('$w', 'hash', '{}')`,
  `insert into deployments (id, workspace_id, workflow_id, version, definition, definition_hash, plan_hash, created_by)
   values ('dep_$w', '$w', 'wf_$w', 1, '{}', 'hash', 'hash', 'usr_$w')`,
  `insert into activations (workspace_id, workflow_id, version, actor) values ('$w', 'wf_$w', 1, 'usr_$w')`,
  `insert into triggers (id, workspace_id, workflow_id, kind, name, actor, webhook) values ('trg_$w', '$w', 'wf_$w', 'webhook', 'hook', '{}', '{}')`,
  `insert into trigger_deliveries (id, workspace_id, trigger_id, source, verdict, headers, query, body)
   values ('dlv_$w', '$w', 'trg_$w', 'sender', 'accepted', '{}', '{}', '')`,
  `insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs)
   values ('exec_$w', '$w', 'wf_$w', 'workflow', 1, 'hash', 'sync', 'api', '{}', '{}')`,
  `insert into payloads (id, workspace_id, execution_id, body, bytes) values ('pay_$w', '$w', 'exec_$w', '{}', 2)`,
  `insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at)
   values ('exec_$w', 'one', '$w', 1, 'one', 'One', 'http', 'running', now())`,
  `insert into child_line (execution_id, workspace_id, root_id) values ('exec_$w', '$w', 'exec_$w')`,
  `insert into held_effects (execution_id, workspace_id, workflow_id, path) values ('exec_$w', '$w', 'wf_$w', 'one')`,
  `insert into host_calls (workspace_id, host, workflow_id, begun_at, ends_at) values ('$w', 'a.test', 'wf_$w', now(), now())`,
  `insert into call_claims (execution_id, call, workspace_id, sender) values ('exec_$w', 'one', '$w', 'sender')`,
  `insert into direct_runs (execution_id, workspace_id, process_id) values ('exec_$w', '$w', 'process')`,
  `insert into run_events (execution_id, number, workspace_id, event, at) values ('exec_$w', 1, '$w', '{}', now())`,
  `insert into run_snapshots (execution_id, workspace_id, number, snapshot) values ('exec_$w', '$w', 1, '{}')`,
  `insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at) values ('exec_$w', '$w', true, '{}', now())`,
  `insert into paused_executions (id, workspace_id, workflow_id, execution_id)
   values ('pause_$w', '$w', 'wf_$w', 'exec_$w')`,
  `insert into pause_points (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id, display, form)
   values ('ctx_$w', '$w', 'exec_$w', 'exec_$w', 'pause_$w', 'ask', 'ask', '{}', '[]')`,
  `insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, mode, actor)
   values ('res_$w', '$w', 'exec_$w', 'pause_$w', 'exec_again_$w', 'ctx_$w', 'sync', '{}')`,
  `insert into delegations (context_id, workspace_id, from_id, from_names, to_name, actor)
   values ('ctx_$w', '$w', 'usr_$w', '{}', 'bob', '{}')`,
  `insert into notices (id, workspace_id, context_id, occasion, channel, target)
   values ('notice_$w', '$w', 'ctx_$w', 'opened', 'email', 'bob')`,
  `insert into usage_entries (workspace_id, execution_id, actor, cost) values ('$w', 'exec_$w', 'key_$w', 1)`,
  `insert into usage_members (workspace_id, period, actor, slot, cost) values ('$w', '2026-01-01', 'usr_$w', 0, 1)`,
  `insert into saved_views (id, workspace_id, user_id, area, name, query) values ('view_$w', '$w', 'usr_$w', 'executions', 'mine', '')`,
  `insert into member_caps (workspace_id, user_id, monthly_cost) values ('$w', 'usr_$w', 1000)`,
  `insert into idempotency_keys (workspace_id, route, key, fingerprint, resource_id, locked_until)
   values ('$w', 'execute', 'k', 'f', 'exec_$w', now())`,
  `insert into effect_checkpoints (execution_id, call, workspace_id, output) values ('exec_$w', 'one', '$w', '{}')`,
  `insert into tables (id, workspace_id, name, description, columns, next_column) values ('tbl_$w', '$w', 'table', '', '[]', 1)`,
  `insert into table_rows (id, table_no, position, version, workspace_id, data)
   select gen_random_uuid(), no, 0, 1, '$w', '{}' from tables where id = 'tbl_$w'`,
  `insert into table_keys (table_no, row_id, column_id, key, workspace_id)
   select no, gen_random_uuid(), 'c1', table_key('1'), '$w' from tables where id = 'tbl_$w'`,
  `insert into table_deletions (table_no, version, row_id, workspace_id)
   select no, 1, gen_random_uuid(), '$w' from tables where id = 'tbl_$w'`,
  `insert into table_index (table_no, position, row_id, column_id, key, workspace_id)
   select no, 0, gen_random_uuid(), 'c1', 'k', '$w' from tables where id = 'tbl_$w'`,
  `insert into table_index_builds (table_no, column_id, workspace_id) select no, 'c1', '$w' from tables where id = 'tbl_$w'`,
  `insert into files (id, workspace_id, filename, mime_type, size, sha256)
   values ('file_$w', '$w', 'a.txt', 'text/plain', 1, '\\x00')`,
  `insert into file_pieces (file_no, n, workspace_id, bytes) select no, 0, '$w', '\\x61' from files where id = 'file_$w'`,
  `insert into knowledge_bases (id, workspace_id, name, description, max_size, min_size, overlap, model, dimension)
   values ('kb_$w', '$w', 'base', '', 100, 1, 0, 'm', 1)`,
  `insert into documents (id, base_no, workspace_id, filename, mime_type, file_size, file_id, generation)
   select 'doc_$w', no, '$w', 'a.txt', 'text/plain', 1, 'file_$w', 1 from knowledge_bases where id = 'kb_$w'`,
  `insert into chunks (base_no, document_no, generation, n, workspace_id, content, headings, token_count)
   select base_no, no, 1, 0, '$w', 'a', '[]', 1 from documents where id = 'doc_$w'`,
  `insert into chunk_words (base_no, word, document_no, generation, segment, chunks, workspace_id)
   select base_no, 'a', no, 1, 0, B'1', '$w' from documents where id = 'doc_$w'`,
  `insert into knowledge_words (base_no, word, chunks, workspace_id) select base_no, 'a', 1, '$w' from documents where id = 'doc_$w'`,
  `insert into vectors.chunk_vectors (base_no, document_no, generation, n, part, dimension, enabled, workspace_id, embedding)
   select base_no, no, 1, 0, 0, 1, true, '$w', '[1]' from documents where id = 'doc_$w'`,
  `insert into knowledge_orphans (base_no, workspace_id) select no, '$w' from knowledge_bases where id = 'kb_$w'`,
  `insert into table_imports (id, workspace_id, table_id, format, mode, size) values ('imp_$w', '$w', 'tbl_$w', 'csv', 'all', 1)`,
  `insert into import_reports (id, workspace_id, report) values ('imp_$w', '$w', '{}')`,
  `insert into table_column_orphans (table_no, column_id, workspace_id) select no, 'c1', '$w' from tables where id = 'tbl_$w'`,
  `insert into table_orphans (table_no, workspace_id) select no, '$w' from tables where id = 'tbl_$w'`,
  // A disabled endpoint hears of nothing, so no trigger makes a delivery.
  `insert into endpoints (id, workspace_id, url, secret, enabled) values ('ep_$w', '$w', 'https://$w.test', 'sealed', false)`,
  `insert into events (id, workspace_id, type, data) values ('evt_$w', '$w', 'execution.completed', '{}')`,
  `insert into event_deliveries (id, workspace_id, endpoint_id, event_id) values ('dlv_$w', '$w', 'ep_$w', 'evt_$w')`,
  `insert into backfills (id, workspace_id, trigger_id, from_at, to_at, again, overlap, schedule, total, actor)
   values ('bkf_$w', '$w', 'trg_$w', now(), now(), false, 'buffer_all', '{}', 1, '{}')`,
  `insert into bulk_jobs (id, workspace_id, verb, options, filter, total, per_second, actor, acting, payer)
   values ('bulk_$w', '$w', 'retry', '{}', '{}', 1, 1, '{}', '{}', '{}')`,
  `insert into bulk_items (job_id, workspace_id, number, execution_id) values ('bulk_$w', '$w', 1, 'exec_$w')`,
  `insert into holds (id, workspace_id, workflow_id, mode, reason, actor) values ('hold_$w', '$w', 'wf_$w', 'queue', 'upgrade', '{}')`,
  `insert into alert_rules (id, workspace_id, name, metric, threshold, window_seconds, min_executions, cooldown_seconds) values ('alr_$w', '$w', 'a', 'cost', 1, 60, 1, 60)`,
  `insert into calendars (id, workspace_id, name, dates, weekdays) values ('cal_$w', '$w', 'a', '[]', '[]')`,
  `insert into flow_rules (workflow_id, workspace_id, rules) values ('wf_$w', '$w', '{}')`,
  `insert into flow_places (execution_id, workspace_id, workflow_id, key, state) values ('exec_$w', '$w', 'wf_$w', '', 'running')`,
  `insert into flow_starts (workflow_id, key, workspace_id, at) values ('wf_$w', '', '$w', now())`,
  `insert into flow_timers (line, workflow_id, key, workspace_id, due_at) values ('wf_$w ', 'wf_$w', '', '$w', now())`,
  // Triggers have appended an audit entry for many of the rows above.
  `begin; set local holdfast.audit_retention = 'on'; delete from audit_entries where workspace_id = '$w' and seq > 1; commit`,
  // Triggers have added up the usage, and have written storage changes for the rows above.
  `delete from storage_changes where workspace_id = '$w'`,
  `insert into storage_changes (workspace_id, kind, bytes) values ('$w', 'tables', 1)`,
  `insert into storage_totals (workspace_id, kind, bytes) values ('$w', 'tables', 1)`,
];
