import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { watchTrayModel, type TrayModel } from '../../../src-main/electron/desktop/tray.ts';
import { countsOf, statusOf } from '../support/desktop.ts';

it('the tray reads counts and sync status again when the data were replaced', async () => {
  let unread = 3;
  let replaced = (): void => undefined;
  const wire = {
    call: async (method: string) => ({ ok: true, value: method === 'counts.get' ? countsOf(unread) : statusOf() }),
    on: (event: string, listener: () => void) => {
      if (event === 'data.replaced') replaced = listener;
      return () => undefined;
    },
  } as unknown as Wire;
  const models: TrayModel[] = [];
  watchTrayModel(wire, DEFAULT_SETTINGS, (model) => models.push(model));
  await new Promise(setImmediate);
  expect(models.at(-1)).toMatchObject({ counts: countsOf(3), sync: statusOf() });
  unread = 7;
  replaced();
  await new Promise(setImmediate);
  expect(models.at(-1)).toMatchObject({ counts: countsOf(7) });
});
