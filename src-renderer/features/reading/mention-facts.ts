import { m } from '../../../src-main/common/i18n/messages.ts';
import type { MentionedModel } from '../../../src-main/contract/model/model.ts';
import { priceOf, readPrice } from '../../../src-main/common/price.ts';
import { shownPrice } from '../../../src-main/common/price-text.ts';
import { NO_VALUE } from '../../../src-main/common/text.ts';

/** Returns the prices of a mentioned model, for a million tokens. */
export function mentionFacts(model: MentionedModel, locale: string): string[] {
  const kinds = ['prompt', 'completion'].map((name) => readPrice(priceOf(model.pricing, name)).kind);
  if (kinds.every((kind) => kind === 'varies')) return [m.mention_varies()];
  const input = price(model, 'prompt', locale);
  const output = price(model, 'completion', locale);
  const facts = [
    ...(input === null ? [] : [m.models_row_input({ price: input })]),
    ...(output === null ? [] : [m.models_row_output({ price: output })]),
  ];
  return facts.length === 0 ? [m.mention_no_price()] : facts;
}

/** True if a price is a sum, which needs a unit. */
export function hasAmount({ pricing }: MentionedModel): boolean {
  return ['prompt', 'completion'].some((name) => readPrice(priceOf(pricing, name)).kind === 'amount');
}

/** Returns null if there is no such price. */
function price({ pricing }: MentionedModel, name: string, locale: string): string | null {
  const shown = shownPrice(name, priceOf(pricing, name), locale);
  switch (shown.kind) {
    case 'amount':
    case 'share':
    case 'asGiven':
      return shown.text;
    case 'free':
      return m.price_free();
    case 'varies':
      return m.price_varies();
    case 'negative':
    case 'unreadable':
      return NO_VALUE;
    case 'absent':
      return null;
  }
}
