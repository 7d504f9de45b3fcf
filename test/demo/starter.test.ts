import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoStarter } from '../../src-main/demo/starter.ts';
import { fakeClock } from '../support/clock.ts';

describe('the starter of the demo service', () => {
  it('starts it once, however often it is called', async () => {
    const demo = demoStarter({ clock: fakeClock() });
    onTestFinished(demo.close);
    const [first, second] = await Promise.all([demo.start('en'), demo.start('en')]);
    expect(second).toBe(first);
    expect((await fetch(`${first}/api/v1/items`)).status).toBe(200);
  });

  it.each([
    // A name in it may be Chinese.
    ['en', /^\P{Script=Han}{12}/u],
    ['zh-CN', /\p{Script=Han}/u],
  ] as const)('begins with news that a reader of %s can read', async (locale, script) => {
    const demo = demoStarter({ clock: fakeClock() });
    onTestFinished(demo.close);
    const response = await fetch(`${await demo.start(locale)}/api/v1/items?mode=selected&limit=20`);
    const { items } = (await response.json()) as { items: { title: string }[] };
    expect(items.length).toBeGreaterThan(5);
    const readable = items.filter(({ title }) => script.test(title));
    expect(readable.length).toBeGreaterThanOrEqual(locale === 'en' ? items.length : items.length / 2);
  });

  it('tries again after a start that failed', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()));
    const { port } = taken.address() as AddressInfo;
    const demo = demoStarter({ clock: fakeClock(), port });
    onTestFinished(demo.close);
    await expect(demo.start('en')).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(demo.close()).resolves.toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
    expect(await demo.start('en')).toBe(`http://127.0.0.1:${port}`);
  });
});
