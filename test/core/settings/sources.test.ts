import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { resolveGateway, resolveNewsSource } from '../../../src-main/core/settings/sources.ts';
import { serviceName } from '../../../src-main/sync/engine/services.ts';

const startDemo = () => Promise.resolve('http://127.0.0.1:4000');
const settings = { ...DEFAULT_SETTINGS, newsAddress: 'https://saved.example', modelsAddress: 'https://models.example' };
const environment = 'https://environment.example';

describe('a demo that was asked for', () => {
  it.each(['standard', 'harsh'] as const)('takes the place of the services that are set: %s', async (demo) => {
    const news = await resolveNewsSource({ demo, environment, settings, startDemo });
    expect(news).toMatchObject({ address: 'http://127.0.0.1:4000', demo: true, from: 'demo' });
    const gateway = resolveGateway({ demo, environment, settings, news });
    expect(gateway).toMatchObject({ address: 'http://127.0.0.1:4000', demo: true });
  });

  it('leaves a service named by an option alone', async () => {
    const option = 'https://option.example';
    const news = await resolveNewsSource({ demo: 'harsh', option, settings, startDemo });
    expect(news).toEqual({ address: option, demo: false, from: 'option' });
  });

  it('has saved data of its own if it is harsh', async () => {
    const sources = await Promise.all(
      ([undefined, 'standard', 'harsh'] as const).map((demo) =>
        resolveNewsSource({ demo, settings: DEFAULT_SETTINGS, startDemo }),
      ),
    );
    expect(sources.map(serviceName)).toEqual(['demo', 'demo', 'demo-harsh']);
    const gateways = sources.map((source) => ({ ...source, from: 'demo' as const }));
    expect(gateways.map(serviceName)).toEqual(['demo', 'demo', 'demo-harsh']);
  });
});

const SPELLINGS = ['http://127.0.0.1', 'http://127.1', 'HTTP://127.0.0.1:80/', 'http://127.0.0.1//'];

describe('every spelling of an address', () => {
  it.each(['option', 'environment', 'settings'] as const)('names one mirror (%s)', async (from) => {
    for (const address of SPELLINGS) {
      const choice = { settings: { ...DEFAULT_SETTINGS, ...(from === 'settings' && { newsAddress: address }) } };
      const source = await resolveNewsSource({ ...choice, ...(from !== 'settings' && { [from]: address }), startDemo });
      expect(source).toEqual({ address: 'http://127.0.0.1', demo: false, from });
      expect(serviceName(source)).toBe('http://127.0.0.1');
    }
  });

  it('names one gateway', async () => {
    const news = await resolveNewsSource({ settings: DEFAULT_SETTINGS, startDemo });
    for (const option of SPELLINGS) {
      const gateway = resolveGateway({ option, settings: DEFAULT_SETTINGS, news });
      expect(gateway && serviceName(gateway)).toBe('http://127.0.0.1');
    }
  });
});
