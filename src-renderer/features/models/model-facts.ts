import Big from 'big.js';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { costVaries, workloadCost } from '../../../src-main/common/model-cost.ts';
import { formatCount, shortCount } from '../../../src-main/common/numbers.ts';
import { aMillion, payable, priceUnit, readPrice } from '../../../src-main/common/price.ts';
import {
  amountText,
  nameInTier,
  priceName,
  priceText,
  tierText,
  unitText,
  usdText,
} from '../../../src-main/common/price-text.ts';
import { NO_VALUE, oneLine, plainText } from '../../../src-main/common/text.ts';
import { instant } from '../../../src-main/common/time.ts';
import { calendarDay, mediumDay } from '../../../src-main/common/time-text.ts';
import {
  isJsonObject,
  type FieldHistory,
  type Json,
  type ModelLine,
  type ModelRecord,
  type Workload,
} from '../../../src-main/contract/model/model.ts';
import {
  isNumber,
  isText,
  restOfRecord as restBeside,
  type ModelField,
  type Shape,
} from '../../../src-main/render/model-fields.ts';
import { safeLink } from '../../../src-main/contract/addresses.ts';
import { modalityName } from './model-columns.ts';

/** Locales of values: `locale` for numbers and texts, `dateLocale` for dates. The page's `language` is one. */
export interface Locales {
  locale: string;
  dateLocale: string;
}

const DAY_MS = 86_400_000;
/** How many days before it expires a model shows a warning. */
const NEAR_DAYS = 60;
const LONGEST_TEXT = 200;
const LONGEST_LIST = 4000;
/** The gateway's word for a tokenizer without a name. */
const OTHER = 'Other';

/** Returns a field of a model as text; null if the gateway gave none. */
export function fieldText(field: ModelField, line: ModelLine, { locale, dateLocale }: Locales): string | null {
  switch (field.kind) {
    case 'text': {
      const text = oneLine(field.value(line), LONGEST_TEXT);
      return (text === OTHER ? m.no_category() : text) || null;
    }
    case 'tokens': {
      const count = field.value(line);
      return count === null ? null : m.model_fields_tokens({ count });
    }
    case 'modalities': {
      const list = new Intl.ListFormat(locale, { style: 'narrow' });
      return plainText(list.format(field.value(line).map(modalityName)), LONGEST_LIST) || null;
    }
    case 'list':
      return plainText(field.value(line).join(', '), LONGEST_LIST) || null;
    case 'flag': {
      const on = field.value(line);
      return on === null ? null : on ? m.model_fields_yes() : m.model_fields_no();
    }
    case 'seconds': {
      const seconds = field.value(line);
      return seconds === null ? null : calendarDay(seconds * 1000, dateLocale, 'date');
    }
    case 'day':
      return dayText(field.value(line), dateLocale);
  }
}

/** Formats a date: without a time it is the same day everywhere, with one a local day. Anything else stays unchanged. */
export function dayText(text: string | null, dateLocale: string): string | null {
  if (text === null) return null;
  const ms = /^\d{4}-\d{2}-\d{2}($|T)/.test(text) ? instant(text) : null;
  if (ms === null) return oneLine(text, LONGEST_TEXT) || null;
  return text.includes('T') ? mediumDay(ms, dateLocale) : calendarDay(ms, dateLocale, 'date');
}

/** Returns null if the date is far off or cannot be read. */
export function expiryState(text: string | null, now: number): 'past' | 'near' | null {
  const ms = instant(text);
  if (ms === null || ms - now > NEAR_DAYS * DAY_MS) return null;
  return ms <= now ? 'past' : 'near';
}

export interface CostText {
  /** Null if a price is unknown. */
  text: string | null;
  /** False if it is free, unknown, or varies. */
  isAmount: boolean;
  /** Says why there is no cost. */
  why?: string;
  cacheAssumed: boolean;
  tiers: string[];
  /** Costs under conditions that are not known to hold: `16:30 to 00:30 UTC: $4.50`. */
  conditional: string[];
}

