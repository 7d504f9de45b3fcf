import Big from 'big.js';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import { payable, priceUnit, readPrice } from '../../../src-main/common/price.ts';
import {
  amountText,
  nameInTier,
  percentText,
  priceName,
  priceText,
  type PriceText,
} from '../../../src-main/common/price-text.ts';
import { plainText } from '../../../src-main/common/text.ts';
import {
  CHANGED_FIELDS,
  type ChangedField,
  type Json,
  type ModelChange,
  type ModelRefresh,
} from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { valueText } from './model-facts.ts';

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

/** A refresh with its changes grouped by kind, then by model. */
export interface FilteredRefresh extends Omit<ModelRefresh, 'changes'> {
  count: number;
  groups: { field: ChangedField; models: ChangedModel[] }[];
}

/** Filters a change log. Refreshes without a matching change are left out. */
export function filterRefreshes(refreshes: readonly ModelRefresh[], filter: ChangeFilter): FilteredRefresh[] {
  const wanted = filter.text.trim().toLowerCase();
  const fits = ({ field, name, model }: ModelChange): boolean =>
    (filter.field === null || field === filter.field) &&
    (wanted === '' || name.toLowerCase().includes(wanted) || model.toLowerCase().includes(wanted));
  return refreshes.flatMap(({ changes, ...refresh }) => {
    const fitting = refresh.modelList === filter.modelList ? changes.filter(fits) : [];
    if (fitting.length === 0) return [];
    const groups = CHANGED_FIELDS.map((field) => ({ field, models: byModel(fitting, field) }));
    return [{ ...refresh, count: fitting.length, groups: groups.filter(({ models }) => models.length > 0) }];
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
  /** The name of the price, with its tier; null for other changes, whose kind is enough. */
  what: string | null;
  /** The old and new value; null if there is nothing to compare. */
  values: { before: string; after: string; unit: string | null } | null;
  direction: 'up' | 'down' | null;
  /** The exact difference, with a percentage if there is one: `$0.05 (+50%)`. */
  by: string | null;
  added: string[];
  removed: string[];
}

/** The difference of two numbers; null if one of them is unknown. */
export interface Difference {
  direction: 'up' | 'down' | null;
  /** Never below zero. */
  by: Big;
  /** 1 for 100 %, with its sign; null if the old value was zero. */
  ratio: Big | null;
}

export function difference(before: Big | null, after: Big | null): Difference | null {
  if (before === null || after === null) return null;
  const by = after.minus(before);
  const direction = by.eq(0) ? null : by.gt(0) ? 'up' : 'down';
  return { direction, by: by.abs(), ratio: before.eq(0) ? null : by.div(before) };
}

export function changeText(change: ModelChange, locale: string): ChangeText {
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
    case 'expiry':
    case 'cutoff':
      return plainChange(change);
  }
}

function priceChange({ price = '', tier, before, after }: ModelChange, locale: string): ChangeText {
  const was = priceText(price, before, locale);
  const is = priceText(price, after, locale);
  const differs = difference(payable(readPrice(before)), payable(readPrice(after)));
  const unit = priceUnit(price);
  return {
    ...blank(nameInTier(priceName(price), tier, locale)),
    values: { before: withUnit(was, is), after: is.text, unit: is.unit },
    direction: differs?.direction ?? null,
    by: differs?.direction ? byText(amountText(differs.by, unit, locale), differs, locale) : null,
  };
}

/** The unit follows the new price only; but if that is not an amount, it follows the old one. */
function withUnit(was: PriceText, is: PriceText): string {
  return was.unit !== null && is.unit === null ? `${was.text} ${was.unit}` : was.text;
}

function countChange({ before, after }: ModelChange, locale: string): ChangeText {
  const text = (given: Json | undefined): string => {
    const whole = wholeNumber(given);
    return whole === null ? otherText(given) : formatCount(locale, whole);
  };
  const [was, is] = [wholeNumber(before), wholeNumber(after)];
  const differs = difference(was === null ? null : new Big(was), is === null ? null : new Big(is));
  return {
    ...blank(null),
    values: { before: text(before), after: text(after), unit: null },
    direction: differs?.direction ?? null,
    by: differs?.direction ? byText(formatCount(locale, Number(differs.by)), differs, locale) : null,
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
  return {
    ...blank(null),
    values: { before: otherText(before), after: otherText(after), unit: null },
  };
}

function otherText(given: Json | undefined): string {
  if (given === undefined || given === null) return m.not_provided();
  if (typeof given === 'boolean') return given ? m.model_fields_yes() : m.model_fields_no();
  return valueText(given, LONGEST_VALUE) || m.model_fields_none();
}

function byText(amount: string, { ratio }: Difference, locale: string): string {
  return ratio === null ? amount : `${amount} (${percentText(ratio, locale, true)})`;
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
  return { what, values: null, direction: null, by: null, added: [], removed: [] };
}
