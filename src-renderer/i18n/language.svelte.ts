import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ErrorCode } from '../../src-main/contract/errors.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { dayMs } from '../features/archive/calendar.ts';
import { oneLine } from '../ui/text/plain-text.ts';
import { calendarDay, dateLocaleOf } from '../ui/text/times.ts';
import { en, type Catalogue } from './en.ts';
import { zh } from './zh.ts';

export type Locale = 'en' | 'zh-CN';

export const CATALOGUES: Record<Locale, Catalogue> = { en, 'zh-CN': zh };

/** The language to show under a setting; `system` follows the given BCP 47 tag, English where it is none of ours. */
export function localeOf(setting: Settings['language'], systemTag: string): Locale {
  if (setting !== 'system') return setting;
  return /^zh\b/i.test(systemTag) ? 'zh-CN' : 'en';
}

/** The page's language, one for all of it. */
class Language {
  #locale = $state<Locale>('en');
  #dateLocale = $state('en');

  get locale(): Locale {
    return this.#locale;
  }

  /** The locale to write dates and times by (see `dateLocaleOf`). */
  get dateLocale(): string {
    return this.#dateLocale;
  }

  get words(): Catalogue {
    return CATALOGUES[this.#locale];
  }

  /** Sentences one after the other: Chinese puts nothing between them. */
  sentences(...texts: string[]): string {
    return texts.join(this.#locale === 'zh-CN' ? '' : ' ');
  }

  use(locale: Locale, systemTag: string, timeFormat: Settings['timeFormat'] = 'system'): void {
    this.#locale = locale;
    this.#dateLocale = dateLocaleOf(locale, systemTag, timeFormat);
    document.documentElement.lang = locale;
  }
}

export const language = new Language();

/** A category's name; one that is not known yet is shown as the service wrote it. */
export function categoryName(words: Catalogue, category: string | null): string {
  if (category === null) return words.noCategory;
  const known: Record<string, string> = words.categories;
  return Object.hasOwn(known, category) ? (known[category] ?? category) : category;
}

/** What to say of a failure of the model gateway: most codes mean there what they mean of the news. */
export function gatewayFailure(words: Catalogue, code: ErrorCode): string {
  const own: Partial<Record<ErrorCode, string>> = words.gateway.failures;
  return own[code] ?? words.failures[code];
}

/** What a mirrored part is called; one of a newer core by its own name. */
export function resourceName(words: Catalogue, name: string): string {
  const known: Record<string, string> = words.health.names;
  return Object.hasOwn(known, name) ? (known[name] ?? name) : name;
}

/** A story's status in words; one that is not known yet is shown as the service wrote it, none as null. */
export function storyStatus(words: Catalogue, status: string | null): string | null {
  if (status === null) return null;
  const known: Record<string, string> = words.story.statuses;
  return Object.hasOwn(known, status) ? (known[status] ?? status) : oneLine(status, 60) || null;
}

/** What a report is called: its Shanghai day, its week or its month. `full` is for headings, `long` for lists. */
export function reportName(
  words: Catalogue,
  kind: ReportKind,
  label: string,
  locale: string,
  style: 'full' | 'long',
): string {
  switch (kind) {
    case 'daily':
      return calendarDay(dayMs(label), locale, style);
    case 'weekly':
      return words.archive.weekName(Number(label.slice(6)), Number(label.slice(0, 4)));
    case 'monthly':
      return calendarDay(dayMs(`${label}-01`), locale, 'month');
  }
}
