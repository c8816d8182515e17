import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';

type Answer = (name: string, args: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;

/** An MCP server over streamable HTTP, made with the official SDK. Each client has a session, as in that SDK's examples. */
export class ToolServer {
  /** Tool calls by name, and every HTTP request by method. */
  readonly called: string[] = [];
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  /** Answers before the protocol does, like a gateway in front of the server. */
  gate: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  private readonly sessions = new Map<string, StreamableHTTPServerTransport>();

  private constructor(
    private readonly http: HttpServer,
    private readonly answer: Answer,
    private readonly json: boolean,
  ) {}

  static async start(answer: Answer, { json = false } = {}): Promise<ToolServer> {
    const http = createServer();
    const server = new ToolServer(http, answer, json);
    http.on('request', (request, response) => {
      const { method = '', url: path = '', headers } = request;
      server.requests.push({ method, path, headers });
      if (!server.gate(request, response)) void server.serve(request, response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/mcp`;
  }

  get openSessions(): number {
    return this.sessions.size;
  }

  stop(): void {
    this.http.closeAllConnections();
    this.http.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const open = this.sessions.get(String(request.headers['mcp-session-id']));
    const transport = open ?? (await this.newSession());
    await transport.handleRequest(request, response);
  }

  private async newSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: this.json,
      onsessioninitialized: (id) => void this.sessions.set(id, transport),
      onsessionclosed: (id) => void this.sessions.delete(id),
    });
    const server = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      this.called.push(params.name);
      return this.answer(params.name, params.arguments ?? {});
    });
    await server.connect(transport);
    return transport;
  }
}
