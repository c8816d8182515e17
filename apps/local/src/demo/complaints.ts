import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client as Agent, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { checkout } from '../paths.ts';
import type { Client } from './client.ts';
import type { Screen } from './screen.ts';

interface ComplaintStage {
  client: Client;
  screen: Screen;
}

export interface ModelOptions {
  /** The name of the model in the output. */
  modelName: string;
  /** The name of the model in requests to the provider; the name of the example when none is given. */
  model?: string | undefined;
  /** The key of the provider. */
  modelKey: string;
}

export interface ComplaintsOptions extends ModelOptions {
  decision: 'approve' | 'reject';
  /** True if the user decides in place of the program. */
  interactive: boolean;
}

/** The result of the tool. */
interface Decided {
  action: string;
  reason: string;
  decidedBy: string;
  note: string;
}

interface ExampleFile {
  name: string;
  description: string;
  definition: { blocks: { type: string; params?: { model?: string } }[] };
}

/** Two complaints; the bound of the workflow, 100, lies between their amounts. */
const cheap = { order: 'A-1001', amount: 40, complaint: 'The cup came broken. I want my money back.' };
const dear = { order: 'A-1002', amount: 480, complaint: 'The lamp came broken. I want my money back.' };

const toolName = 'handle_complaint';
/** Less than the minute that the client waits for an answer. */
const waitSeconds = 50;
const lookEveryMs = 500;

/**
 * An agent hands complaints to a workflow, whose model proposes and whose people decide above a bound. The agent is the
 * official client of the Model Context Protocol; all else uses only HTTP.
 */
export class Complaints {
  private workflowId = '';
  /** The question that the agent shows to its user. */
  private readonly links: string[] = [];

  constructor(
    private readonly stage: ComplaintStage,
    private readonly options: ComplaintsOptions,
  ) {}

  /** True when each complaint was decided by the right decider. */
  async play(): Promise<boolean> {
    const { screen } = this.stage;
    await this.deploy();
    const agent = await this.connect(await this.offer());
    try {
      const { tools } = await agent.listTools();
      screen.step('The agent lists tools', tools.map(({ name }) => name).join(', '));
      const small = await this.call(agent, cheap);
      const large = await this.call(agent, dear);
      return await this.check(
        tools.map(({ name }) => name),
        small,
        large,
      );
    } finally {
      await agent.close();
    }
  }

  private async deploy(): Promise<void> {
    const { client, screen } = this.stage;
    const { modelName, model, modelKey } = this.options;
    const [workspace] = (await client.getJson<{ data: { id: string }[] }>('/api/v1/workspaces')).data;
    await client.putJson(`/api/v1/workspaces/${workspace?.id}/secrets/OPENAI_KEY`, { value: modelKey });
    const example: ExampleFile = JSON.parse(
      readFileSync(join(checkout(), 'apps/local/examples/complaint.json'), 'utf8'),
    );
    for (const { type, params } of example.definition.blocks)
      if (type === 'llm' && params && model) params.model = model;
    const { data } = await client.post<{ data: { id: string } }>('/api/v1/workflows', example);
    this.workflowId = data.id;
    await client.post(`/api/v1/workflows/${data.id}/deploy`, {});
    screen.step('Deployed', 'a workflow: a model proposes, and above 100 a person decides');
    screen.note(`The model is ${modelName}.`);
  }

  /** The address of a server that offers the workflow. */
  private async offer(): Promise<string> {
    const { client, screen } = this.stage;
    const { data } = await client.post<{ data: { id: string } }>('/api/v1/mcp-servers', {
      name: 'Complaints desk',
      waitSeconds,
      tools: [{ workflowId: this.workflowId, name: toolName, destructiveHint: true }],
    });
    const url = `${client.url}/api/mcp/${data.id}`;
    screen.step('Offered', `as a tool, at ${url}`);
    return url;
  }

