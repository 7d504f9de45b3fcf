import { categoryName } from '../common/i18n/labels.ts';
import { m } from '../common/i18n/messages.ts';
import { sourceLabel } from '../common/source-label.ts';
import type { StoredItem } from '../contract/model/item.ts';
import {
  type Audience,
  creditOf,
  type Document,
  createDocument,
  fact,
  type Fact,
  field,
  textBlock,
  timeField,
  webAddress,
} from './document.ts';

export function itemDocument(item: StoredItem, by: Audience): Document {
  const title = item.title.trim() === '' ? item.id : item.title;
  const document = createDocument({ title, link: item.links.original });
  const summary = textBlock(item.summary);
  if (by.fields) return { ...document, facts: fieldsOf(item, by), blocks: summary };
  const reason = item.reason?.trim() ? field(m.article_reason({}, by), item.reason.replace(/\s+/g, ' ').trim()) : [];
  const { aihot } = item.links;
  const page = webAddress(aihot) === null ? [] : fact(m.view_service_page({}, by), aihot);
  return {
    ...document,
    subtitle: item.originalTitle?.trim() === item.title.trim() ? null : item.originalTitle?.trim() || null,
    facts: factsOf(item, by),
    blocks: [...summary, ...(reason.length === 0 ? [] : [{ is: 'facts' as const, facts: reason }])],
    footer: [...page, ...creditOf(item.attribution, by)],
  };
}

function factsOf({ source, effectiveAt, category }: StoredItem, by: Audience): Fact[] {
  return [
    ...fact(sourceLabel(source.name)),
    ...fact(`${by.time(effectiveAt)} (${m.shanghai_time({}, by)})`),
    ...fact(category && categoryName(category, by)),
  ];
}

function fieldsOf(item: StoredItem, by: Audience): Fact[] {
  const { attribution, links, state } = item;
  return [
    ...field('Original', item.originalTitle),
    ...field('Source', item.source.name),
    ...timeField('Published', item.publishedAt, by),
    ...timeField('Discovered', item.discoveredAt, by),
    ...timeField('Updated', item.revisedAt, by),
    ...field('Category', item.category),
    ...field('Score', item.score === null ? null : String(item.score)),
    ...field('In Picks', selectionOf(item, by)),
    ...field('Reason', item.reason),
    ...field('Attribution', [attribution?.name, attribution?.url].filter(Boolean).join(' ')),
    ...field('Link', links.original),
    ...field('Page', links.aihot),
    ...field('State', `${state.readAt === null ? 'unread' : 'read'}${state.starredAt === null ? '' : ', starred'}`),
    ...field('Id', item.id),
  ];
}

function selectionOf({ inSelectedSet, leftSelectionAt }: StoredItem, by: Audience): string {
  if (inSelectedSet) return 'yes';
  return leftSelectionAt === null ? 'no' : `no, left ${by.time(leftSelectionAt)}`;
}
