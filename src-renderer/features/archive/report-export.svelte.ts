import { strToU8, Zip, ZipDeflate } from 'fflate';
import { exportedFile, type ExportSource } from '../../../src-main/common/exported-file.ts';
import { MOST_REPORTS_IN_PART, type ItemExportFormat } from '../../../src-main/contract/model/export.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { ReportKind, ReportLine } from '../../../src-main/contract/model/report.ts';
import { BroadsheetError, fromFailure, toFailure, type Failure } from '../../../src-main/contract/errors.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

export type ExportFormat = 'md' | 'html' | 'json';

/** Several reports for one file. */
export interface JoinedReports {
  kind: ReportKind;
  /** Newest first. */
  labels: readonly string[];
  /** YYYY-MM; set for the reports of a month. */
  month?: string;
}

export interface ExportedFile {
  name: string;
  body: Blob;
}

/** An export with its progress. Its result is returned only when it is complete, so there are no partial files. */
export class ReportExport {
  readonly #wire: Pick<Wire, 'call'>;
  #done = $state(0);
  #total = $state(0);
  #running = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #stopped = false;

  constructor(wire: Pick<Wire, 'call'>) {
    this.#wire = wire;
  }

  get running(): boolean {
    return this.#running;
  }
  get done(): number {
    return this.#done;
  }
  get total(): number {
    return this.#total;
  }
  get failure(): Failure | null {
    return this.#failure;
  }

  /** Returns one report as a file, or null if it failed. */
  async one(kind: ReportKind, label: string, format: ExportFormat): Promise<ExportedFile | null> {
    return this.#run(1, async () => {
      const reply = await this.#wire.call('reports.render', { kind, label, format });
      if (!reply.ok) return this.#fail(reply.error);
      const { name, mediaType, text } = reply.value;
      return { name, body: new Blob([text], { type: mediaType }) };
    });
  }

  /** Returns every stored report of the lines as one zip archive, or null if it failed or was stopped. */
  async all(lines: readonly ReportLine[], format: ExportFormat): Promise<Blob | null> {
    return this.#run(lines.length, async () => {
      const zip = textZip();
      for (const { kind, label } of lines) {
        const reply = await this.#wire.call('reports.render', { kind, label, format });
        if (this.#stopped) return null;
        if (reply.ok) zip.add(reply.value.name, reply.value.text);
        // A report that was withdrawn in the meantime has no text to export.
        else if (reply.error.code !== 'not_found') return this.#fail(reply.error);
        this.#done += 1;
      }
      return zip.end();
    });
  }

  /** Returns the reports as one Atom feed, or null if it failed or was stopped. */
  feed({ kind, labels, month }: JoinedReports): Promise<ExportedFile | null> {
    const of = { kind, ...(month !== undefined && { month }) };
    return this.#parts(labels.length, {
      frame: (updatedAt) => this.#read('reports.feedFrame', { ...of, ...(updatedAt !== null && { updatedAt }) }),
      part: async (cursor) => {
        const start = Number(cursor ?? 0);
        const end = start + MOST_REPORTS_IN_PART;
        const part = await this.#read('reports.feed', { kind, labels: labels.slice(start, end) });
        return { ...part, next: end < labels.length ? String(end) : null };
      },
    });
  }

  /** Returns the reports as one e-book, or null if it failed or was stopped. */
  book({ kind, labels, month }: JoinedReports): Promise<ExportedFile | null> {
    return this.#run(1, async () => {
      const args = { kind, labels: [...labels], ...(month !== undefined && { month }) };
      const reply = await this.#wire.call('reports.book', args);
      if (this.#stopped) return null;
      if (!reply.ok) return this.#fail(reply.error);
      const { name, mediaType, base64 } = reply.value;
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      return { name, body: new Blob([bytes], { type: mediaType }) };
    });
  }

  /**
   * Returns a list of items as one file, or null if it failed or was stopped. `total` stays 0: the length is unknown.
   */
  items(query: ItemsQuery, format: ItemExportFormat): Promise<ExportedFile | null> {
    return this.#parts(0, {
      frame: (updatedAt) =>
        this.#read('items.exportFrame', { query, format, ...(updatedAt !== null && { updatedAt }) }),
      part: (cursor, limit) => this.#read('items.export', { query, format, limit, ...(cursor !== null && { cursor }) }),
    });
  }

  /** Has the host save the report on the page. Returns false if it failed or was cancelled. */
  async pdf(kind: ReportKind, label: string): Promise<boolean> {
    const saved = await this.#run(1, async () => {
      const reply = await this.#wire.call('page.savePdf', { name: `${kind}-${label}.pdf` });
      return reply.ok ? reply.value.saved : this.#fail(reply.error);
    });
    return saved === true;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Builds a file of many parts, which the browser keeps outside the page's memory. */
  #parts(total: number, source: ExportSource): Promise<ExportedFile | null> {
    return this.#run(total, async () => {
      try {
        const { name, mediaType } = await source.frame(null);
        const texts = exportedFile(source, (count) => (this.#done = count));
        const parts: Blob[] = [];
        let text = await texts.next();
        for (; text.done !== true; text = await texts.next()) {
          if (this.#stopped) return null;
          parts.push(new Blob([text.value]));
        }
        return { name, body: new Blob([text.value.head, ...parts.slice(1)], { type: mediaType }) };
      } catch (error) {
        if (error instanceof BroadsheetError) return this.#fail(toFailure(error));
        throw error;
      }
    });
  }

  /** Throws the failure of the call. */
  async #read<M extends MethodName>(method: M, args: Args<M>): Promise<Result<M>> {
    const reply = await this.#wire.call(method, args);
    if (reply.ok) return reply.value;
    throw fromFailure(reply.error);
  }

  async #run<T>(total: number, work: () => Promise<T | null>): Promise<T | null> {
    this.#running = true;
    this.#stopped = false;
    this.#failure = null;
    this.#done = 0;
    this.#total = total;
    try {
      return await work();
    } finally {
      this.#running = false;
    }
  }

  #fail(failure: Failure): null {
    this.#failure = failure;
    return null;
  }
}

/**
 * Returns a zip archive that is built text by text. It compresses in this thread: the library's workers start from
 * addresses that the content security policy refuses, and a text takes less than a frame.
 */
function textZip(): { add: (name: string, text: string) => void; end: () => Blob } {
  const chunks: BlobPart[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  return {
    add: (name, text) => {
      const file = new ZipDeflate(name, { level: 6 });
      zip.add(file);
      file.push(strToU8(text), true);
    },
    end: () => {
      zip.end();
      return new Blob(chunks, { type: 'application/zip' });
    },
  };
}
