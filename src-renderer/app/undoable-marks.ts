import { marksDone } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { CitationWithStatus, StoredReport } from '../../src-main/contract/model/report.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { ArchiveContext } from '../features/archive/index.ts';
import type { Act, Toasts } from '../ui/page-context.ts';
import type { ItemsState } from './items.svelte.ts';
import type { ViewsState } from './views.svelte.ts';

interface App {
  readonly wire: Wire;
  readonly views: ViewsState;
  readonly items: ItemsState;
  readonly toasts: Toasts;
  readonly act: Act;
}

type Marks = ArchiveContext['marks'];
type Change = (read: boolean) => Promise<Reply<unknown>>;

/** Changes the status of reports for the reader. Each change can be undone. */
export class UndoableMarks implements Marks {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  readonly report = (report: StoredReport): void =>
    this.#make((read) => this.#app.views.archive.mark(report, read), report.readAt === null);

  readonly story = ({ key, readAt }: CitationWithStatus): void => {
    if (key === null) return;
    this.#make((read) => this.#app.views.archive.markStories([key], read), readAt === null);
  };

  readonly rest = (): void => {
    const { archive } = this.#app.views;
    const keys = archive.unreadKeys;
    void this.#app.act({
      what: m.report_marked_read({ count: keys.length }),
      call: () => archive.markStories(keys, true),
      takeBack: () => archive.markStories(keys, false),
      bulk: true,
      tell: 'toast',
    });
  };

  readonly passed = (keys: readonly string[], began?: number): void => {
    const unread = new Set(this.#app.views.archive.unreadKeys);
    const changed = keys.filter((key) => unread.has(key));
    if (changed.length > 0) this.#read(changed, began);
  };

  readonly heard = (keys: readonly string[]): void => this.#read(keys);

  #read(keys: readonly string[], began?: number): void {
    const { archive } = this.#app.views;
    void this.#app.act({
      what: marksDone.read(),
      call: () => archive.markStories(keys, true),
      takeBack: () => archive.markStories(keys, false),
      tell: 'nobody',
      began,
    });
  }

  /** Stars the saved item of a story of a report, if there is one. */
  async starItem({ itemId }: CitationWithStatus): Promise<void> {
    const { wire, items, toasts } = this.#app;
    const reply = itemId === null ? null : await wire.call('items.get', { id: itemId });
    if (reply?.ok === true) items.toggleStar(reply.value);
    else toasts.show(m.keys_no_item());
  }

  #make(change: Change, read: boolean): void {
    void this.#app.act({
      what: marksDone[read ? 'read' : 'unread'](),
      call: () => change(read),
      takeBack: () => change(!read),
    });
  }
}
