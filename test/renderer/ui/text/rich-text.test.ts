import { describe, expect, it } from 'vitest';
import { addressesIn, richText, type Block, type Inline } from '../../../../src-renderer/ui/text/rich-text.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });
const paragraph = (...children: Inline[]): Block => ({ kind: 'paragraph', children });

describe('Markdown', () => {
  it('becomes headings, paragraphs, emphasis, code and breaks', () => {
    expect(richText('# One *two*\n\na **b** ~~c~~ `d`  \ne')).toEqual([
      { kind: 'heading', depth: 1, children: [text('One '), { kind: 'emphasis', children: [text('two')] }] },
      paragraph(
        text('a '),
        { kind: 'strong', children: [text('b')] },
        text(' '),
        { kind: 'deleted', children: [text('c')] },
        text(' '),
        { kind: 'code', text: 'd' },
        { kind: 'break' },
        text('e'),
      ),
    ]);
  });

  it('becomes lists, quotes, tables, code blocks and rules', () => {
    expect(richText('3. a\n4. b\n\n> q\n\n| h |\n|---|\n| c |\n\n```js\nx < y\n```\n\n---')).toEqual([
      { kind: 'list', start: 3, items: [[paragraph(text('a'))], [paragraph(text('b'))]] },
      { kind: 'quote', blocks: [paragraph(text('q'))] },
      { kind: 'table', head: [[text('h')]], rows: [[[text('c')]]] },
      { kind: 'code', text: 'x < y' },
      { kind: 'rule' },
    ]);
  });

  it('shows what is done and what is not', () => {
    expect(richText('- [x] done\n- [ ] not')).toMatchObject([
      {
        start: null,
        items: [
          [paragraph(text('☑')), paragraph(text('done'))],
          [paragraph(text('☐')), paragraph(text('not'))],
        ],
      },
    ]);
  });

  it('reads character references as what they stand for, save in code', () => {
    expect(richText('a &amp; &lt;b&gt; &#65;&#x42; &unknown; `&amp;`')).toEqual([
      paragraph(text('a & <b> AB &unknown; '), { kind: 'code', text: '&amp;' }),
    ]);
  });
});

describe('hostile Markdown', () => {
  it('stays text where it is HTML', () => {
    const blocks = richText('<script>alert(1)</script>\n\na <b onclick=x>b</b> <img src=x onerror=alert(1)>');
    expect(blocks).toEqual([
      paragraph(text('<script>alert(1)</script>')),
      paragraph(
        text('a '),
        text('<b onclick=x>'),
        text('b'),
        text('</b>'),
        text(' '),
        text('<img src=x onerror=alert(1)>'),
      ),
    ]);
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html,<script>)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//example.org)',
    '[a](relative/path)',
    '[a](http://user:word@example.org)',
    '[a][r]\n\n[r]: javascript:alert(1)',
  ])('leads nowhere: %s', (markdown) => {
    expect(richText(markdown)).toEqual([paragraph(text('a'))]);
  });

  it('loads no image: its description is what is shown', () => {
    expect(richText('![a cat](https://tracker.example/pixel.gif)')).toEqual([paragraph(text('a cat'))]);
  });

  it('opens no mail program', () => {
    expect(addressesIn(richText('<mailto:a@b.example> a@b.example [x](mailto:a@b.example)'))).toEqual([]);
  });

  it.each([
    ['quotes', `${'>'.repeat(20_000)} deep`],
    ['lists', `${'- '.repeat(5_000)}deep`],
    ['numbers', `${'1. '.repeat(5_000)}deep`],
    ['indented lists', Array.from({ length: 200 }, (_, n) => `${' '.repeat(n * 2)}- a`).join('\n')],
    ['brackets', '['.repeat(9_000)],
    ['links', '[a](b'.repeat(2_000)],
    ['emphasis', '*a **b '.repeat(1_200)],
    ['more emphasis than anybody writes', '_a_'.repeat(50_000)],
    ['backticks', Array.from({ length: 120 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
    ['tags', '<a '.repeat(3_000)],
  ])('is survived: %s', (_, markdown) => {
    const blocks = richText(markdown);
    expect(blocks.length).toBeGreaterThan(0);
    expect(depthOf(blocks)).toBeLessThan(40);
  });

  /** Emphasis within emphasis within emphasis. */
  const nested = (levels: number): string => {
    const marks = Array.from({ length: levels }, (_, n) => (n % 2 ? '**' : '*'));
    return [...marks.map((mark) => `${mark}x x `), ...marks.reverse().map((mark) => ` x${mark}`)].join('');
  };

  it.each([
    ['nested emphasis', nested(900)],
    ['quotes', '>'.repeat(2_000)],
    ['lists', '1. '.repeat(600)],
    ['emphasis', '_a '.repeat(600)],
    ['links', '[a](b'.repeat(900)],
    ['lines', 'a  \n'.repeat(2_000)],
    ['paragraphs', 'a\n\n'.repeat(200)],
    ['emphasised words', '*a* '.repeat(150)],
    // Blank lines to the eye, but not to the parser.
    ['lines with wide blanks between them', '*x aaaaaaaaaaaa\n\u3000\n'.repeat(5_900)],
    // Only a 1 ends the paragraph before it.
    ['lines that begin with a number', `text${'\n2. *a _b'.repeat(1_100)}`],
  ])('has a budget: 200 kB of %s are shown as written', (_, part) => {
    const markdown = `${part}\n\n`.repeat(Math.ceil(200_000 / part.length));
    const blocks = richText(markdown);
    expect(blocks.every(({ kind }) => kind === 'paragraph')).toBe(true);
    expect(depthOf(blocks)).toBeLessThan(6);
    expect(blocks.length).toBeLessThanOrEqual(1_001);
    expect(blocks[0]).toEqual(paragraph(text(part.split('\n')[0]!.trim())));
  });

  it('is formatted as long as it is what people write', () => {
    const line =
      '- [A title of usual length](https://a.example/1) in **bold** and `code`, with _emphasis_ and more text\n';
    const blocks = richText(`# A guide\n\n${line.repeat(40)}\n\n`.repeat(10));
    expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(10);
    expect(blocks.filter(({ kind }) => kind === 'list')).toHaveLength(10);
  });

  it('is without control characters and lone surrogates', () => {
    expect(richText('a\u0000b\ud800c&#0;&#x1b;&#xd800;')).toEqual([paragraph(text('ab\ufffdc\ufffd\ufffd'))]);
  });

  it('is cut where it has no end', () => {
    expect(JSON.stringify(richText('word '.repeat(500_000))).length).toBeLessThan(210_000);
  });
});

function depthOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  return 1 + Math.max(0, ...Object.values(node).map(depthOf));
}

describe('the addresses in a text', () => {
  it('are told once each, in order, with the words that lead there, wherever they stand', () => {
    const markdown =
      'See [one](https://a.example/1) and <https://a.example/2>.\n\n- > [**again**](https://a.example/1)\n\n|h|\n|-|\n|[in a table](https://a.example/3)|';
    expect(addressesIn(richText(markdown))).toEqual([
      { url: 'https://a.example/1', words: 'one' },
      { url: 'https://a.example/2', words: 'https://a.example/2' },
      { url: 'https://a.example/3', words: 'in a table' },
    ]);
  });
});
