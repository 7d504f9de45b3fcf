import { PURPOSE, SeededRandom } from '../random.ts';
import { subjectOf } from './subjects.ts';
import { both, render, type Category } from './template.ts';
import { DIGEST_PHRASES } from './texts.ts';

/** Returns light Markdown; null up to three items, and with what they disagree about from six on. */
export function digestOf(seed: number, newsEvent: number, category: Category, items: number): string | null {
  if (items <= 3) return null;
  const { kind, fact } = subjectOf(seed, newsEvent, newsEvent, category);
  const random = new SeededRandom(seed, PURPOSE.story, newsEvent, 2);
  const details = random.some(kind.details, 3);
  const paragraphs = [
    kind.leads[0]?.zh ?? '',
    details
      .slice(0, 2)
      .map(({ zh }) => zh)
      .join(''),
    ...(items >= 6 ? [random.pick(DIGEST_PHRASES.contradictions)] : []),
    `${details[2]?.zh ?? ''}${random.pick(DIGEST_PHRASES.outlooks)}`,
  ];
  return paragraphs.map((paragraph) => render(both(paragraph), fact, 'zh')).join('\n\n');
}
