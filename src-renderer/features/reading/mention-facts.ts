import type { MentionedModel } from '../../../src-main/contract/model/model.ts';
import type { Catalogue } from '../../i18n/en.ts';
import { priceOf, shownPrice } from '../models/money.ts';

/** What a chip says of a model that the news name: its prices for a million tokens, and its context. */
export function mentionFacts(words: Catalogue, model: MentionedModel, locale: string): string[] {
  const { mention } = words;
  const input = price(words, model, 'prompt', locale);
  const output = price(words, model, 'completion', locale);
  const facts = [
    ...(input === null ? [] : [mention.input(input)]),
    ...(output === null ? [] : [mention.output(output)]),
  ];
  if (facts.length === 0) facts.push(mention.noPrice);
  if (model.contextLength !== null) facts.push(mention.context(tokensText(model.contextLength, locale)));
  return facts;
}

/** Null for a price that is not given. */
function price(words: Catalogue, { pricing }: MentionedModel, name: string, locale: string): string | null {
  const shown = shownPrice(name, priceOf(pricing, name), locale);
  switch (shown.kind) {
    case 'amount':
      return words.mention.aMillion(shown.text);
    case 'share':
    case 'asGiven':
      return shown.text;
    case 'free':
      return words.mention.free;
    case 'negative':
    case 'unreadable':
      return words.mention.unclear;
    case 'absent':
      return null;
  }
}

/** A number of tokens in few characters: `128K`. */
function tokensText(tokens: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(tokens);
}
