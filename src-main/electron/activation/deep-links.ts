import { resolve } from 'node:path';
import type { App } from 'electron';
import type { Log } from '../../contract/ports.ts';
import { DEEP_LINK_SCHEME } from '../../contract/targets.ts';

/**
 * macOS delivers links as events, possibly before the app is ready. They are buffered until `deliverTo` is called.
 */
export class OpenedLinks {
  readonly #early: string[] = [];
  #deliver: (link: string) => void = (link) => this.#early.push(link);

  constructor(app: Pick<App, 'on'>) {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#deliver(link);
    });
  }

  deliverTo(deliver: (link: string) => void): void {
    this.#deliver = deliver;
    for (const link of this.#early.splice(0)) deliver(link);
  }
}

interface ClaimPorts {
  app: Pick<App, 'setAsDefaultProtocolClient'>;
  /** Whether plain Electron runs the app from a folder, which the registration then needs. */
  isBare: boolean;
  executable: string;
  argv: readonly string[];
  log: Log;
}

/** Registers the app for `broadsheet:` links. On Linux and macOS the installer does so too. */
export function claimLinks({ app, isBare, executable, argv, log }: ClaimPorts): void {
  const folder = argv[1];
  const isDone =
    isBare && folder !== undefined
      ? app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME, executable, [resolve(folder)])
      : app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME);
  if (!isDone) log('info', 'Could not register Broadsheet for broadsheet: links');
}
