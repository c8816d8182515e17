import { execFileSync } from 'node:child_process';
import { fc } from '#libs/platform/text/support/random';
import { markdown } from './markdown.ts';

const htmlOf = (text: string) => markdown(text).text;
/** The markup without its attributes for direction and language, for easy reading. */
const plain = (text: string) =>
  htmlOf(text).replaceAll(/ (dir|rel|target|class|tabindex|role|aria-label)="[^"]*"/g, '');
const beside = '<span> (opens in a new tab)</span>';

describe('markdown', () => {
  test.each([
    ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
    ['# Title #1\ntext', '<h2>Title #1</h2><p>text</p>'],
    [
      '*a* _b_ **c** __d__ ***e***',
      '<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <em><strong>e</strong></em></p>',
    ],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['费用**高**了', '<p>费用<strong>高</strong>了</p>'],
    [
      '- a\n- b\n  - c\n\n- d',
      '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul>',
    ],
    [
      '3. a\n4. b\ngoes on\n\nafter',
      '<ol start="3"><li><p>a</p></li><li><p>b<br>goes on</p></li></ol><p>after</p>',
    ],
    ['use `a*b*` and ``x ` y``', '<p>use <code>a*b*</code> and <code>x ` y</code></p>'],
    ['```sh\nif <a>\n\n```\nend', '<pre><code>if &lt;a&gt;\n</code></pre><p>end</p>'],
    [
      '[the *plan*](https://a.example/x?y=1&z=2)',
      `<p><a href="https://a.example/x?y=1&amp;z=2">the <em>plan</em>${beside}</a> <span>(a.example)</span></p>`,
    ],
    ['[mail](mailto:a@b.example)', '<p><a href="mailto:a@b.example">mail</a> <span>(a@b.example)</span></p>'],
    [
      'see https://a.example/b_c_d.',
      `<p>see <a href="https://a.example/b_c_d"><bdi>https://a.example/b_c_d</bdi>${beside}</a>.</p>`,
    ],
  ])('the renderer of Markdown reads %j', (text, html) => {
    expect(plain(text)).toBe(html);
  });

  test.each([
    'snake_case_name and 2*3*4',
    '* * *'.replaceAll(' ', ''),
    'a ** b ** c',
    '**never closed',
    '[a]()',
    '[no link] (at all)',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:x)',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](//a.example)',
    '[a](/path)',
    '[a](https://bank.example@evil.example)',
    'xhttps://a.example',
  ])('the renderer of Markdown leaves %j unchanged', (text) => {
    expect(plain(text)).toBe(`<p>${text}</p>`);
  });

  test('the renderer of Markdown reads a sign after a backslash as text', () => {
    expect(plain('\\*a\\* \\[b](https://a.example) \\<')).toContain(
      '<p>*a* [b](<a href="https://a.example/"><bdi>https://a.example</bdi>',
    );
  });

  test('the renderer of Markdown lets no HTML through', () => {
    const text =
      '<script>alert(1)</script> <img src=x onerror=alert(1)> &lt; [<b>](https://a.example/"onclick="x)';
    expect(htmlOf(text)).not.toMatch(/<(script|img|b)\b|"onclick/);
    expect(htmlOf(text)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('the renderer of Markdown shows the address of a link whose text names another address', () => {
    expect(plain('[https://bank.example](https://evil.example/x)')).toBe(
      `<p><a href="https://evil.example/x">https://bank.example${beside}</a> <span>(evil.example)</span></p>`,
    );
    // The first letter is Cyrillic.
    expect(plain('[x](https://аpple.example)')).toContain('(xn--pple-43d.example)');
  });

  test('the renderer of Markdown shows the address of an image instead of the image', () => {
    expect(plain('![a](https://a.example/b.png)')).toBe(
      `<p>!<a href="https://a.example/b.png">a${beside}</a> <span>(a.example)</span></p>`,
    );
  });

  test('the renderer of Markdown shows a text of more than 50,000 characters without rendering it', () => {
    const text = `*a* <b>${'x'.repeat(50_000)}`;
    expect(plain(text)).toBe(`<p>${text.replace('<', '&lt;').replace('>', '&gt;')}</p>`);
  });

  test('the renderer of Markdown puts no link into a link', () => {
    expect(htmlOf('[a [b](https://b.example) c](https://c.example)').match(/<a /g)).toHaveLength(2);
    expect(htmlOf('[https://a.example](https://b.example)').match(/<a /g)).toHaveLength(1);
  });

  test('the renderer of Markdown makes well nested markup of its own tags from any text', () => {
    const piece = fc.constantFrom(
      ...'*|**|***|_|__|`|``|[|](|](https://a.example)|)|\\|<b>|https://b.example| |\n|\n\n|- |  - |1. |# |```|word|"|é'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = htmlOf(pieces.join(''));
        const open: string[] = [];
        for (const [, end, name = ''] of text.matchAll(/<(\/?)([^\s>]*)[^>]*>/g)) {
          expect(name).toMatch(/^(p|h2|ul|ol|li|pre|code|em|strong|a|span|bdi|br)$/);
          if (end) expect(open.pop()).toBe(name);
          else if (name !== 'br') {
            if (name === 'a') expect(open).not.toContain('a');
            open.push(name);
          }
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  const parts = [
    ['*a ', 'openers'],
    ['a* ', 'closers'],
    ['**a* _b ', 'marks that cross'],
    ['[', 'brackets'],
    ['[a](', 'links without an end'],
    ['](https://a.example)', 'ends of links'],
    ['https://a.example/. ', 'addresses'],
    ['`a``b```', 'back-ticks'],
    ['```\n', 'fences'],
    ['- \n', 'bullets'],
    ['- a\n\n\n', 'items'],
    ['\n', 'blank lines'],
    ['      - a\n', 'indentation'],
    ['- '.repeat(20), 'lists in lists'],
    ['\\', 'backslashes'],
    ['# ', 'headings'],
    ['[*a', 'brackets and openers'],
    ['**a', 'strong openers'],
    ['é**', 'marks within words'],
    ['1) a\n', 'numbers'],
    ['- a\n - b\n', 'items that are indented'],
    ['(https://a/', 'addresses in brackets'],
    ['https://a/"', 'quotes in addresses'],
    ['[a](https://a/ "', 'titles without an end'],
  ];
  let costs: Record<string, { steps: number[]; cpuMs: number }>;
  beforeAll(() => {
    const args = ['--input-type=module', '--eval', countSteps, JSON.stringify(parts.map(([part]) => part))];
    costs = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  });

  test.each(parts)('the renderer of Markdown takes steps in proportion to the length of %j', (part = '') => {
    const { steps: [short = 0, long = 0] = [], cpuMs = Infinity } = costs[part] ?? {};
    expect(short).toBeGreaterThan(6_000);
    // Eight times the text would take 64 times the steps if each part were read again for every other part.
    expect(long / short).toBeLessThan(9);
    // Nobody counts the steps of a pattern: one that reads again takes seconds, and not a tenth of one.
    expect(cpuMs).toBeLessThan(1_500);
  });
});

/** Counts how often each piece of code runs for 6,000 and for 48,000 characters. Only a new process counts every piece, because its code is cold. */
const countSteps = `
  import { Session } from 'node:inspector';
  import { markdown } from './dist/apps/api/src/http/markdown.js';
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const costs = {};
  for (const part of JSON.parse(process.argv[1])) {
    const steps = [6_000, 48_000].map((chars) => {
      const text = part.repeat(Math.ceil(chars / part.length));
      session.post('Profiler.takePreciseCoverage');
      const begin = process.cpuUsage();
      markdown(text);
      const { user, system } = process.cpuUsage(begin);
      costs[part] = { cpuMs: (user + system) / 1000 };
      let count = 0;
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        for (const { functions } of result)
          for (const { ranges } of functions) for (const range of ranges) count += range.count;
      });
      return count;
    });
    costs[part].steps = steps;
  }
  console.log(JSON.stringify(costs));`;
