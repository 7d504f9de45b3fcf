import { strToU8, Zip, ZipDeflate } from 'fflate';
import { exportedFile, type ExportSource } from '../../../src-main/common/exported-file.ts';
import { MOST_REPORTS_IN_PART, type ItemExportFormat } from '../../../src-main/contract/model/export.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';
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

interface Progress {
  readonly running: boolean;
  readonly done: number;
  /** 0 if it is unknown. */
  readonly total: number;
  readonly failure: Failure | null;
}

/**
 * An export with its progress. Its result is returned only when it is complete, so there are no partial files; null if
 * it failed or was stopped.
 */
export class ReportExport {
  readonly #wire: Pick<Wire, 'call'>;
  #progress = $state.raw<Progress>({ running: false, done: 0, total: 0, failure: null });
  #stopped = false;

  constructor(wire: Pick<Wire, 'call'>) {
    this.#wire = wire;
  }

  get progress(): Progress {
    return this.#progress;
  }

  one(kind: ReportKind, label: string, format: ExportFormat): Promise<ExportedFile | null> {
    return this.#run(1, async () => {
      const { name, mediaType, text } = await this.#read('reports.render', { kind, label, format });
      return { name, body: new Blob([text], { type: mediaType }) };
    });
  }

  /** Returns a zip archive with a file for each report. */
  all({ kind, labels, month }: JoinedReports, format: ExportFormat): Promise<ExportedFile | null> {
    return this.#run(labels.length, async () => {
      const zip = textZip();
      for (const [at, label] of labels.entries()) {
        const reply = await this.#wire.call('reports.render', { kind, label, format });
        if (this.#stopped) return null;
        if (reply.ok) zip.add(reply.value.name, reply.value.text);
        // A report that was withdrawn in the meantime has no text to export.
        else if (reply.error.code !== 'not_found') throw fromFailure(reply.error);
        this.#update({ done: at + 1 });
      }
      return { name: `broadsheet-${month ? `${kind}-${month}` : kind}-${format}.zip`, body: zip.end() };
    });
  }

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

  book({ kind, labels, month }: JoinedReports): Promise<ExportedFile | null> {
    return this.#run(1, async () => {
      const args = { kind, labels: [...labels], ...(month !== undefined && { month }) };
      const { name, mediaType, base64 } = await this.#read('reports.book', args);
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      return { name, body: new Blob([bytes], { type: mediaType }) };
    });
  }

  /** Returns a list of items, of unknown length, as one file. */
  items(query: ItemsQuery, format: ItemExportFormat): Promise<ExportedFile | null> {
    return this.#parts(0, {
      frame: (updatedAt) =>
        this.#read('items.exportFrame', { query, format, ...(updatedAt !== null && { updatedAt }) }),
      part: (cursor, limit) => this.#read('items.export', { query, format, limit, ...(cursor !== null && { cursor }) }),
    });
  }

  /** Has the host save the report on the page. Returns false if it failed or was cancelled. */
  async pdf(kind: ReportKind, label: string): Promise<boolean> {
    const reply = await this.#run(1, () => this.#read('page.savePdf', { name: `${kind}-${label}.pdf` }));
    return reply?.saved === true;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Builds a file of many parts, which the browser keeps outside the page's memory. */
  #parts(total: number, source: ExportSource): Promise<ExportedFile | null> {
    return this.#run(total, async () => {
      const { name, mediaType } = await source.frame(null);
      const texts = exportedFile(source, (done) => this.#update({ done }));
      const parts: Blob[] = [];
      let text = await texts.next();
      for (; text.done !== true; text = await texts.next()) {
        if (this.#stopped) return null;
        parts.push(new Blob([text.value]));
      }
      return { name, body: new Blob([text.value.head, ...parts.slice(1)], { type: mediaType }) };
    });
  }

  /** Throws the failure of the call. */
  async #read<M extends MethodName>(method: M, args: Args<M>): Promise<Result<M>> {
    const reply = await this.#wire.call(method, args);
    if (reply.ok) return reply.value;
    throw fromFailure(reply.error);
  }

  async #run<T>(total: number, work: () => Promise<T | null>): Promise<T | null> {
    this.#begin(total);
    try {
      const result = await work();
      return this.#stopped ? null : result;
    } catch (error) {
      if (!(error instanceof BroadsheetError)) throw error;
      if (!this.#stopped) this.#update({ failure: toFailure(error) });
      return null;
    } finally {
      this.#update({ running: false });
    }
  }

  #begin(total: number): void {
    this.#stopped = false;
    this.#progress = { running: true, done: 0, total, failure: null };
  }

  #update(progress: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...progress };
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
