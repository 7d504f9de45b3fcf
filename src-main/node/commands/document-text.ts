import type { Block, Document, Fact } from '../../render/document.ts';
import { bold, dim, line, lines, type Text } from '../styled-text.ts';
import { localTime, severalLines } from '../terminal.ts';

/** For documents in a terminal: all fields, in local time. */
export const TERMINAL_AUDIENCE = { locale: 'en', time: localTime, fields: true } as const;

/** A document as text for the terminal. */
export function toTerminal({ name, title, facts, notices, intro, blocks, footer }: Document): Text {
  return lines([
    bold([name, title].filter((text) => text !== null).join(': ')),
    ...[...facts, ...notices, ...footer].map(factText),
    ...[...intro, ...blocks].flatMap(blockText),
  ]);
}

function blockText(block: Block): Text[] {
  switch (block.is) {
    case 'text':
      return ['', severalLines(block.text)];
    case 'facts':
      return ['', ...block.facts.map(factText)];
    case 'entry': {
      const mark = block.unread ? 'o' : ' ';
      const facts = block.facts.map(valueOf).join(', ');
      const head =
        block.title === null
          ? line`${mark} ${facts || '-'}`
          : line`${mark} ${bold(block.title)}${facts === '' ? '' : ` - ${facts}`}`;
      const below = [block.link, block.text].flatMap((text) => (text ? [severalLines(text)] : []));
      return [...(block.title === null ? [] : ['']), head, ...below];
    }
    case 'changes':
      return block.changes.map(({ what, texts }) =>
        texts === null ? line`${what}` : line`${what}: "${texts.before}" -> "${texts.after}"`,
      );
    case 'section':
      return ['', bold(`== ${block.title}`), ...block.blocks.flatMap(blockText)];
  }
}

/** Names and values in two columns. */
function factText(fact: Fact): Text {
  const { name } = fact;
  return name === undefined ? line`${valueOf(fact)}` : line`${dim(name.padEnd(12))} ${valueOf(fact)}`;
}

function valueOf({ spans }: Fact): string {
  return spans.map(({ text }) => text).join(' ');
}
