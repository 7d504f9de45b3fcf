import { m } from '../../../src-main/common/i18n/messages.ts';
import { cachedFormat } from '../../../src-main/common/numbers.ts';
import { FREQUENCY_DAYS, type SourceLine } from '../../../src-main/contract/model/source.ts';

/** Formats "4.5 a week", over the last weeks. */
export function frequencyText({ recent }: SourceLine, locale: string): string {
  const amount = (recent * 7) / FREQUENCY_DAYS;
  const options = { maximumFractionDigits: amount < 10 ? 1 : 0 };
  return m.sources_a_week({
    amount: cachedFormat(`week ${options.maximumFractionDigits}`, locale, options).format(amount),
  });
}

/** Formats "34% selected". */
export function selectedText({ selected, items }: SourceLine, locale: string): string {
  const share = cachedFormat('share', locale, { style: 'percent', maximumFractionDigits: 0 });
  return m.sources_selected({ share: share.format(selected / items) });
}

/** Formats "First in 3 of 9 stories"; null if it took part in none. */
export function firstText({ first, stories }: SourceLine): string | null {
  return stories === 0 ? null : m.sources_first({ first, count: stories });
}
