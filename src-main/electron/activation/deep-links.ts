import { resolve } from 'node:path';
import type { App } from 'electron';
import type { Log } from '../../contract/ports.ts';
import { DEEP_LINK_SCHEME } from '../../contract/targets.ts';

/**
 * macOS: a link comes as an event, perhaps before the app is ready. Listened to from the first moment; each is kept until
 * somebody wants it.
 */
export class OpenedLinks {
  readonly #early: string[] = [];
  #take: (link: string) => void = (link) => this.#early.push(link);

  constructor(app: Pick<App, 'on'>) {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#take(link);
    });
  }

  deliverTo(take: (link: string) => void): void {
    this.#take = take;
    for (const link of this.#early.splice(0)) take(link);
  }
}

interface ClaimPorts {
  app: Pick<App, 'setAsDefaultProtocolClient'>;
  /** Whether a bare Electron runs us from a folder: it has to be told which. */
  isBare: boolean;
  executable: string;
  argv: readonly string[];
  log: Log;
}

/** Tells the system who opens `broadsheet:` links. On Linux and macOS what the installer says counts as well. */
export function claimLinks({ app, isBare, executable, argv, log }: ClaimPorts): void {
  const folder = argv[1];
  const isDone =
    isBare && folder !== undefined
      ? app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME, executable, [resolve(folder)])
      : app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME);
  if (!isDone) log('info', 'The system did not take Broadsheet for its links');
}
