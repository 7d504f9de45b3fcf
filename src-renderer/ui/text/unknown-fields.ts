import type { Item } from '../../../src-main/contract/model/item.ts';
import type { Json } from '../../../src-main/contract/model/model.ts';
import { plainText } from '../../../src-main/common/text.ts';

const LONGEST_VALUE = 5000;

/**
 * Returns the fields of an item that neither document names, also those inside its source, links and attribution, as
 * text.
 */
export function unknownFields(item: Item): { name: string; value: string }[] {
  const { name: _source, ...source } = item.source;
  const { original: _original, aihot: _aihot, ...links } = item.links;
  const { name: _name, url: _url, ...attribution } = item.attribution ?? { name: null, url: null };
  return [
    ...entries('', item.extra),
    ...entries('source.', source),
    ...entries('links.', links),
    ...entries('attribution.', attribution),
  ];
}

/** Formats fields that no document names. */
export function fieldTexts(fields: Record<string, Json>): { name: string; value: string }[] {
  return entries('', fields);
}

function entries(prefix: string, fields: Record<string, Json>): { name: string; value: string }[] {
  return Object.entries(fields).map(([name, value]) => ({
    name: plainText(prefix + name, 200),
    value: plainText(typeof value === 'string' ? value : JSON.stringify(value, null, 2), LONGEST_VALUE),
  }));
}
