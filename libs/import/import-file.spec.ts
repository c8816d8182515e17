import { Invalid } from '#libs/platform/errors/errors';
import { convertFile, importCharsMax, workflowsNamedIn } from './import-file.ts';

const nothing = { workflows: new Map<string, string>() };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

function n8nFile(nodes: number, ways: number, more: object = {}) {
  const list = numbers(nodes).map((i) => ({
    name: `N${i}`,
    type: `n8n-nodes-base.${i ? 'noOp' : 'webhook'}`,
  }));
  const main = [numbers(ways).map((i) => ({ node: `N${1 + (i % (nodes - 1))}` }))];
  return { name: 'Large', nodes: list, connections: { N0: { main } }, ...more };
}

function simFile(blocks: number, edges: number) {
  const all = numbers(blocks).map((i) => [`b${i}`, { type: i ? 'wait' : 'starter', name: `B${i}` }]);
  const ways = numbers(edges).map((i) => ({ source: 'b0', target: `b${1 + (i % (blocks - 1))}` }));
  return { blocks: Object.fromEntries(all), edges: ways };
}

describe('a file of another product', () => {
  test.each<['n8n' | 'sim', string, unknown, string]>([
    ['n8n', '501 nodes', n8nFile(501, 1), 'nodes'],
    ['n8n', '2,001 ways', n8nFile(500, 2001), 'connections'],
    ['n8n', '4,000,001 characters', n8nFile(2, 1, { notes: 'x'.repeat(importCharsMax) }), ''],
    ['sim', '501 blocks', simFile(501, 1), 'blocks'],
    ['sim', '2,001 edges', simFile(500, 2001), 'edges'],
  ])('a file of another product from %s is refused with %s, by the field', (from, _, file, path) => {
    const refusal = (() => {
      try {
        return convertFile(from, file, nothing);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Invalid);
    expect(Object(refusal).details).toMatchObject([
      { path, code: expect.stringMatching(/^too_(many|large)$/) },
    ]);
  });

  test('a file of another product is taken with as many blocks and ways as a definition may have', () => {
    expect(convertFile('n8n', n8nFile(500, 2000), nothing).report.blocks).toHaveLength(500);
    expect(convertFile('sim', simFile(500, 2000), nothing).report.blocks).toHaveLength(500);
  });

  test('a file of another product causes a lookup of its first hundred workflows, each once', () => {
    const runs = (name: string) => ({ type: 'workflow', name });
    const blocks = numbers(250).map((i) => [`b${i}`, runs(`W${i >> 1}`)]);
    const names = workflowsNamedIn('sim', { blocks: Object.fromEntries(blocks) });
    expect(names).toEqual(numbers(100).map((i) => `W${i}`));
  });
});
