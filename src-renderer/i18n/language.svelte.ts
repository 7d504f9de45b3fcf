import {
  categories,
  errorMessages,
  gatewayErrorMessages,
  resourceNames,
  messageFor,
  storiesStatuses,
  type Message,
} from '../../src-main/common/i18n/labels.ts';
import { followLocale, type Locale } from '../../src-main/common/i18n/locale.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ErrorCode } from '../../src-main/contract/errors.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { dayMs } from '../features/archive/calendar.ts';
import { oneLine } from '../ui/text/plain-text.ts';
import { calendarDay, dateLocaleOf } from '../ui/text/times.ts';

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
followLocale(() => language.locale);

/** A category's name; one that is not known yet is shown as the service wrote it. */
export function categoryName(category: string | null): string {
  if (category === null) return m.no_category();
  return messageFor(categories, category) ?? category;
}

/** What to say of a failure of the model gateway: most codes mean there what they mean of the news. */
export function gatewayFailure(code: ErrorCode): string {
  const own: Partial<Record<ErrorCode, Message>> = gatewayErrorMessages;
  return (own[code] ?? errorMessages[code])();
}

/** What a mirrored part is called; one of a newer core by its own name. */
export function resourceName(name: string): string {
  return messageFor(resourceNames, name) ?? name;
}

/** A story's status in words; one that is not known yet is shown as the service wrote it, none as null. */
export function storyStatus(status: string | null): string | null {
  if (status === null) return null;
  return messageFor(storiesStatuses, status) ?? (oneLine(status, 60) || null);
}

/** What a report is called: its Shanghai day, its week or its month. `full` is for headings, `long` for lists. */
export function reportName(kind: ReportKind, label: string, locale: string, style: 'full' | 'long'): string {
  switch (kind) {
    case 'daily':
      return calendarDay(dayMs(label), locale, style);
    case 'weekly':
      return m.archive_week_name({ week: Number(label.slice(6)), year: Number(label.slice(0, 4)) });
    case 'monthly':
      return calendarDay(dayMs(`${label}-01`), locale, 'month');
  }
}
