import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import { NOT_SHARED, type MarksFolder } from '../../../src-main/contract/model/marks-folder.ts';
import type { NotificationTrial, StoredNotification } from '../../../src-main/contract/model/notification.ts';
import type { Target } from '../../../src-main/contract/refs.ts';
import type { Backup, ParkedMirror } from '../../../src-main/contract/user-data.ts';

export type DesktopMethod = Extract<
  MethodName,
  | `notifications.${string}`
  | `problems.${string}`
  | `updates.${string}`
  | `data.${string}`
  | `marksFolder.${string}`
  | 'app.takeTarget'
  | 'app.lastPlace'
  | 'app.savePlace'
  | 'app.painted'
  | 'mcp.command'
  | 'app.openWindow'
>;

const FOLDER = '/home/reader/.local/share/Broadsheet';

/** Stands for the core's notifications, link targets, the reader's data and the app itself, as a test sets them. */
export class MemoryDesktop {
  /** Newest first. */
  notifications: StoredNotification[] = [];
  /** Taken by whoever asks first. */
  target: Target | null = null;
  /** Where the reader was, as the page saved it. */
  place: string | null = null;
  newest: string | null = null;
  trial: NotificationTrial = { outcome: 'shown', reason: '' };
  backups: Backup[] = [];
  parked: ParkedMirror[] = [];
  marks: MarksFolder = NOT_SHARED;
  /** Null if the reader chose none. */
  chosenFolder: string | null = null;
  /** True if the installation has the command for AI tools. */
  hasCommand = true;

  readonly bodies: { [M in DesktopMethod]: (args: Args<M>) => Result<M> } = {
    'notifications.list': ({ limit }) => ({ notifications: this.notifications.slice(0, limit) }),
    'notifications.test': () => this.trial,
    'app.takeTarget': () => {
      const target = this.target;
      this.target = null;
      return { target };
    },
    'app.lastPlace': () => ({ place: this.place }),
    'app.savePlace': ({ place }) => {
      this.place = place;
      return {};
    },
    'app.painted': () => ({}),
    'app.openWindow': () => ({}),
    'problems.report': () => ({}),
    'problems.dismiss': () => ({}),
    'updates.check': () => ({ newest: this.newest }),
    'marksFolder.get': () => this.marks,
    'marksFolder.set': ({ folder, passphrase, settings = this.marks.settings }) => {
      const encrypted = passphrase === undefined ? this.marks.encrypted : passphrase !== null;
      return (this.marks = { ...this.marks, folder, encrypted, settings, locked: false });
    },
    'marksFolder.compare': () => this.marks,
    'marksFolder.off': () => (this.marks = { ...this.marks, folder: null, machines: [] }),
    'marksFolder.remove': ({ machine }) => {
      const machines = this.marks.machines.filter(({ id }) => id !== machine);
      return (this.marks = { ...this.marks, machines });
    },
    'data.export': () => ({ name: 'broadsheet.json', text: '{}' }),
    'data.import': () => ({ taken: 0, unchanged: 0, skipped: 0, settings: false }),
    'data.backups': () => ({ backups: this.backups }),
    'data.backUp': () => ({ backups: this.backups }),
    'data.parkedMirrors': () => ({ mirrors: this.parked }),
    'data.removeParkedMirror': ({ id }) => {
      this.parked = this.parked.filter((mirror) => mirror.id !== id);
      return { mirrors: this.parked };
    },
    'data.restore': () => ({}),
    'data.dismissWarning': () => ({}),
    'data.rebuildMirror': () => ({}),
    'mcp.command': () => ({
      command: this.hasCommand ? '/usr/bin/node' : 'broadsheet',
      args: [...(this.hasCommand ? ['/app/bin/broadsheet.mjs'] : []), 'mcp', '--data', FOLDER],
      found: this.hasCommand,
    }),
    'data.folder': () => ({ folder: FOLDER }),
    'data.showFolder': () => ({}),
    'marksFolder.choose': () => ({ folder: this.chosenFolder }),
    'data.chooseFolder': () => ({ folder: this.chosenFolder }),
  };
}
