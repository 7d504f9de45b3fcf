import { m } from '../../../src-main/common/i18n/messages.ts';
import type { MentionedModel } from '../../../src-main/contract/model/model.ts';
import { priceOf, readPrice } from '../../../src-main/common/price.ts';
import { priceText } from '../../../src-main/common/price-text.ts';
import { NO_VALUE } from '../../../src-main/common/text.ts';
import { namedPrice, wordForPrices } from '../models/index.ts';

/** Returns the prices of a mentioned model, for a million tokens. */
export function mentionFacts(model: MentionedModel, locale: string): string[] {
  const kinds = ['prompt', 'completion'].map((name) => readPrice(priceOf(model.pricing, name)).kind);
  const word = wordForPrices(kinds);
  if (word !== null) return [word];
  const facts = (['prompt', 'completion'] as const).flatMap((name) => priceFact(model, name, locale) ?? []);
  return facts.length === 0 ? [m.mention_no_price()] : facts;
}

/** True if a price is a sum, which needs a unit. */
export function hasAmount({ pricing }: MentionedModel): boolean {
  return ['prompt', 'completion'].some((name) => readPrice(priceOf(pricing, name)).kind === 'amount');
}

function priceFact({ pricing }: MentionedModel, name: 'prompt' | 'completion', locale: string): string | null {
  const { kind, text } = priceText(name, priceOf(pricing, name), locale);
  if (kind === 'absent') return null;
  return namedPrice(name, kind, kind === 'negative' || kind === 'unreadable' ? NO_VALUE : text);
}
