import { oneLine } from '../../../src-main/common/text.ts';
import { fact } from '../../../src-main/render/document.ts';
import { toMarkdownLine } from '../../../src-main/render/outputs/markdown.ts';

/** Content to share: never more than the page shows. */
export interface Shared {
  title: string;
  /** The address; null if there is none that is safe to share. */
  link: string | null;
  /** The publisher; empty if unknown. */
  source: string;
  /** The day as the page shows it; empty if unknown. */
  date: string;
  /** As plain text; empty if there is none. */
  text: string;
  /** Formats it as Markdown, if a link with facts is not all. */
  markdown?: () => string;
  /** Other ways to copy it, such as the record of a model. */
  others?: readonly { label: string; text: () => string }[];
}

/** In UTF-16 units. */
const LONGEST_TITLE = 1_000;

export const shareFormats = {
  link: ({ link }: Shared): string => link ?? '',
  titleAndLink: (shared: Shared): string => lines([titleOf(shared), shared.link]),
  markdown: (shared: Shared): string => {
    if (shared.markdown) return shared.markdown();
    const { link, source, date } = shared;
    return toMarkdownLine([{ spans: [{ text: titleOf(shared), link }] }, ...fact(source), ...fact(date)]);
  },
  citation: (shared: Shared): string => {
    const { source, date, link } = shared;
    const facts = [source, `“${titleOf(shared)}”`, date, link].filter((part) => part !== null && part !== '');
    return facts.join(', ');
  },
  text: (shared: Shared): string => {
    const { source, date, text, link } = shared;
    const facts = [source, date].filter((part) => part !== '').join(' · ');
    return [lines([titleOf(shared), facts]), text, link].filter((part) => part !== null && part !== '').join('\n\n');
  },
} as const;

export type ShareFormat = keyof typeof shareFormats;

/** Formats several as a Markdown list. */
export function markdownList(all: readonly Shared[]): string {
  return all.map((shared) => `- ${shareFormats.markdown(shared)}`).join('\n');
}

function titleOf({ title }: Shared): string {
  return oneLine(title, LONGEST_TITLE);
}

function lines(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n');
}
