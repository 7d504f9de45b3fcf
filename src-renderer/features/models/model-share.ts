import { m } from '../../../src-main/common/i18n/messages.ts';
import { oneLine, plainText } from '../../../src-main/common/text.ts';
import type { StoredModel } from '../../../src-main/contract/model/model.ts';
import { language } from '../../ui/language.svelte.ts';
import type { Shared } from '../share/index.ts';
import { MODEL_FIELDS } from '../../../src-main/render/model-fields.ts';
import { fieldText } from './model-facts.ts';
import { modelMarkdown } from './model-markdown.ts';

/** In UTF-16 units. */
const LONGEST_NAME = 500;
const LONGEST_TEXT = 20_000;

/** Prepares a model for sharing: its id stands where others have a link. */
export function sharedModel(model: StoredModel): Shared {
  const locales = { locale: language.locale, dateLocale: language.dateLocale };
  return {
    title: oneLine(model.name, LONGEST_NAME),
    link: null,
    source: fieldText(MODEL_FIELDS.vendor, model, locales) ?? '',
    date: '',
    text: [model.id, plainText(model.description, LONGEST_TEXT).trim()].filter((text) => text !== '').join('\n\n'),
    markdown: () => modelMarkdown(model, locales),
    others: [{ label: m.model_page_copy_json(), text: () => JSON.stringify(model.record, null, 2) }],
  };
}
