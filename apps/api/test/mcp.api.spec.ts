import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Stack } from './support/stack.ts';

const greeting = {
  start: { inputs: { name: { type: 'string', required: true, description: 'Who is greeted.' } } },
  blocks: [
    {
      id: 'done',
      type: 'response',
      params: { data: { text: 'Hello {{ start.name }}', name: '{{ start.name }}' } },
    },
  ],
  edges: [{ from: 'start', to: 'done' }],
};

describe('The endpoint for agents', () => {
  let stack: Stack;
  let url: URL;

  beforeAll(async () => {
    stack = await Stack.start();
    const workflowId = await stack.givenDeployed(greeting);
    const made = await stack.post('/api/v1/mcp-servers', {
      name: 'desk',
      tools: [{ workflowId, name: 'greet' }],
    });
    expect(made.status).toBe(201);
    url = new URL(`/api/mcp/${made.body.data.id}`, stack.url);
  });
  afterAll(() => stack.stop());

  const headers = () => ({ 'x-api-key': stack.home.key });

  test('serves the client of this generation: it lists tools and calls one', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: headers() } }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['greet', 'get_execution', 'cancel_execution']);
    const result = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } });
    expect(result.structuredContent).toEqual({ text: 'Hello Ann', name: 'Ann' });
    await client.close();
  });

  test('serves the client of the generation before', async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(url, { requestInit: { headers: headers() } }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['greet', 'get_execution', 'cancel_execution']);
    const result = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } });
    expect(result.structuredContent).toEqual({ text: 'Hello Ann', name: 'Ann' });
    await client.close();
  });
});
