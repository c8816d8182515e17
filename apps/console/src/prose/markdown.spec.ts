import { readMarkdown } from './markdown.ts';

const textOf = (parts: ReturnType<typeof readMarkdown>): string =>
  parts.map(({ text = '', parts: inner }) => text + textOf(inner)).join('');

describe('the message of a question', () => {
  test('the message of a question has paragraphs, emphasis and lists', () => {
    const [paragraph, list] = readMarkdown('**Acme** offers\n\n- one\n- two');
    expect(paragraph?.parts[0]).toMatchObject({ tag: 'strong', parts: [{ text: 'Acme' }] });
    expect(list).toMatchObject({
      tag: 'ul',
      parts: [{ tag: 'li' }, { tag: 'li', parts: [{ tag: 'text', text: 'two' }] }],
    });
  });

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[click](javascript:alert(1))',
    '[click](data:text/html,x)',
  ])('the message of a question shows %s as it was written', (hostile) => {
    const parts = readMarkdown(hostile);
    expect(textOf(parts)).toBe(hostile);
    expect(JSON.stringify(parts)).not.toContain('"href"');
  });

  test('the message of a question leads to addresses of the web and to mail alone', () => {
    const [paragraph] = readMarkdown('[offer](https://acme.example/4711)');
    expect(paragraph?.parts[0]).toMatchObject({ tag: 'a', href: 'https://acme.example/4711' });
  });
});
