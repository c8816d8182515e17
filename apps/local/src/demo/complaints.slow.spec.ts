import { Stack } from '#apps/api/test/support/stack';
import { Client } from './client.ts';
import { Complaints } from './complaints.ts';
import { Screen } from './screen.ts';
import { ScriptedModel } from './scripted-model.ts';

/** Keeps the lines in place of printing them. */
class KeptScreen extends Screen {
  readonly lines: string[] = [];

  override step(what: string, about = ''): void {
    this.lines.push(`${what}: ${about}`);
  }

  override note(text: string): void {
    this.lines.push(text);
  }

  override heading(): void {}

  override check(holds: boolean, what: string): void {
    this.lines.push(`${holds ? 'ok' : 'FAILED'}: ${what}`);
  }
}

let model: ScriptedModel;
let stack: Stack;
beforeAll(async () => {
  model = await ScriptedModel.start();
  stack = await Stack.start({ LLM_BASE_URL: model.url });
});
afterAll(async () => {
  await stack.stop();
  await model.stop();
});

/** A demo in a new workspace. The person decides with this function. */
async function played(decision: 'approve' | 'reject', asked?: string) {
  const screen = new KeptScreen();
  const client = new Client(stack.url, (await stack.givenWorkspace(decision)).key);
  const options = { decision, interactive: false, modelName: 'a script', model: asked, modelKey: 'none' };
  const isGood = await new Complaints({ client, screen }, options).play();
  return { isGood, lines: screen.lines };
}

describe('Complaints', () => {
  test('Complaints lets the model decide the small order, and a person on the page the large one', async () => {
    const { isGood, lines } = await played('approve');
    expect({ isGood, failed: lines.filter((line) => line.startsWith('FAILED')) }).toEqual({
      isGood: true,
      failed: [],
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        'The model is a script.',
        'The agent lists tools: handle_complaint, get_execution, cancel_execution',
        'The agent gets: refund, decided by a model',
        'A person decides: on the page: yes. Seen the picture.',
        'The agent gets: refund, decided by a person',
      ]),
    );
    // A link is a permission, and the program is the person here.
    expect(lines.join('\n')).not.toContain('/resume/');
  });

  test('Complaints brings the agent a rejection, and asks the provider for the model that the user names', async () => {
    const { isGood, lines } = await played('reject', 'small');
    expect(isGood).toBe(true);
    expect(lines).toContain('The agent gets: none, decided by a person');
    expect(model.models.slice(-2)).toEqual(['small', 'small']);
  });
});

test('ScriptedModel answers only chat completions', async () => {
  const { status } = await fetch(`${model.url}/models`);
  expect(status).toBe(404);
});
