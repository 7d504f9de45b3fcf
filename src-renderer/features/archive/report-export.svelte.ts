import type { ReportKind, ReportLine } from '../../../src-main/contract/model/report.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

export type ExportFormat = 'md' | 'html' | 'json';

export interface ExportedFile {
  name: string;
  body: Blob;
}

/** Makes an archive file by file; `end` returns it. */
export interface Zip {
  add: (name: string, text: string) => void;
  end: () => Blob;
}

/** One export and its progress. Its result is returned only when it is complete, so there are no partial files. */
export class ReportExport {
  readonly #wire: Wire;
  #done = $state(0);
  #total = $state(0);
  #running = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #stopped = false;

  constructor(wire: Wire) {
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

  /** One report as a file, or null where it failed. */
  async one(kind: ReportKind, label: string, format: ExportFormat): Promise<ExportedFile | null> {
    return this.#run(1, async () => {
      const reply = await this.#wire.call('reports.render', { kind, label, format });
      if (!reply.ok) return this.#fail(reply.error);
      const { name, mediaType, text } = reply.value;
      return { name, body: new Blob([text], { type: mediaType }) };
    });
  }

  /** Every stored report of the lines as one zip archive, or null where it failed or was stopped. */
  async all(lines: readonly ReportLine[], format: ExportFormat, zip: Zip): Promise<Blob | null> {
    return this.#run(lines.length, async () => {
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

  /** The report that the page shows, saved by the host. False if it failed or was cancelled. */
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
