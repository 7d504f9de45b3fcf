/** Formats of a list of items: Atom (RFC 4287), JSON Feed 1.1, a table, and Markdown. */
export const ITEM_EXPORT_FORMATS = ['atom', 'jsonfeed', 'csv', 'md'] as const;
export type ItemExportFormat = (typeof ITEM_EXPORT_FORMATS)[number];

/** The most reports of one part of a feed, and of one e-book. */
export const MOST_REPORTS_IN_PART = 20;
export const MOST_REPORTS_IN_BOOK = 100;

/** A part of an exported file. */
export interface ExportPart {
  /** The entries, separated as {@link ExportFrame.separator} says; empty if there are none. */
  text: string;
  count: number;
  /** Entries without a text any more, because they were withdrawn: they are left out of the file. */
  left: number;
  /** The latest change of an entry (RFC 3339); null without entries. */
  updatedAt: string | null;
  /** Cursor of the next part; null on the last one. */
  next: string | null;
}

/** What stands around the parts of an exported file. `head` has the same length in UTF-8, whatever `updatedAt` was given. */
export interface ExportFrame {
  /** Suggested file name. */
  name: string;
  mediaType: string;
  head: string;
  separator: string;
  tail: string;
}
