import { categories } from '../../common/i18n/labels/items.ts';
import type { InLocale } from '../../common/i18n/locale.ts';

/** A category in the language of the export; an unknown one as the service wrote it. */
export function categoryIn(category: string, by: InLocale): string {
  const known: Readonly<Record<string, (inputs: object, by: InLocale) => string>> = categories;
  return (Object.hasOwn(known, category) && known[category]?.({}, by)) || category;
}