  private async connect(url: string): Promise<Agent> {
    const { client, screen } = this.stage;
    const agent = new Agent(
      { name: 'holdfast-demo', version: '1' },
      // It can show a page to its user, and fill in no form for them.
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    );
    agent.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('The agent was given a form to fill in.');
      this.links.push(params.url);
      screen.step('The agent gets a page', 'the run waits for a person, and the agent shows them the link');
      screen.aside(params.message.replaceAll(/\n+/g, '\n'));
      await this.decide(params.url);
      return { action: 'accept' };
    });
    const headers = { 'x-api-key': client.key };
    await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    screen.step('An agent connects', `revision ${agent.getNegotiatedProtocolVersion()} of the protocol`);
    return agent;
  }

  private async call(agent: Agent, complaint: typeof cheap): Promise<Decided> {
    const { screen } = this.stage;
    const { order, amount } = complaint;
    screen.step('The agent calls', `${toolName}, order ${order} for ${amount}`);
    screen.note(complaint.complaint);
    const result = await agent.callTool({ name: toolName, arguments: complaint });
    if (result.isError) throw new Error(`The tool has failed: ${JSON.stringify(result.content)}`);
    // The output schema of the tool promises the shape, or the shape of an execution that has not ended.
    const decided = result.structuredContent as Decided | { execution: { status: string } };
    if ('execution' in decided) throw new Error(`The call is ${decided.execution.status} and has no result.`);
    screen.step('The agent gets', `${decided.action}, decided by a ${decided.decidedBy}`);
    screen.note([decided.reason, decided.note].filter(Boolean).join(' '));
    return decided;
  }

  private async decide(link: string): Promise<void> {
    const { client, screen } = this.stage;
    if (this.options.interactive) {
      screen.step('Your turn', 'decide on this page:');
      screen.line(link);
      while ((await this.statuses()).includes('paused')) await pause(lookEveryMs);
      return;
    }
    const { pathname, search } = new URL(link);
    const page = await fetch(client.url + pathname + search);
    if (!page.ok || !(await page.text()).includes(dear.order))
      throw new Error(`The page was answered with ${page.status} and does not show the order.`);
    const isApproved = this.options.decision === 'approve';
    const note = isApproved ? 'Seen the picture.' : 'Ask for a picture first.';
    const answers = new URLSearchParams({ approved: String(isApproved), note });
    const signed = await fetch(page.url, { method: 'POST', body: answers });
    if (!signed.ok) throw new Error(`The answer on the page was refused with ${signed.status}.`);
    screen.step('A person decides', `on the page: ${isApproved ? 'yes' : 'no'}. ${note}`);
  }

  /** The states of all executions of the workflow. */
  private async statuses(): Promise<string[]> {
    const path = `/api/v1/logs?workflowIds=${this.workflowId}`;
    const { data } = await this.stage.client.getJson<{ data: { status: string }[] }>(path);
    return data.map(({ status }) => status);
  }

  private async check(tools: string[], small: Decided, large: Decided): Promise<boolean> {
    const { screen } = this.stage;
    const { interactive, decision } = this.options;
    const isAsDecided = interactive || (large.action === 'none') === (decision === 'reject');
    const statuses = await this.statuses();
    const checks: [boolean, string][] = [
      [tools.includes(toolName), `${toolName} is among the tools`],
      [small.decidedBy === 'model', 'the model alone has decided the small order'],
      [
        large.decidedBy === 'person' && isAsDecided,
        'a person has decided the large order, and the agent has got their decision',
      ],
      [this.links.length === 1, `the agent was sent to one page (${this.links.length})`],
      [
        statuses.join() === 'completed,completed',
        `two calls are two runs, both completed (${statuses.join(', ')})`,
      ],
    ];
    screen.heading('Checks');
    for (const [holds, what] of checks) screen.check(holds, what);
    return checks.every(([holds]) => holds);
  }
}
