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
  app: Pick<
    App,
    'isPackaged' | 'getApplicationNameForProtocol' | 'isDefaultProtocolClient' | 'setAsDefaultProtocolClient'
  >;
  log: Log;
}

/**
 * Registers the installed app for `broadsheet:` links if nobody else is: another program was chosen by the user. Under
 * `npm start` it would be plain Electron that opens them, with a folder that may be gone later.
 */
export function claimLinks({ app, log }: ClaimPorts): void {
  if (!app.isPackaged || app.isDefaultProtocolClient(DEEP_LINK_SCHEME)) return;
  if (app.getApplicationNameForProtocol(`${DEEP_LINK_SCHEME}://`) !== '') return;
  if (!app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME))
    log('info', 'Could not register Broadsheet for broadsheet: links');
}
