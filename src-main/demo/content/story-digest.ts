import { PURPOSE, Dice } from '../dice.ts';
import { subjectOf } from './facts.ts';
import { both, tell } from './template.ts';
import type { Category } from './template.ts';
import { DIGEST_PHRASES } from './texts.ts';

/**
 * What is known of an event, in paragraphs of light Markdown; rewritten as reports arrive: with six of them what they disagree
 * about is stated. Null while there are only three.
 */
export function digestOf(seed: number, event: number, category: Category, reports: number): string | null {
  if (reports <= 3) return null;
  const { kind, fact } = subjectOf(seed, event, event, category);
  const dice = new Dice(seed, PURPOSE.story, event, 2);
  const details = dice.some(kind.details, 3);
  const paragraphs = [
    kind.leads[0]?.zh ?? '',
    details
      .slice(0, 2)
      .map(({ zh }) => zh)
      .join(''),
    ...(reports >= 6 ? [dice.pick(DIGEST_PHRASES.contradictions)] : []),
    `${details[2]?.zh ?? ''}${dice.pick(DIGEST_PHRASES.outlooks)}`,
  ];
  return paragraphs.map((paragraph) => tell(both(paragraph), fact, 'zh')).join('\n\n');
}
