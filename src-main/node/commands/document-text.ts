import { formatCount } from '../../common/numbers.ts';
import { priceTiers } from '../../common/price.ts';
import type { StoredItem } from '../../contract/model/item.ts';
import type { ModelLine, ModelRefresh, StoredModel } from '../../contract/model/model.ts';
import type { StoredReport } from '../../contract/model/report.ts';
import type { StoredStory } from '../../contract/model/story.ts';
import type { Block, Document, Fact } from '../../render/document.ts';
import { itemDocument } from '../../render/item.ts';
import { plainAmountText, changesDocument, modelDocument } from '../../render/model.ts';
import { reportDocument } from '../../render/report.ts';
import { storyDocument } from '../../render/story.ts';
import { bold, dim, line, lines, type Text, localTime, severalLines } from '../terminal-text.ts';

export const TERMINAL_AUDIENCE = { locale: 'en', time: localTime, fields: true } as const;

export const itemText = (item: StoredItem): Text => toTerminal(itemDocument(item, TERMINAL_AUDIENCE));
export const reportText = (report: StoredReport): Text => toTerminal(reportDocument(report, TERMINAL_AUDIENCE));
export const storyText = (story: StoredStory): Text => toTerminal(storyDocument(story, TERMINAL_AUDIENCE));
export const modelText = (model: StoredModel): Text => toTerminal(modelDocument(model, TERMINAL_AUDIENCE));
export const refreshText = (refresh: ModelRefresh): Text => toTerminal(changesDocument(refresh, TERMINAL_AUDIENCE));

export function modelLineText(model: ModelLine): Text {
  const price = (name: string): string => plainAmountText(name, model.pricing[name]);
  const facts = [
    `in ${price('prompt')}`,
    `out ${price('completion')} (per million tokens)`,
    ...(priceTiers(model.pricing).length > 0 ? ['other prices under conditions'] : []),
    model.contextLength === null ? 'context unknown' : `context ${formatCount('en', model.contextLength)}`,
    ...(model.aliasTarget === null ? [] : [`alias for ${model.aliasTarget}`]),
  ];
  return line`${model.favouriteAt === null ? ' ' : '*'} ${bold(model.name)} - ${facts.join(', ')} ${dim(`[${model.id}]`)}`;
}

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
    case 'list':
      return block.facts.map(listedText);
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

function factText(fact: Fact): Text {
  const { name } = fact;
  return name === undefined ? line`${valueOf(fact)}` : line`${dim(name.padEnd(12))} ${valueOf(fact)}`;
}

function listedText({ name, spans }: Fact): Text {
  const texts = spans.map(({ text, minor }) => (minor ? dim(text) : line`${text}`));
  const value = texts.reduce((before, text) => line`${before} ${text}`);
  return name === undefined ? line`  ${value}` : line`  ${name}: ${value}`;
}

function valueOf({ spans }: Fact): string {
  return spans.map(({ text }) => text).join(' ');
}
