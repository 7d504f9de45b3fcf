import { describe, expect, it } from 'vitest';
import { openHouse, type House } from '../../support/test-app.ts';

const MINUTE = 60_000;
const asked = ({ service }: House) => service.requests.filter(({ path }) => path === '/api/v1/agent');

describe('the guide for agents', { timeout: 60_000 }, () => {
  it('is asked for when it is opened, as Markdown, and not before', async () => {
    const house = await openHouse();
    await house.call('sync.run', { urgency: 'now' });
    expect(asked(house)).toEqual([]);
    const guide = await house.call('guide.open', {});
    expect(guide.text).toContain(`(${house.service.newsAddress}/api/v1/items)`);
    expect(guide).toMatchObject({ fetchedAt: new Date(house.clock.now()).toISOString(), stale: null });
    expect(asked(house)).toMatchObject([{ query: '', headers: { accept: 'text/markdown' } }]);
  });

  it('is not asked for again within its lifetime, and only whether it changed after it, by its ETag', async () => {
    const house = await openHouse({ folder: 'temporary' });
    const first = await house.call('guide.open', {});
    await house.reopen();
    house.clock.advance(4 * MINUTE);
    expect(await house.call('guide.open', {})).toEqual(first);
    expect(asked(house)).toHaveLength(1);
    house.clock.advance(2 * MINUTE);
    expect(await house.call('guide.open', {})).toEqual(first);
    expect(asked(house).map(({ status }) => status)).toEqual([200, 304]);
    expect(asked(house)[1]?.headers.ifNoneMatch).toBeTruthy();
    await house.call('guide.open', {});
    expect(asked(house)).toHaveLength(2);
  });

  it('is the stored copy, and says so, where the service cannot be reached', async () => {
    const house = await openHouse();
    const first = await house.call('guide.open', {});
    await house.service.close();
    house.clock.advance(6 * MINUTE);
    expect(await house.call('guide.open', {})).toEqual({
      ...first,
      stale: expect.objectContaining({ code: 'unreachable' }) as unknown,
    });
  });

  it('is a failure where nothing is stored either', async () => {
    const house = await openHouse({ address: () => 'http://127.0.0.1:9' });
    expect(await house.reply('guide.open', {})).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  });

  it('is not asked for while the service wants a pause', async () => {
    let busy = false;
    const house = await openHouse({
      intercept: (_request, response) => {
        if (busy) response.writeHead(503, { 'retry-after': '120' }).end();
        return busy;
      },
    });
    await house.call('guide.open', {});
    house.clock.advance(6 * MINUTE);
    busy = true;
    expect((await house.call('guide.open', {})).stale).toMatchObject({ code: 'temporarily_unavailable' });
    busy = false;
    const sent = asked(house).length;
    expect((await house.call('guide.open', {})).stale).toMatchObject({ code: 'rate_limited' });
    expect(asked(house)).toHaveLength(sent);
    house.clock.advance(2 * MINUTE);
    expect((await house.call('guide.open', {})).stale).toBeNull();
  });

  it.each([
    ['HTML', { 'content-type': 'text/html' }, '<h1>Sign in</h1>', 'wrong_content_type'],
    ['a flood', { 'content-type': 'text/markdown' }, 'x'.repeat(1024 * 1024 + 1), 'too_large'],
  ])('is not taken from %s', async (_, headers, body, code) => {
    const house = await openHouse({
      intercept: (request, response) => {
        if (!request.url?.endsWith('/agent')) return false;
        response.writeHead(200, headers).end(body);
        return true;
      },
    });
    expect(await house.reply('guide.open', {})).toMatchObject({ ok: false, error: { code } });
  });
});
