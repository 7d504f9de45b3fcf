import { priceHistoryUnits } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { FieldHistory, ModelLine, Workload } from '../../../src-main/contract/model/model.ts';
import { aMillion, payable, priceUnit, readPrice, workloadCost } from '../../../src-main/common/price.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import { usdText, priceName, priceText } from '../../../src-main/common/price-text.ts';
import { oneLine, plainText } from '../../../src-main/common/text.ts';
import { calendarDay } from '../../../src-main/common/time.ts';

const DAY_MS = 86_400_000;
/** From so many days before it expires a model is said to. */
const NEAR_DAYS = 60;
const LONGEST_TEXT = 200;
const LONGEST_LIST = 4000;

/** In which language, and how dates are written in it. */
export interface Writing {
  locale: string;
  dateLocale: string;
}

export type LineFactKey =
  | 'vendor'
  | 'context'
  | 'maxOutput'
  | 'modality'
  | 'inputs'
  | 'outputs'
  | 'tokenizer'
  | 'instructType'
  | 'moderated'
  | 'created'
  | 'expiry'
  | 'cutoff'
  | 'parameters';

/** Fields of a line in words, in the order in which they are read; null where the gateway gave none. */
export function lineFacts(line: ModelLine, writing: Writing): Record<LineFactKey, string | null> {
  const { locale, dateLocale } = writing;
  const tokens = (n: number | null): string | null => (n === null ? null : formatCount(locale, n));
  const flag = (on: boolean | null): string | null =>
    on === null ? null : on ? m.model_fields_yes() : m.model_fields_no();
  return {
    vendor: shortText(line.vendor),
    context: tokens(line.contextLength),
    maxOutput: tokens(line.maxCompletionTokens),
    inputs: listText(line.inputModalities),
    outputs: listText(line.outputModalities),
    modality: shortText(line.modality),
    tokenizer: shortText(line.tokenizer),
    instructType: shortText(line.instructType),
    parameters: listText(line.supportedParameters),
    moderated: flag(line.moderated),
    created: line.created === null ? null : calendarDay(line.created * 1000, dateLocale, 'date'),
    expiry: dayText(line.expirationDate, dateLocale),
    cutoff: dayText(line.knowledgeCutoff, dateLocale),
  };
}

/** A day as this language writes it; what is no day as it came. */
export function dayText(text: string | null, dateLocale: string): string | null {
  if (text === null) return null;
  const ms = /^\d{4}-\d{2}-\d{2}($|T)/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? oneLine(text, LONGEST_TEXT) : calendarDay(ms, dateLocale, 'date');
}

/** Whether a model has expired, or does so soon. Null where that is far off, or no date can be read. */
export function expiryState(text: string | null, now: number): 'past' | 'near' | null {
  const ms = text === null ? NaN : Date.parse(text);
  if (Number.isNaN(ms) || ms - now > NEAR_DAYS * DAY_MS) return null;
  return ms <= now ? 'past' : 'near';
}

/** What a month of a workload costs with a model, in words. */
export interface CostText {
  text: string | null;
  cacheAssumed: boolean;
}

export function costText(
  line: Pick<ModelLine, 'pricing'>,
  workload: Workload,
  { locale }: Pick<Writing, 'locale'>,
): CostText {
  const cost = workloadCost(line.pricing, workload);
  if (cost === null) return { text: null, cacheAssumed: false };
  if (cost.usd.eq(0)) return { text: m.price_free(), cacheAssumed: false };
  return { text: usdText(cost.usd, locale), cacheAssumed: cost.cacheAssumed };
}

/** A history as a step chart wants it: what each step is, exactly, and where it lies. */
export interface HistorySteps {
  title: string;
  unit: string;
  steps: { at: string; value: number | null; text: string }[];
}

export function historySteps({ field, steps }: FieldHistory, { locale }: Writing): HistorySteps {
  if (field === 'context_length') {
    const step = (value: unknown): { value: number | null; text: string } =>
      typeof value === 'number'
        ? { value, text: formatCount(locale, value) }
        : { value: null, text: m.model_fields_absent() };
    return {
      title: m.model_fields_context(),
      unit: m.price_history_tokens(),
      steps: steps.map(({ at, value }) => ({ at, ...step(value) })),
    };
  }
  const unit = priceUnit(field);
  return {
    title: priceName(field),
    unit: priceHistoryUnits[unit](),
    steps: steps.map(({ at, value }) => {
      const amount = payable(readPrice(value));
      const shown = amount && unit === 'token' ? aMillion(amount) : amount;
      // A place on a chart is no price: its text says that exactly.
      return { at, value: shown?.toNumber() ?? null, text: priceText(field, value, locale).text };
    }),
  };
}

function shortText(text: string | null): string | null {
  return oneLine(text, LONGEST_TEXT) || null;
}

function listText(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : plainText(texts.join(', '), LONGEST_LIST);
}
