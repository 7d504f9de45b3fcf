import type { ErrorCode } from '../../contract/errors.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import { dayMs } from '../shanghai.ts';
import { oneLine } from '../text.ts';
import { calendarDay } from '../time.ts';
import { errorMessages, gatewayErrorMessages } from './labels/errors.ts';
import { categories } from './labels/items.ts';
import { messageFor, type Message } from './labels/message.ts';
import { storiesStatuses } from './labels/stories.ts';
import { resourceNames } from './labels/sync.ts';
import { m } from './messages.ts';

/** A category's name; an unknown one is shown as the service wrote it. */
export function categoryName(category: string | null): string {
  if (category === null) return m.no_category();
  return messageFor(categories, category) ?? category;
}

/** The message for a failure of the model gateway; most codes mean the same as for the news service. */
export function gatewayFailure(code: ErrorCode): string {
  const own: Partial<Record<ErrorCode, Message>> = gatewayErrorMessages;
  return (own[code] ?? errorMessages[code])();
}

/** A resource's name; an unknown one, of a newer core, by its identifier. */
export function resourceName(name: string): string {
  return messageFor(resourceNames, name) ?? name;
}

/** A story's status; an unknown one is shown as the service wrote it. */
export function storyStatus(status: string | null): string | null {
  if (status === null) return null;
  return messageFor(storiesStatuses, status) ?? (oneLine(status, 60) || null);
}

/** A report's name: its Shanghai day, its week or its month. `full` is for headings, `long` for lists. */
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
