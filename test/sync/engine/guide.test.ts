import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const MINUTE = 60_000;
const asked = ({ service }: TestApp) => service.requests.filter(({ path }) => path === '/api/v1/agent');

describe('the guide for agents', () => {
  // Holds: news-4.7-agent
  it('is fetched as Markdown when it is opened, not before', async () => {
    const app = await openTestApp();
    await app.call('sync.run', { urgency: 'now' });
    expect(asked(app)).toEqual([]);
    const guide = await app.call('guide.open', {});
    expect(guide.text).toContain(`(${app.service.newsAddress}/api/v1/items)`);
    expect(guide).toMatchObject({ fetchedAt: new Date(app.clock.now()).toISOString(), stale: null });
    expect(asked(app)).toMatchObject([{ query: '', headers: { accept: 'text/markdown' } }]);
  });

  it('is not fetched again within its lifetime, and revalidated by its ETag afterwards', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    const first = await app.call('guide.open', {});
    await app.reopen();
    app.clock.advance(4 * MINUTE);
    expect(await app.call('guide.open', {})).toEqual(first);
    expect(asked(app)).toHaveLength(1);
    app.clock.advance(2 * MINUTE);
    expect(await app.call('guide.open', {})).toEqual(first);
    expect(asked(app).map(({ status }) => status)).toEqual([200, 304]);
    expect(asked(app)[1]?.headers.ifNoneMatch).toBeTruthy();
    await app.call('guide.open', {});
    expect(asked(app)).toHaveLength(2);
  });

  it('is the saved copy, marked as stale, if the service is unreachable', async () => {
    const app = await openTestApp();
    const first = await app.call('guide.open', {});
    await app.service.close();
    app.clock.advance(6 * MINUTE);
    expect(await app.call('guide.open', {})).toEqual({
      ...first,
      stale: expect.objectContaining({ code: 'unreachable' }) as unknown,
    });
  });

  it.each([
    ['HTML', { 'content-type': 'text/html' }, '<h1>Sign in</h1>', 'wrong_content_type'],
    ['a flood', { 'content-type': 'text/markdown' }, 'x'.repeat(1024 * 1024 + 1), 'too_large'],
  ])('is not accepted from %s', async (_, headers, body, code) => {
    const app = await openTestApp({
      intercept: (request, response) => {
        if (!request.url?.endsWith('/agent')) return false;
        response.writeHead(200, headers).end(body);
        return true;
      },
    });
    expect(await app.reply('guide.open', {})).toMatchObject({ ok: false, error: { code } });
  });
});
