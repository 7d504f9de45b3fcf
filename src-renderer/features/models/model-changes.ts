import Big from 'big.js';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import { payable, priceUnit, readPrice } from '../../../src-main/common/price.ts';
import { nameInTier, percentText, priceLabel, priceText } from '../../../src-main/common/price-text.ts';
import { plainText } from '../../../src-main/common/text.ts';
import {
  CHANGED_FIELDS,
  type ChangedField,
  type Json,
  type ModelChange,
  type ModelRefresh,
} from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { dayText, valueText, type Locales } from './model-facts.ts';

export interface ChangeFilter {
  modelList: ModelListName;
  /** Null for every kind. */
  field: ChangedField | null;
  /** Part of a model's name or id, in any case. */
  text: string;
}

export interface ChangedModel {
  model: string;
  name: string;
  changes: ModelChange[];
}

/** The changes of a day, grouped by kind, then by model. Those that another key may explain are by themselves. */
export interface ChangeDay {
  key: string;
  at: string;
  otherKey: boolean;
  groups: { field: ChangedField; models: ChangedModel[] }[];
}

/** Filters a change log. Days without a matching change are left out. */
export function changesByDay(refreshes: readonly ModelRefresh[], filter: ChangeFilter): ChangeDay[] {
  const wanted = filter.text.trim().toLowerCase();
  const fits = ({ field, name, model }: ModelChange): boolean =>
    (filter.field === null || field === filter.field) &&
    (wanted === '' || name.toLowerCase().includes(wanted) || model.toLowerCase().includes(wanted));
  const fitting = refreshes.flatMap(({ modelList, at, otherKey, changes }) => {
    const key = `${new Date(at).toDateString()}${otherKey ? ' other key' : ''}`;
    const found = modelList === filter.modelList ? changes.filter(fits) : [];
    return found.length === 0 ? [] : [{ key, at, otherKey, changes: found }];
  });
  return [...Map.groupBy(fitting, ({ key }) => key)].map(([key, parts]) => {
    const changes = parts.flatMap((part) => part.changes);
    const groups = CHANGED_FIELDS.map((field) => ({ field, models: byModel(changes, field) }));
    const [{ at, otherKey }] = parts as [(typeof parts)[number]];
    return { key, at, otherKey, groups: groups.filter(({ models }) => models.length > 0) };
  });
}

function byModel(changes: readonly ModelChange[], field: ChangedField): ChangedModel[] {
  const models = new Map<string, ChangedModel>();
  for (const change of changes) {
    if (change.field !== field) continue;
    const known = models.get(change.model);
    if (known) known.changes.push(change);
    else models.set(change.model, { model: change.model, name: change.name, changes: [change] });
  }
  return [...models.values()];
}

const LONGEST_VALUE = 300;

export interface ChangeText {
  /** The name of the price, with its tier, and its unit if it is not the usual one; null for other changes, whose kind is enough. */
  what: string | null;
  /** The old and new value; null if one is missing, or there is nothing to compare. */
  values: { before: string; after: string; unit: string | null } | null;
  /** `+50%`; null if one of the values is no number, or the old one is zero. */
  by: string | null;
  added: string[];
  removed: string[];
}

/** Returns the change from one number to another, as a signed percentage; null without a number to compare with. */
function percentOf(before: Big | null, after: Big | null, locale: string): string | null {
  if (before === null || after === null || before.eq(0) || after.eq(before)) return null;
  return percentText(after.minus(before).div(before), locale, true);
}

export function changeText(change: ModelChange, { locale, dateLocale }: Locales): ChangeText {
  const day = (given: Json = null): Json => (typeof given === 'string' ? dayText(given, dateLocale) : given);
  switch (change.field) {
    case 'added':
    case 'removed':
      return blank(null);
    case 'price':
      return priceChange(change, locale);
    case 'context':
    case 'maxCompletion':
      return countChange(change, locale);
    case 'parameters':
      return listChange(change);
    case 'name':
    case 'modality':
    case 'moderation':
      return plainChange(change);
    case 'expiry':
    case 'cutoff':
      return plainChange({ ...change, before: day(change.before), after: day(change.after) });
  }
}

function priceChange({ price = '', tier, before, after }: ModelChange, locale: string): ChangeText {
  const amount = (given: Json | undefined): string | null => {
    const { kind, text } = priceText(price, given, locale);
    return kind === 'absent' ? null : text;
  };
  return {
    what: nameInTier(priceLabel(price), tier, locale),
    ...compared(amount(before), amount(after)),
    // A percentage of a discount would be taken for another discount.
    by: priceUnit(price) === 'share' ? null : percentOf(payable(readPrice(before)), payable(readPrice(after)), locale),
  };
}

function countChange({ before, after }: ModelChange, locale: string): ChangeText {
  const text = (given: Json | undefined): string | null => {
    const whole = wholeNumber(given);
    return whole === null ? otherText(given) : formatCount(locale, whole);
  };
  const [was, is] = [wholeNumber(before), wholeNumber(after)];
  return {
    what: null,
    ...compared(text(before), text(after), (is ?? was) === null ? null : m.tokens()),
    by: percentOf(was === null ? null : new Big(was), is === null ? null : new Big(is), locale),
  };
}

function listChange(change: ModelChange): ChangeText {
  const [was, is] = [textsOf(change.before), textsOf(change.after)];
  if (was === null || is === null) return plainChange(change);
  return {
    ...blank(null),
    added: is.filter((text) => !was.includes(text)),
    removed: was.filter((text) => !is.includes(text)),
  };
}

function plainChange({ before, after }: ModelChange): ChangeText {
  return { ...blank(null), ...compared(otherText(before), otherText(after)) };
}

/** Without an old or a new value, the other one was added or removed. */
function compared(
  before: string | null,
  after: string | null,
  unit: string | null = null,
): Pick<ChangeText, 'values' | 'added' | 'removed'> {
  if (before !== null && after !== null) return { values: { before, after, unit }, added: [], removed: [] };
  const texts = (text: string | null): string[] =>
    text === null ? [] : [unit === null ? text : m.models_row_other({ name: text, value: unit })];
  return { values: null, added: texts(after), removed: texts(before) };
}

function otherText(given: Json | undefined): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'boolean') return given ? m.model_fields_yes() : m.model_fields_no();
  return valueText(given, LONGEST_VALUE) || m.model_fields_none();
}

function wholeNumber(given: Json | undefined): number | null {
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : null;
}

/** A list of texts; a missing value counts as an empty list. */
function textsOf(given: Json | undefined): string[] | null {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || !given.every((entry) => typeof entry === 'string')) return null;
  return given.map((entry) => plainText(entry, 120));
}

function blank(what: string | null): ChangeText {
  return { what, values: null, by: null, added: [], removed: [] };
}
