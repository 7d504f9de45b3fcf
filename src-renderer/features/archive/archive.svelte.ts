import {
  EDITION_KINDS,
  type EditionKind,
  type EditionLine,
  type ShownCitation,
  type StoredEdition,
} from '../../../src-main/contract/model/report.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { addMonths, lastDue, monthOf, monthOfEdition, shanghaiDay } from './calendar.ts';
import { Loading } from '../../api/async-resource.svelte.ts';

type Index = ReadonlyMap<string, EditionLine>;

/** The calendar of the archive, and the edition that is open. Labels are Asia/Shanghai labels throughout. */
export class ArchiveState {
  readonly #wire: Wire;
  readonly #indexes: Record<EditionKind, Loading<{ lines: EditionLine[] }>>;
  readonly reading = new Loading<StoredEdition>();
  #kind = $state<EditionKind>('daily');
  #month = $state(monthOf(shanghaiDay(Date.now())));
  #open = $state.raw<{ kind: EditionKind; label: string } | null>(null);
  #asking = $state(false);

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#indexes = { daily: new Loading(), weekly: new Loading(), monthly: new Loading() };
    wire.on('editions.changed', ({ kind, labels }) => void this.#changed(kind, labels));
    wire.on('marks.changed', () => void this.#reread());
  }

  /** Whose list is shown under the calendar. */
  get kind(): EditionKind {
    return this.#kind;
  }
  set kind(kind: EditionKind) {
    this.#kind = kind;
  }
  /** The month that the calendar shows, YYYY-MM. */
  get month(): string {
    return this.#month;
  }
  set month(month: string) {
    this.#month = month;
  }
  get open(): { kind: EditionKind; label: string } | null {
    return this.#open;
  }
  get edition(): StoredEdition | null {
    return this.reading.value;
  }
  /** Whether the service is being asked for an edition that is shown as it was stored. */
  get asking(): boolean {
    return this.#asking;
  }

  readonly #maps = $derived.by((): Record<EditionKind, Index> => ({
    daily: byLabel(this.lines('daily')),
    weekly: byLabel(this.lines('weekly')),
    monthly: byLabel(this.lines('monthly')),
  }));

  /** Newest first. */
  lines(kind: EditionKind): readonly EditionLine[] {
    return this.#indexes[kind].value?.lines ?? [];
  }
  line(kind: EditionKind, label: string): EditionLine | null {
    return this.#maps[kind].get(label) ?? null;
  }
  get loaded(): boolean {
    return EDITION_KINDS.every((kind) => this.#indexes[kind].value !== null);
  }
  get slow(): boolean {
    return EDITION_KINDS.some((kind) => this.#indexes[kind].slow);
  }
  get failure(): Failure | null {
    for (const kind of EDITION_KINDS) if (this.#indexes[kind].failure) return this.#indexes[kind].failure;
    return null;
  }
  /** The first month that any index reaches back to, and the last one to show. */
  months(now: number): { first: string; last: string } {
    const last = monthOf(shanghaiDay(now));
    const oldest = EDITION_KINDS.flatMap((kind) => this.lines(kind).at(-1) ?? []).map(({ kind, label }) =>
      monthOfEdition(kind, label),
    );
    return { first: oldest.reduce((a, b) => (a < b ? a : b), last), last };
  }

  async load(): Promise<void> {
    await Promise.all(EDITION_KINDS.map((kind) => this.#loadIndex(kind)));
  }

  turnMonth(by: number): void {
    this.#month = addMonths(this.#month, by);
  }

  /** Shows an edition: what is stored at once, then what the service says. It counts as read when it is there. */
  async show(kind: EditionKind, label: string): Promise<void> {
    this.#open = { kind, label };
    this.#month = monthOfEdition(kind, label);
    this.reading.clear();
    this.#asking = true;
    const stored = await this.#wire.call('editions.get', { kind, label });
    if (!this.#shows(kind, label)) return;
    if (stored.ok) this.reading.put(stored.value);
    const edition = await this.reading.read(this.#wire.call('editions.open', { kind, label }));
    if (!this.#shows(kind, label)) return;
    this.#asking = false;
    if ((edition ?? this.edition)?.readAt === null) void this.mark(true);
  }

  /** Opens the newest edition of a kind. Answers whether there is one. */
  latest(kind: EditionKind): boolean {
    const line = this.lines(kind)[0];
    if (line) void this.show(kind, line.label);
    return line !== undefined;
  }

  /** Opens the edition after (1) or before (-1) the open one; the newest of the shown kind if none is open. */
  step(by: 1 | -1): void {
    const label = by === 1 ? this.edition?.next : this.edition?.previous;
    if (!this.#open) this.latest(this.#kind);
    else if (label) void this.show(this.#open.kind, label);
  }

  retry(): void {
    if (this.#open) void this.show(this.#open.kind, this.#open.label);
  }

  close(): void {
    this.#open = null;
    this.#asking = false;
    this.reading.clear();
  }

  /** Marks the open edition at once on the page, then in the core. Answers why it could not be kept. */
  async mark(read: boolean): Promise<Failure | null> {
    const edition = this.edition;
    if (!edition) return null;
    const { kind, label, readAt } = edition;
    this.#patch(kind, label, read ? new Date().toISOString() : null);
    const reply = await this.#wire.call('editions.mark', { kind, label, read });
    if (reply.ok) return null;
    this.#patch(kind, label, readAt);
    return reply.error;
  }

  async markCitation(citation: ShownCitation, read: boolean): Promise<Failure | null> {
    const { key, readAt } = citation;
    if (key === null) return null;
    this.#patchCitation(key, read ? new Date().toISOString() : null);
    const reply = await this.#wire.call('editions.markCitation', { key, read });
    if (reply.ok) return null;
    this.#patchCitation(key, readAt);
    return reply.error;
  }

  /** The label of the newest edition of a kind that should be out by now. */
  due(kind: EditionKind, now: number): string {
    return lastDue(kind, now);
  }

  #shows(kind: EditionKind, label: string): boolean {
    return this.#open?.kind === kind && this.#open.label === label;
  }

  async #loadIndex(kind: EditionKind): Promise<void> {
    await this.#indexes[kind].read(this.#wire.call('editions.index', { kind }));
  }

  async #changed(kind: EditionKind, labels: readonly string[]): Promise<void> {
    if (this.#indexes[kind].value) await this.#loadIndex(kind);
    // No labels: events were missed, and anything may have changed.
    const named = labels.length === 0 || (this.#open !== null && labels.includes(this.#open.label));
    if (this.#open?.kind === kind && named) await this.#reread();
  }

  async #reread(): Promise<void> {
    const open = this.#open;
    if (!open || this.#asking || !this.edition) return;
    const reply = await this.#wire.call('editions.get', open);
    if (reply.ok && this.#shows(open.kind, open.label)) this.reading.put(reply.value);
  }

  #patch(kind: EditionKind, label: string, readAt: string | null): void {
    if (this.edition?.kind === kind && this.edition.label === label) this.reading.put({ ...this.edition, readAt });
    const lines = this.lines(kind).map((line) => (line.label === label ? { ...line, readAt } : line));
    this.#indexes[kind].put({ lines });
  }

  #patchCitation(key: string, readAt: string | null): void {
    const edition = this.edition;
    if (!edition) return;
    const patch = (citation: ShownCitation): ShownCitation =>
      citation.key === key ? { ...citation, readAt } : citation;
    this.reading.put({
      ...edition,
      sections: edition.sections.map((section) => ({ ...section, items: section.items.map(patch) })),
      flashes: edition.flashes.map(patch),
    });
  }
}

function byLabel(lines: readonly EditionLine[]): Index {
  return new Map(lines.map((line) => [line.label, line]));
}
