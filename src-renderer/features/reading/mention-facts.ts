import { m } from '../../../src-main/common/i18n/messages.ts';
import type { MentionedModel } from '../../../src-main/contract/model/model.ts';
import { priceOf, readPrice } from '../../../src-main/common/price.ts';
import { shownPrice } from '../../../src-main/common/price-text.ts';
import { shortCount } from '../../../src-main/common/numbers.ts';

/** Returns the facts on the chip of a mentioned model: prices for a million tokens, and context. */
export function mentionFacts(model: MentionedModel, locale: string): string[] {
  const input = price(model, 'prompt', locale);
  const output = price(model, 'completion', locale);
  const facts = varies(model)
    ? [m.mention_varies()]
    : [
        ...(input === null ? [] : [m.mention_input({ price: input })]),
        ...(output === null ? [] : [m.mention_output({ price: output })]),
      ];
  if (facts.length === 0) facts.push(m.mention_no_price());
  if (model.contextLength !== null) facts.push(m.mention_context({ tokens: shortCount(model.contextLength, locale) }));
  return facts;
}

function varies({ pricing }: MentionedModel): boolean {
  return ['prompt', 'completion'].every((name) => readPrice(priceOf(pricing, name)).kind === 'varies');
}

/** Returns null if there is no such price. */
function price({ pricing }: MentionedModel, name: string, locale: string): string | null {
  const shown = shownPrice(name, priceOf(pricing, name), locale);
  switch (shown.kind) {
    case 'amount':
      return m.mention_a_million({ price: shown.text });
    case 'share':
    case 'asGiven':
      return shown.text;
    case 'free':
      return m.price_free();
    case 'varies':
      return m.price_varies();
    case 'negative':
    case 'unreadable':
      return m.unknown();
    case 'absent':
      return null;
  }
}
