import { missingMessages } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { parseFragment, writeFragment, type Target, type WindowTarget } from '../../../src-main/contract/refs.ts';
import { leaveDialogs } from '../../ui/open-dialogs.ts';
import type { Toasts } from '../../ui/page-context.ts';
import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import { reportOfNote, type NoteKey } from '../../../src-main/contract/model/note.ts';
import type { Navigation } from './navigation.ts';
import type { Panel } from '../panels.ts';
import type { ViewsState } from '../views.svelte.ts';

type Missing = keyof typeof missingMessages;

interface App {
  readonly wire: Wire;
  readonly toasts: Toasts;
  readonly settings: { readonly capabilities: Capabilities | null };
  readonly views: ViewsState;
  readonly navigation: Navigation;
  panel: Panel | null;
}

/** A separate window for reading, in px; the browser shrinks it to fit the screen. */
const WINDOW = 'noopener,noreferrer,popup,width=820,height=900';

/** Goes to the targets of deep links, notifications and menus. */
export class Targets {
  readonly #app: App;
  #run = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * Goes to the target in the address and to those that the host sends, now and later. Returns a function that stops
   * it.
   */
  follow(): () => void {
    const take = async (): Promise<void> => {
      const reply = await this.#app.wire.call('app.takeTarget', {});
      if (reply.ok && reply.value.target) await this.goTo(reply.value.target);
    };
    const opened = parseFragment('open', location.hash);
    if (opened) {
      // After a reload the page shows where the reader went since.
      history.replaceState(history.state, '', location.pathname + location.search);
      void this.goTo(opened);
    } else void take();
    return this.#app.wire.on('app.goTo', () => void take());
  }

  /** Goes to a target. If it is not saved here, says so and stays. */
  async goTo(target: Target): Promise<void> {
    const run = ++this.#run;
    const missing = await this.#missing(target);
    // Another target was chosen meanwhile.
    if (run !== this.#run) return;
    if (missing === null) this.#arrive(target);
    else this.#app.toasts.show(missingMessages[missing](), { tone: 'problem' });
  }

  openNoted({ kind, id }: NoteKey): void {
    const report = kind === 'report' ? reportOfNote(id) : null;
    if (kind === 'item') void this.goTo({ view: 'item', id });
    else if (kind === 'story') void this.goTo({ view: 'story', publicId: id });
    else if (report) void this.goTo({ view: 'report', ...report });
  }

  /** Opens a story or a report in a separate window of the host, or else of the browser. */
  async openWindow(target: WindowTarget): Promise<void> {
    const { wire, settings } = this.#app;
    if (settings.capabilities?.windows) {
      const reply = await wire.call('app.openWindow', { target });
      if (!reply.ok) this.#app.toasts.complain(m.window_failed(), reply.error);
      return;
    }
    const fragment = writeFragment('window', target);
    if (fragment === null) this.#app.toasts.show(m.window_failed(), { tone: 'problem' });
    else window.open(`${location.pathname}${fragment}`, '_blank', WINDOW);
  }

  /** Returns the missing part of a target, if any. Other failures may be temporary, and the view itself shows them. */
  async #missing(target: Target): Promise<Missing | null> {
    const { wire } = this.#app;
    switch (target.view) {
      case 'item':
        return isUnknown(await wire.call('items.get', { id: target.id })) ? 'item' : null;
      case 'model':
        return isUnknown(await wire.call('models.get', { modelList: target.modelList, id: target.id }))
          ? 'model'
          : null;
      case 'saved': {
        const reply = await wire.call('saved.list', {});
        return reply.ok && !reply.value.searches.some(({ id }) => id === target.id) ? 'saved' : null;
      }
      case 'story': {
        const { publicId } = target;
        const isStored = (await wire.call('stories.get', { publicId })).ok;
        // Fetches only ids that the service itself named.
        return !isStored && isUnknown(await wire.call('stories.open', { publicId })) ? 'story' : null;
      }
      case 'report': {
        const { kind, label } = target;
        const isStored = (await wire.call('reports.get', { kind, label })).ok;
        return !isStored && isUnknown(await wire.call('reports.open', { kind, label })) ? 'report' : null;
      }
      default:
        return null;
    }
  }

  #arrive(target: Target): void {
    const app = this.#app;
    leaveDialogs();
    switch (target.view) {
      case 'feed':
        return app.navigation.showView('feed');
      case 'item':
        return void app.navigation.showItem(target.id);
      case 'topic':
        return void app.navigation.openTopic(target.id);
      case 'saved':
        return app.navigation.show({ kind: 'saved', id: target.id });
      case 'story':
        app.navigation.showView('stories');
        return app.views.stories.open(target.publicId);
      case 'report':
        return app.navigation.openReport(target.kind, target.label);
      case 'model':
        return app.navigation.openModel(target.modelList, target.id);
      case 'modelChanges':
        app.navigation.showView('models');
        app.views.models.close();
        app.views.models.panel = 'changes';
        return;
      case 'notifications':
      case 'settings':
        app.panel = target.view;
    }
  }
}

function isUnknown(reply: Reply<unknown>): boolean {
  return !reply.ok && reply.error.code === 'not_found';
}
