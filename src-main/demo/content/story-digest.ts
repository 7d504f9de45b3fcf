import { PURPOSE, SeededRandom } from '../random.ts';
import { subjectOf } from './subjects.ts';
import { both, render } from './template.ts';
import type { Category } from './template.ts';
import { DIGEST_PHRASES } from './texts.ts';

/**
 * What is known of a news event, in paragraphs of light Markdown; rewritten as reports arrive: with six of them what they disagree
 * about is stated. Null while there are only three.
 */
export function digestOf(seed: number, newsEvent: number, category: Category, reports: number): string | null {
  if (reports <= 3) return null;
  const { kind, fact } = subjectOf(seed, newsEvent, newsEvent, category);
  const random = new SeededRandom(seed, PURPOSE.story, newsEvent, 2);
  const details = random.some(kind.details, 3);
  const paragraphs = [
    kind.leads[0]?.zh ?? '',
    details
      .slice(0, 2)
      .map(({ zh }) => zh)
      .join(''),
    ...(reports >= 6 ? [random.pick(DIGEST_PHRASES.contradictions)] : []),
    `${details[2]?.zh ?? ''}${random.pick(DIGEST_PHRASES.outlooks)}`,
  ];
  return paragraphs.map((paragraph) => render(both(paragraph), fact, 'zh')).join('\n\n');
}
