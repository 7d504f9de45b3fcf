import { PURPOSE, Dice } from '../dice.ts';
import type { ServedItem } from '../options.ts';
import { subjectOf } from './facts.ts';
import type { Subject } from './facts.ts';
import { tell } from './template.ts';
import type { Bilingual, Category, Language } from './template.ts';
import { OUTLETS, UPDATES } from './texts.ts';

/** The service's pages, which do not exist: `.example` belongs to nobody. */
export const PAGES = 'https://demo.broadsheet.example';

/** What is needed of an item to write it. */
export interface Outline {
  id: string;
  slot: number;
  event: number | null;
  category: Category;
  discoveredAt: number;
  publishedAt: number | null;
  score: number;
  selected: boolean;
  titleRevision: number;
  summaryRevision: number;
}

/** Nine in twenty are Chinese words on an English original, six Chinese throughout, five English. */
export function writeItem(seed: number, outline: Outline): ServedItem {
  const subject = subjectOf(seed, outline.slot, outline.event, outline.category);
  const dice = new Dice(seed, PURPOSE.wording, outline.slot);
  const form = dice.next();
  const language: Language = form < 0.75 ? 'zh' : 'en';
  const translated = form < 0.45;
  const origin = originOf(subject, translated ? 'en' : language, dice, outline);
  const wording = wordingOf(subject, dice.between(0, 11), outline.titleRevision);
  const title = tell(wording, subject.fact, language);
  const originalTitle = translated ? tell(wording, subject.fact, 'en') : null;
  const summary = summaryOf(subject, language, dice, outline.summaryRevision);
  const reason = outline.selected ? tell(dice.pick(subject.kind.reasons), subject.fact, language) : null;
  const iso = (time: number) => new Date(time).toISOString();
  return {
    id: outline.id,
    title,
    originalTitle,
    summary,
    source: { name: origin.name },
    links: { original: origin.url, aihot: `${PAGES}/items/${outline.id}` },
    publishedAt: outline.publishedAt === null ? null : iso(outline.publishedAt),
    discoveredAt: iso(outline.discoveredAt),
    category: outline.category,
    score: outline.score,
    selected: outline.selected,
    reason,
    attribution: attributionOf(dice),
  };
}

/** Whether the organisation itself published it. */
export function isFirstParty(seed: number, outline: Outline): boolean {
  const { organisation } = subjectOf(seed, outline.slot, outline.event, outline.category);
  const { source } = writeItem(seed, outline);
  return source.name === organisation.name.zh || source.name === organisation.name.en;
}

/** A revision takes the next wording, so that it is never the same as before. */
function wordingOf({ kind }: Subject, choice: number, revision: number): Bilingual {
  return kind.titles[(choice + revision) % kind.titles.length] as Bilingual;
}

function summaryOf({ kind, fact }: Subject, language: Language, dice: Dice, revision: number): string {
  const sentences = [dice.pick(kind.leads), ...dice.some(kind.details, dice.between(2, 3))];
  const updates = Array.from(
    { length: Math.min(revision, 2) },
    (_, index) => UPDATES[(index + revision) % UPDATES.length],
  );
  return [...sentences, ...updates.filter((update) => update !== undefined)]
    .map((sentence) => tell(sentence, fact, language))
    .join(language === 'zh' ? '' : ' ');
}

function originOf(
  { organisation, kind }: Subject,
  language: Language,
  dice: Dice,
  { discoveredAt, slot, event }: Outline,
): { name: string; url: string } {
  const outlet = dice.pick(OUTLETS[language]);
  const own = dice.chance(event === null ? 0.22 : 0.12) && !kind.independent;
  const [year, month] = new Date(discoveredAt).toISOString().split('-');
  const article = `${year}/${month}/${dice.pick(['notes', 'news', 'posts', 'p', 'read'])}-${Math.abs(slot).toString(36)}`;
  if (own) return { name: organisation.name[language], url: `https://www.${organisation.domain}/blog/${article}` };
  return { name: outlet.name, url: `https://${outlet.domain}/${article}` };
}

/** A few come by way of somebody who asks to be named. */
function attributionOf(dice: Dice): ServedItem['attribution'] {
  if (!dice.chance(0.07)) return null;
  const { name, domain } = dice.pick([...OUTLETS.zh, ...OUTLETS.en]);
  return { name, url: `https://${domain}/` };
}
