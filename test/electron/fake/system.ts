/** Events and settings of the system. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { mustBeReady } from './app.ts';
import { record } from './records.ts';

/** Set by the test. */
export const machine = {
  /** The screens, primary first: x, y, width and height of their work areas. */
  screens: [[0, 0, 1920, 1040]] as [number, number, number, number][],
};

export const net = { isOnline: (): boolean => true } satisfies Pick<Electron.Net, 'isOnline'>;

export const powerMonitor = new EventEmitter();

export const clipboard = {
  async writeText(text: string): Promise<void> {
    record.copied.push(text);
  },
} satisfies Pick<Electron.Clipboard, 'writeText'>;

function displays(): Electron.Display[] {
  return machine.screens.map(
    ([x, y, width, height], id) => ({ id, workArea: { x, y, width, height } }) as Electron.Display,
  );
}

class FakeScreen extends EventEmitter implements Pick<Electron.Screen, 'getPrimaryDisplay' | 'getAllDisplays'> {
  getPrimaryDisplay = (): Electron.Display => {
    mustBeReady("The 'screen' module can't be used");
    return displays()[0]!;
  };
  // As in Electron, the order does not tell which is the primary one.
  getAllDisplays = (): Electron.Display[] => {
    mustBeReady("The 'screen' module can't be used");
    return displays().reverse();
  };
  override on(event: string, listener: (...args: unknown[]) => void): this {
    mustBeReady("The 'screen' module can't be used");
    return super.on(event, listener);
  }
}
export const screen = new FakeScreen();
