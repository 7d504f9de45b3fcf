import { addDays, addMonths, mondayOf, monthOf, weekOf } from '../../../src-main/common/time.ts';

/** A cell of the calendar: a week, at the start of its row, or a day. */
export interface CalendarCell {
  kind: 'daily' | 'weekly';
  /** YYYY-Www or YYYY-MM-DD. */
  label: string;
}

/** Returns the cell that a key leads to; null for keys that the calendar does not use. */
export function cellAfterKey(cell: CalendarCell, key: string): CalendarCell | null {
  return cell.kind === 'weekly' ? fromWeek(mondayOf(cell.label), key) : fromDay(cell.label, key);
}

function fromWeek(monday: string, key: string): CalendarCell | null {
  switch (key) {
    case 'ArrowLeft':
      return day(addDays(monday, -1));
    case 'ArrowRight':
      return day(monday);
    case 'ArrowUp':
      return week(addDays(monday, -7));
    case 'ArrowDown':
      return week(addDays(monday, 7));
    case 'Home':
      return week(monday);
    case 'End':
      return day(addDays(monday, 6));
    case 'PageUp':
      return week(addDays(monday, -28));
    case 'PageDown':
      return week(addDays(monday, 28));
    default:
      return null;
  }
}

function fromDay(label: string, key: string): CalendarCell | null {
  const monday = mondayOf(weekOf(label));
  switch (key) {
    case 'ArrowLeft':
      return label === monday ? week(label) : day(addDays(label, -1));
    case 'ArrowRight':
      return day(addDays(label, 1));
    case 'ArrowUp':
      return day(addDays(label, -7));
    case 'ArrowDown':
      return day(addDays(label, 7));
    case 'Home':
      return week(monday);
    case 'End':
      return day(addDays(monday, 6));
    case 'PageUp':
      return day(sameDay(label, -1));
    case 'PageDown':
      return day(sameDay(label, 1));
    default:
      return null;
  }
}

/** Returns the same day some months later, or the last one of a shorter month. */
function sameDay(label: string, months: number): string {
  const month = addMonths(monthOf(label), months);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const wanted = `${month}-${label.slice(8)}`;
  return wanted > last ? last : wanted;
}

function day(label: string): CalendarCell {
  return { kind: 'daily', label };
}

function week(monday: string): CalendarCell {
  return { kind: 'weekly', label: weekOf(monday) };
}
