import { canonicalAddress } from '../../contract/addresses.ts';
import type { Citation, Correction, Report, Section } from '../../contract/model/report.ts';

/** `citation` is the canonical address of the citation, if it has one. */
export interface FoundCorrection extends Omit<Correction, 'at'> {
  citation: string | null;
}

export interface ReportChanges {
  corrections: FoundCorrection[];
  /** Their texts must be deleted from earlier corrections. */
  withdrawn: Citation[];
}

interface PlacedCitation {
  citation: Citation;
  section: string;
}

/** Stands for the section of items in dailies that have none. */
const FLASHES = 'flashes';
const PIECE = /[。！？.!?\n]+/;
/** Shorter pieces may occur anywhere by chance. */
const MIN_TELLING_LENGTH = 12;

/** Matches citations by canonical original address and position among equal ones, else by position alone. */
export function compareReports(before: Report, after: Report): ReportChanges {
  const old = citationsByKey(withNewLabels(before, after));
  const now = citationsByKey(after);
  const withdrawn = [...old].filter(([key]) => !now.has(key)).map(([, placed]) => placed);
  const added = [...now].filter(([key]) => !old.has(key)).map(([, placed]) => placed);
  const kept = [...now].flatMap(([key, placed]) => {
    const was = old.get(key);
    return was ? [{ was: was.citation, ...placed }] : [];
  });
  const corrections: FoundCorrection[] = [
    ...findReportEdits(before, after),
    ...kept.flatMap(({ was, citation, section }) => findCitationEdits(was, citation, section)),
    ...withdrawn.map(({ section, citation }) => correctionOf('withdrawn', section, citation)),
    ...added.map(({ section, citation }) => correctionOf('added', section, citation)),
    ...findReorders(old, now, before, after),
  ];
  const gone = withdrawn.map(({ citation }) => citation);
  return { corrections: corrections.map((correction) => withoutTextsOf(gone, correction)), withdrawn: gone };
}

/** Returns true if a text repeats a withdrawn citation and so must be deleted, too. */
export function repeats(text: string, { title, summary }: Pick<Citation, 'title' | 'summary'>): boolean {
  const pieces = (summary ?? '').split(PIECE).map((piece) => piece.trim());
  return [title.trim(), ...pieces.filter((piece) => piece.length >= MIN_TELLING_LENGTH)].some(
    (piece) => piece !== '' && text.includes(piece),
  );
}

function withoutTextsOf(withdrawn: Citation[], correction: FoundCorrection): FoundCorrection {
  const { text } = correction;
  const isRepeated = text !== null && withdrawn.some((gone) => repeats(text.before, gone) || repeats(text.after, gone));
  return isRepeated ? { ...correction, text: null } : correction;
}

function findReportEdits(before: Report, after: Report): FoundCorrection[] {
  const texts = (['headline', 'overview'] as const).flatMap((field) =>
    findEdit(field, before[field], after[field], null),
  );
  const sections = pairSections(before, after).flatMap(([was, is]) => [
    ...findEdit('label', was.label, is.label, is.label),
    ...findEdit('summary', was.summary, is.summary, is.label),
  ]);
  return [...texts, ...sections];
}

function findCitationEdits(was: Citation, is: Citation, section: string): FoundCorrection[] {
  const citation = canonicalAddress(is.links.original);
  return [
    ...findEdit('title', was.title, is.title, section, citation),
    ...findEdit('summary', was.summary, is.summary, section, citation),
    ...findEdit('source', was.source.name, is.source.name, section, citation),
  ];
}

function findEdit(
  field: string,
  before: string | null,
  after: string | null,
  section: string | null,
  citation: string | null = null,
): FoundCorrection[] {
  if ((before ?? '') === (after ?? '')) return [];
  return [{ kind: 'edited', section, text: { field, before: before ?? '', after: after ?? '' }, citation }];
}

function correctionOf(kind: 'withdrawn' | 'added', section: string, { links }: Citation): FoundCorrection {
  return { kind, section, text: null, citation: kind === 'withdrawn' ? null : canonicalAddress(links.original) };
}

/** Returns sections whose remaining citations have another order or section; null stands for the order of sections. */
function findReorders(
  old: ReadonlyMap<string, PlacedCitation>,
  now: ReadonlyMap<string, PlacedCitation>,
  before: Report,
  after: Report,
): FoundCorrection[] {
  const common = (citations: ReadonlyMap<string, PlacedCitation>, section: string): string[] =>
    [...citations]
      .filter(([key, placed]) => placed.section === section && old.has(key) && now.has(key))
      .map(([key]) => key);
  const sections = [...new Set([...now.values()].map(({ section }) => section))];
  const moved = sections.filter((section) => differ(common(old, section), common(now, section)));
  const pairs = pairSections(before, after);
  const order = after.sections.flatMap((is) => pairs.find(([, paired]) => paired === is)?.[0] ?? []);
  const whole = differ(
    before.sections.filter((section) => order.includes(section)),
    order,
  );
  return [...moved, ...(whole ? [null] : [])].map((section) => ({
    kind: 'reordered',
    section,
    text: null,
    citation: null,
  }));
}

/** Matches by label, else by position if both labels are new and they share a citation. */
function pairSections(before: Report, after: Report): [Section, Section][] {
  return after.sections.flatMap((is, index): [Section, Section][] => {
    const same = before.sections.find(({ label }) => label === is.label);
    if (same) return [[same, is]];
    const there = before.sections[index];
    const renamed = there && !after.sections.some(({ label }) => label === there.label) && shareCitation(there, is);
    return renamed ? [[there, is]] : [];
  });
}

function shareCitation(a: Section, b: Section): boolean {
  const held = new Set(a.items.map(({ links }) => canonicalAddress(links.original)));
  return b.items.some(({ links }) => links.original !== null && held.has(canonicalAddress(links.original)));
}

/** Gives sections their new labels, so that a renamed section alone is not a reordering. */
function withNewLabels(before: Report, after: Report): Report {
  const names = new Map(pairSections(before, after).map(([was, is]) => [was, is.label]));
  const sections = before.sections.map((section) => ({ ...section, label: names.get(section) ?? section.label }));
  return { ...before, sections };
}

function citationsByKey({ sections, flashes }: Report): Map<string, PlacedCitation> {
  const citations = new Map<string, PlacedCitation>();
  const groups = [...sections, { label: FLASHES, items: flashes }];
  for (const { label: section, items } of groups) {
    items.forEach((citation, index) => {
      const address = canonicalAddress(citation.links.original) ?? `${section} ${String(index)}`;
      let key = address;
      for (let again = 2; citations.has(key); again += 1) key = `${address} ${String(again)}`;
      citations.set(key, { citation, section });
    });
  }
  return citations;
}

function differ<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length !== b.length || a.some((value, index) => value !== b[index]);
}
