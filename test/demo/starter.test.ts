import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoStarter } from '../../src-main/demo/starter.ts';
import { fakeClock } from '../support/clock.ts';

describe('the starter of the demo service', () => {
  it('starts it once, however often it is called', async () => {
    const demo = demoStarter({ clock: fakeClock() });
    onTestFinished(demo.close);
    const [first, second] = await Promise.all([demo.start(), demo.start()]);
    expect(second).toBe(first);
    expect((await fetch(`${first}/api/v1/items`)).status).toBe(200);
  });

  it('closes nothing where nothing was started', async () => {
    await expect(demoStarter({ clock: fakeClock() }).close()).resolves.toBeUndefined();
  });

  it('tries again after a start that failed', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()));
    const { port } = taken.address() as AddressInfo;
    const demo = demoStarter({ clock: fakeClock(), port });
    onTestFinished(demo.close);
    await expect(demo.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(demo.close()).resolves.toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
    expect(await demo.start()).toBe(`http://127.0.0.1:${port}`);
  });
});