export function costText(
  line: Pick<ModelLine, 'pricing'>,
  workload: Workload,
  { locale }: Pick<Locales, 'locale'>,
): CostText {
  const cost = workloadCost(line.pricing, workload);
  if (cost === null) {
    const varies = costVaries(line.pricing);
    return {
      text: varies ? m.price_varies() : null,
      why: varies ? m.models_cost_varies() : m.models_cost_unknown(),
      isAmount: false,
      cacheAssumed: false,
      tiers: [],
      conditional: [],
    };
  }
  const free = cost.usd.eq(0);
  return {
    text: free ? m.price_free() : usdText(cost.usd, locale),
    isAmount: !free,
    cacheAssumed: cost.cacheAssumed && !free,
    tiers: cost.tiers.map(({ given }) => m.price_tier_used({ tier: tierText(given, locale) })),
    conditional: cost.otherwise.map(({ tier: { given }, usd }) => {
      const price = usd === null ? NO_VALUE : usd.eq(0) ? m.price_free() : usdText(usd, locale);
      return m.price_tier_line({ tier: tierText(given, locale), price });
    }),
  };
}

export interface HistorySteps {
  title: string;
  unit: string;
  steps: { at: string; value: number | null; text: string }[];
  /** Formats a value on the axis. */
  tick: (value: number) => string;
}

export function historySteps({ field, tier, steps }: FieldHistory, { locale }: Locales): HistorySteps {
  if (field === 'context_length') {
    const step = (value: unknown): { value: number | null; text: string } =>
      typeof value === 'number' ? { value, text: formatCount(locale, value) } : { value: null, text: NO_VALUE };
    return {
      title: m.model_fields_context(),
      unit: m.tokens(),
      steps: steps.map(({ at, value }) => ({ at, ...step(value) })),
      tick: shortCount,
    };
  }
  const unit = priceUnit(field);
  return {
    title: nameInTier(priceName(field), tier, locale),
    unit: unitText(field) ?? '',
    steps: steps.map(({ at, value }) => {
      const amount = payable(readPrice(value));
      const drawn = amount && unit === 'token' ? aMillion(amount) : amount;
      // The value only places the step on the chart; the text has the exact price.
      return { at, value: drawn?.toNumber() ?? null, text: priceText(field, value, locale).text };
    }),
    tick: (value) => amountText(new Big(value), unit === 'token' ? 'request' : unit, locale),
  };
}

/** False if every value is the same: a chart would show a line without a step, or nothing. */
export function isChanging({ steps }: HistorySteps): boolean {
  return new Set(steps.map(({ value }) => value).filter((value) => value !== null)).size > 1;
}

const anything: Shape = () => true;

/** Fields that the page shows besides MODEL_FIELDS (document 2 section 2). */
const PLACED: Readonly<Record<string, Shape>> = {
  id: isText,
  canonical_slug: isText,
  description: isText,
  pricing: isJsonObject,
  supported_voices: anything,
  default_parameters: anything,
  per_request_limits: anything,
  hugging_face_id: isText,
  reasoning: anything,
  'top_provider.context_length': isNumber,
  'links.details': isText,
};

export function member(of: Json | undefined, name: string): Json | undefined {
  return isJsonObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Returns the undocumented fields, and those of another type than documented. The page lists them unchanged. */
export function restOfRecord(record: ModelRecord): Record<string, Json> {
  return restBeside(record, PLACED);
}

/** Formats a value on one line: lists with commas, objects as `name: value`. Deeper values are JSON. */
export function valueText(value: Json, limit: number): string {
  if (Array.isArray(value)) return plainText(value.map(short).join(', '), limit);
  if (!isJsonObject(value)) return plainText(short(value), limit);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${short(inner)}`);
  return plainText(members.join(', '), limit);
}

function short(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const HUGGING_FACE = 'https://huggingface.co/';

/** Returns the address of a model's `links.details` at the gateway; null if it cannot be opened. */
export function detailsAddress(path: string | null, gateway: string | null): string | null {
  if (path === null || gateway === null || !URL.canParse(path, gateway)) return null;
  return safeLink(new URL(path, gateway).href);
}

/** Returns the page of a `hugging_face_id`, an owner and a name; null for anything else. */
export function huggingFaceAddress(id: string | null): string | null {
  return id !== null && /^[\w.-]+\/[\w.-]+$/.test(id) && !id.includes('..') ? HUGGING_FACE + id : null;
}
