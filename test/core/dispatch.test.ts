import { describe, expect, it } from 'vitest';
import { METHOD_NAMES, type MethodName } from '../../src-main/contract/methods.ts';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { createDispatch, type Dispatch } from '../../src-main/core/wire.ts';
import { fakeClock } from '../support/clock.ts';
import type { LogLine } from '../support/test-app.ts';

const QUERY = { scope: 'all', window: 'any', state: 'any' };
const LINKS = {
  self: 'http://127.0.0.1:1/feed/t/atom.xml',
  home: 'http://127.0.0.1:1/',
  icon: 'http://127.0.0.1:1/icon',
};
const ONLINE = { mode: 'all', window: '7d', by: 'timeline' };
const DAILY = { kind: 'daily', label: '2026-03-18' };
const NO_REPORTS = [
  {},
  { kind: 'daily' },
  { kind: 'yearly', label: '2026' },
  { kind: 'daily', label: 'latest' },
  { kind: 'weekly', label: '2026-W1' },
  { kind: 'daily', label: '../items' },
];
const long = (length: number): string => 'x'.repeat(length);

interface Cases {
  good: unknown[];
  bad: unknown[];
}

const NOTHING: Cases = { good: [{}], bad: [null, undefined, [], 'text', 7, { extra: 1 }] };

const STORY: Cases = {
  good: [{ publicId: 'a' }, { publicId: long(128) }],
  bad: [{}, { publicId: '' }, { publicId: 7 }, { publicId: long(129) }, { publicId: 'a', force: true }],
};

const WORKLOAD = { name: 'Chat', tokensIn: 1000, tokensOut: 0, tokensCached: 1_000_000_000, requestsAMonth: 30 };

/** Valid and invalid arguments of every method. */
const CASES: Record<MethodName, Cases> = {
  'app.capabilities': NOTHING,
  'counts.get': NOTHING,
  'sync.status': NOTHING,
  'settings.get': NOTHING,
  'source.get': NOTHING,
  'items.page': {
    good: [
      { query: QUERY, limit: 1 },
      { query: { ...QUERY, category: 'a-new-one', text: '' }, limit: 500, cursor: '12' },
      { query: { ...QUERY, source: 'X：Lab (@lab)' }, limit: 1 },
    ],
    bad: [
      {},
      { query: QUERY },
      { query: QUERY, limit: 0 },
      { query: QUERY, limit: 501 },
      { query: QUERY, limit: 1.5 },
      { query: QUERY, limit: '1' },
      { query: QUERY, limit: 1, cursor: 5 },
      { query: QUERY, limit: 1, cursor: long(201) },
      { query: { ...QUERY, scope: 'none' }, limit: 1 },
      { query: { ...QUERY, category: '' }, limit: 1 },
      { query: { ...QUERY, source: ' ' }, limit: 1 },
      { query: { ...QUERY, source: long(2001) }, limit: 1 },
      { query: { ...QUERY, text: long(1001) }, limit: 1 },
      { query: { ...QUERY, unknown: 1 }, limit: 1 },
    ],
  },
  'items.places': {
    good: [
      { query: QUERY, limit: 1 },
      { query: QUERY, limit: 20_000, below: 64 },
    ],
    bad: [
      {},
      { query: QUERY },
      { query: QUERY, limit: 0 },
      { query: QUERY, limit: 20_001 },
      { query: QUERY, limit: 1, below: -1 },
    ],
  },
  'items.rows': {
    good: [
      { query: QUERY, places: [64] },
      { query: QUERY, places: Array.from({ length: 200 }, (_, n) => n) },
      { query: QUERY, places: [64], ids: ['one'] },
    ],
    bad: [
      { query: QUERY },
      { query: QUERY, places: [] },
      { query: QUERY, places: [0.5] },
      { query: QUERY, places: ['64'] },
      { query: QUERY, places: [64], ids: [''] },
      { query: QUERY, places: Array.from({ length: 201 }, (_, n) => n) },
    ],
  },
  'search.find': {
    good: [
      { text: '', limit: 1 },
      { text: long(1000), in: ['models', 'items'], limit: 500 },
    ],
    bad: [
      {},
      { text: 'a' },
      { text: long(1001), limit: 1 },
      { text: 'a', limit: 0 },
      { text: 'a', limit: 501 },
      { text: 'a', limit: 1, in: [] },
      { text: 'a', limit: 1, in: ['items', 'items'] },
      { text: 'a', limit: 1, in: ['pictures'] },
    ],
  },
  'search.suggest': {
    good: [
      { text: '', at: 0 },
      { text: 'is:', at: 3 },
    ],
    bad: [{}, { text: 'a' }, { text: 'a', at: -1 }, { text: 'a', at: 0.5 }, { text: long(1001), at: 0 }],
  },
  'items.count': { good: [{ query: QUERY }], bad: [{}, { query: {} }, { query: { ...QUERY, window: '1h' } }] },
  'items.export': {
    good: [
      { query: QUERY, format: 'atom', limit: 1 },
      { query: QUERY, format: 'csv', limit: 200, cursor: '12' },
    ],
    bad: [
      {},
      { query: QUERY, limit: 1 },
      { query: QUERY, format: 'rss', limit: 1 },
      { query: QUERY, format: 'md', limit: 0 },
      { query: QUERY, format: 'md', limit: 201 },
      { query: QUERY, format: 'md', limit: 1, cursor: long(201) },
    ],
  },
  'items.exportFrame': {
    good: [
      { query: QUERY, format: 'jsonfeed' },
      { query: QUERY, format: 'atom', updatedAt: '2026-03-18T00:00:00Z' },
      { query: QUERY, format: 'atom', links: LINKS },
    ],
    bad: [
      {},
      { query: QUERY },
      { query: QUERY, format: 'atom', updatedAt: 'soon' },
      { query: QUERY, format: 'atom', links: { ...LINKS, home: 'javascript:alert(1)' } },
    ],
  },
  'reports.feed': {
    good: [
      { kind: 'daily', labels: ['2026-03-18'] },
      { kind: 'daily', labels: ['2026-03-18'], format: 'jsonfeed' },
    ],
    bad: [
      {},
      { kind: 'daily', labels: [] },
      { kind: 'daily', labels: ['latest'] },
      { kind: 'daily', labels: ['2026-03-18'], format: 'csv' },
      { kind: 'daily', labels: Array.from({ length: 21 }, () => '2026-03-18') },
    ],
  },
  'reports.feedFrame': {
    good: [
      { kind: 'weekly', format: 'jsonfeed', links: LINKS },
      { kind: 'daily', month: '2026-03', updatedAt: '2026-03-18T00:00:00Z' },
    ],
    bad: [{}, { kind: 'daily', month: '2026-13' }, { kind: 'daily', month: 'March' }, { kind: 'daily', format: 'md' }],
  },
  'reports.book': {
    good: [
      { kind: 'daily', labels: ['2026-03-18'] },
      { kind: 'daily', labels: ['2026-03-18'], month: '2026-03' },
    ],
    bad: [
      {},
      { kind: 'daily', labels: [] },
      { kind: 'daily', labels: ['../items'] },
      { kind: 'daily', labels: Array.from({ length: 101 }, () => '2026-03-18') },
    ],
  },
  'items.get': {
    good: [{ id: 'a' }, { id: long(512) }],
    bad: [{}, { id: '' }, { id: 7 }, { id: null }, { id: long(513) }],
  },
  'items.withdrawal': { good: [{ id: 'a' }, { id: long(512) }], bad: [{}, { id: '' }, { id: 7 }, { id: long(513) }] },
  'items.unknown': {
    good: [{ ids: ['a'] }, { ids: Array.from({ length: 1000 }, String) }],
    bad: [{}, { ids: [] }, { ids: [''] }, { ids: Array.from({ length: 1001 }, String) }],
  },
  'items.folded': {
    good: [
      { query: QUERY, id: 'a' },
      { query: { ...QUERY, foldStories: true }, id: 'a' },
    ],
    bad: [{}, { query: QUERY }, { query: { ...QUERY, foldStories: false }, id: 'a' }, { query: QUERY, id: '' }],
  },
  'sources.list': {
    good: [
      { sort: 'unread', offset: 0, limit: 1 },
      { sort: 'name', offset: 4_999, limit: 500, text: 'lab' },
    ],
    bad: [
      {},
      { sort: 'size', offset: 0, limit: 1 },
      { sort: 'name', offset: -1, limit: 1 },
      { sort: 'name', offset: 0, limit: 501 },
      { sort: 'name', offset: 0, limit: 1, text: long(201) },
    ],
  },
  'sources.get': { good: [{ name: 'Lab' }], bad: [{}, { name: '' }, { name: ' ' }, { name: long(2001) }, { name: 7 }] },
  'statistics.get': { good: [{ days: 30 }, { days: 365 }], bad: [{}, { days: 31 }, { days: '30' }, { days: 0 }] },
  'items.context': { good: [{ id: 'a' }], bad: [{}, { id: '' }, { id: long(513) }] },
  'items.mark': {
    good: [
      { ids: ['a'], mark: 'read' },
      { ids: Array.from({ length: 1000 }, String), mark: 'unstar' },
    ],
    bad: [
      { ids: [], mark: 'read' },
      { ids: Array.from({ length: 1001 }, String), mark: 'read' },
      { ids: 'a', mark: 'read' },
      { ids: ['a', null], mark: 'read' },
      { ids: ['a'], mark: 'constructor' },
      { ids: ['a'] },
    ],
  },
  'items.markAllRead': {
    good: [{ query: QUERY, watermark: 0 }],
    bad: [{ query: QUERY }, { query: QUERY, watermark: -1 }, { query: QUERY, watermark: Number.NaN }, { watermark: 1 }],
  },
  'saved.list': NOTHING,
  'saved.add': {
    good: [
      { name: 'Agents', query: 'agent' },
      { name: long(80), query: long(1000), notify: true, was: { id: 'a1b2', position: 0 } },
    ],
    bad: [
      { name: '', query: 'a' },
      { name: long(81), query: 'a' },
      { name: 'a', query: ' ' },
      { name: 'a', query: long(1001) },
      { name: 'a', query: 'a', was: { id: 'a b', position: 0 } },
      { name: 'a', query: 'a', was: { id: 'a', position: 1e9 } },
    ],
  },
  'saved.change': {
    good: [{ id: 'a1b2' }, { id: 'a1b2', name: 'B', query: 'b', notify: false }],
    bad: [{}, { id: '' }, { id: long(37) }, { id: 'a', name: '' }, { id: 'a', notify: 1 }],
  },
  'saved.move': {
    good: [
      { id: 'a1b2', to: 0 },
      { id: 'a1b2', to: 1_000 },
    ],
    bad: [{ id: 'a1b2' }, { id: 'a1b2', to: -1 }, { id: 'a1b2', to: 1.5 }, { id: '', to: 0 }],
  },
  'saved.remove': { good: [{ id: 'a1b2' }], bad: [{}, { id: '../x' }] },
  'mutes.list': NOTHING,
  'mutes.add': {
    good: [{ query: 'category:paper' }, { query: long(1000), was: 'a1b2' }],
    bad: [{}, { query: '  ' }, { query: long(1001) }, { query: 'a', was: '' }],
  },
  'mutes.remove': { good: [{ id: 'a1b2' }], bad: [{}, { id: 7 }] },
  'items.undoMark': { good: [{ undo: 'a' }], bad: [{}, { undo: '' }, { undo: long(101) }] },
  'sync.run': {
    good: [{ urgency: 'due' }, { urgency: 'permitted' }, { urgency: 'now', resources: ['items', 'selected'] }],
    bad: [{}, { urgency: 'soon' }, { urgency: 'now', resources: [] }, { urgency: 'now', resources: ['prices'] }],
  },
  'sync.pause': {
    good: [{ untilMs: null }, { untilMs: 1_800_000_000_000 }],
    bad: [{}, { untilMs: -1 }, { untilMs: 1.5 }, { untilMs: '1' }, { until: null }],
  },
  'sync.resume': NOTHING,
  'sync.accept': {
    good: [{ resource: 'models' }, { resource: 'selected' }, { resource: 'items' }],
    bad: [{}, { resource: 'dailies' }, { resource: null }],
  },
  'sync.attend': { good: [{ to: 'items' }, { to: null }], bad: [{}, { to: 'prices' }, { to: '' }, { to: ['items'] }] },
  'health.get': NOTHING,
  'health.check': NOTHING,
  'settings.set': {
    good: [
      { patch: {} },
      { patch: { theme: 'dark', language: 'zh-CN', density: 'compact', singleKeys: false } },
      { patch: { newsAddress: null, modelsAddress: 'http://127.0.0.1:1/base' } },
      { patch: { proxy: 'none', textSize: 110, keepDays: null, shortcuts: { next: 'n' } } },
      { patch: { quietHours: { on: true, from: '00:00', to: '23:59' } } },
    ],
    bad: [
      {},
      { patch: null },
      { patch: { theme: 'pink' } },
      { patch: { newsAddress: 'ftp://a.example' } },
      { patch: { newsAddress: 'http://user:word@a.example' } },
      { patch: { newsAddress: 'http://a.example/?q=1' } },
      { patch: { newsAddress: 'no address' } },
      { patch: { unknown: 1 } },
      { patch: { theme: undefined } },
      { patch: { proxy: 'a.example:8080' } },
      { patch: { textSize: 105 } },
      { patch: { keepDays: 0 } },
      { patch: { quietHours: { on: true, from: '24:00', to: '07:00' } } },
      { patch: { notify: { daily: true } } },
      { patch: { modelColumns: [] } },
    ],
  },
  'source.test': {
    good: [{ address: 'https://a.example' }],
    bad: [{}, { address: '' }, { address: `http://${long(2048)}` }],
  },
  'today.get': NOTHING,
  'visits.sinceLast': NOTHING,
  'visits.list': {
    good: [{ which: 'added' }, { which: 'withdrawn', scope: 'selected' }],
    bad: [{}, { which: 'added', scope: 'x' }, { which: 'all' }, { which: null }],
  },
  'visits.end': NOTHING,
  'visits.begin': {
    good: [{}, { fresh: true }, { fresh: false }],
    bad: [null, { fresh: 1 }, { fresh: null }, { at: 1 }],
  },
  'items.revisions': { good: [{ id: 'a' }], bad: [{}, { id: '' }, { id: long(513) }] },
  'items.searchOnline': {
    good: [{ request: ONLINE }, { request: { ...ONLINE, category: 'a-new-one', q: 'words' }, cursor: 'a-place' }],
    bad: [
      {},
      { request: {} },
      { request: { ...ONLINE, window: 'any' } },
      { request: { ...ONLINE, by: 'score' } },
      { request: { ...ONLINE, category: '' } },
      { request: { ...ONLINE, q: long(1001) } },
      { request: { ...ONLINE, limit: 5 } },
      { request: ONLINE, cursor: '' },
    ],
  },
  'guide.open': NOTHING,
  'hotTopics.list': NOTHING,
  'stories.list': {
    good: [{ which: 'all' }, { which: 'followed' }, { which: 'starred' }],
    bad: [{}, { which: 'cold' }, { which: 'all', limit: 1 }],
  },
  'stories.get': STORY,
  'stories.open': STORY,
  'stories.follow': {
    good: [{ publicId: 'a', follow: true }],
    bad: [{ publicId: 'a' }, { publicId: '', follow: true }, { publicId: 'a', follow: 1 }],
  },
  'stories.star': {
    good: [{ publicId: 'a', star: false }],
    bad: [{ publicId: 'a' }, { publicId: long(129), star: true }, { publicId: 'a', star: 'yes' }],
  },
  'reports.index': { good: [{ kind: 'daily' }, { kind: 'monthly' }], bad: [{}, { kind: 'yearly' }, { kind: null }] },
  'reports.get': { good: [DAILY, { kind: 'weekly', label: '2026-W12' }], bad: NO_REPORTS },
  'reports.open': { good: [DAILY, { kind: 'monthly', label: '2026-03' }], bad: NO_REPORTS },
  'reports.mark': { good: [{ ...DAILY, read: true }], bad: [...NO_REPORTS, DAILY, { ...DAILY, read: 1 }] },
  'reports.markCitations': {
    good: [{ keys: Array.from({ length: 500 }, (_, n) => `https://a.example/${n}`), read: true }],
    bad: [
      {},
      { keys: [], read: true },
      { keys: [''], read: true },
      { keys: [long(4097)], read: true },
      { keys: ['https://a.example/1'] },
      { keys: Array.from({ length: 501 }, String), read: true },
    ],
  },
  'reports.render': {
    good: ['md', 'html', 'json'].map((format) => ({ ...DAILY, format })),
    bad: [...NO_REPORTS, DAILY, { ...DAILY, format: 'pdf' }],
  },
  'page.savePdf': {
    good: [
      { name: 'a' },
      { name: 'daily-2026-03-18.pdf' },
      { name: '日报 2026.pdf' },
      { name: long(120) },
      { name: '...' },
    ],
    bad: [
      {},
      { name: '' },
      { name: 7 },
      { name: long(121) },
      { name: '.' },
      { name: '..' },
      { name: '../a.pdf' },
      { name: 'a/b.pdf' },
      { name: 'a\\b.pdf' },
      { name: 'a\u0000.pdf' },
      { name: 'a\n.pdf' },
      { name: 'a.pdf', folder: '/' },
    ],
  },
  'models.list': { good: [{ modelList: 'models' }, { modelList: 'embeddings' }], bad: [{}, { modelList: 'items' }] },
  'models.get': {
    good: [{ modelList: 'models', id: 'vendor/model' }],
    bad: [
      { id: 'vendor/model' },
      { modelList: 'models' },
      { modelList: 'models', id: '' },
      { modelList: 'models', id: long(513) },
    ],
  },
  'models.changes': {
    good: [{ limit: 1 }, { limit: 1000 }, { limit: 1, model: { modelList: 'models', id: 'vendor/model' } }],
    bad: [{}, { limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { limit: 1, model: 'vendor/model' }],
  },
  'models.news': {
    good: [{ id: 'vendor/model', limit: 500 }],
    bad: [{ id: 'vendor/model' }, { id: '', limit: 1 }, { id: 'vendor/model', limit: 501 }],
  },
  'models.favourite': {
    good: [{ id: 'vendor/model', favourite: true }],
    bad: [{ id: 'vendor/model' }, { id: 'vendor/model', favourite: 1 }, { id: '', favourite: true }],
  },
  'models.setAliases': {
    good: [
      { id: 'vendor/model', aliases: [] },
      { id: 'vendor/model', aliases: ['ab', long(80)] },
    ],
    bad: [
      { id: 'vendor/model' },
      { id: 'vendor/model', aliases: ['a'] },
      { id: 'vendor/model', aliases: [long(81)] },
      { id: 'vendor/model', aliases: Array.from({ length: 21 }, (_, at) => `alias ${at}`) },
    ],
  },
  'workloads.list': NOTHING,
  'workloads.save': {
    good: [{ workload: WORKLOAD }, { workload: { ...WORKLOAD, id: 1 } }],
    bad: [
      {},
      { workload: { ...WORKLOAD, id: 0 } },
      { workload: { ...WORKLOAD, name: ' ' } },
      { workload: { ...WORKLOAD, name: long(81) } },
      { workload: { ...WORKLOAD, tokensIn: -1 } },
      { workload: { ...WORKLOAD, requestsAMonth: 1.5 } },
      { workload: { ...WORKLOAD, currency: 'EUR' } },
    ],
  },
  'notes.get': {
    good: [
      { kind: 'item', id: long(512) },
      { kind: 'story', id: 'a' },
      { kind: 'report', id: 'weekly/2026-W47' },
    ],
    bad: [
      {},
      { kind: 'item', id: '' },
      { kind: 'model', id: 'a' },
      { kind: 'report', id: '2026-11-20' },
      { kind: 'report', id: 'daily/2026-11-31' },
      { kind: 'report', id: 'daily/2026-11-20/x' },
    ],
  },
  'notes.keys': NOTHING,
  'notes.list': {
    good: [{ limit: 1, offset: 0 }],
    bad: [{}, { limit: 0, offset: 0 }, { limit: 501, offset: 0 }, { limit: 1, offset: -1 }],
  },
  'vault.files': {
    good: [
      { keys: [{ kind: 'item', id: 'a' }] },
      { keys: Array.from({ length: 200 }, () => ({ kind: 'report', id: 'daily/2026-11-20' })) },
    ],
    bad: [
      {},
      { keys: [] },
      { keys: [{ kind: 'model', id: 'a' }] },
      { keys: Array.from({ length: 201 }, () => ({ kind: 'item', id: 'a' })) },
    ],
  },
  'notes.set': {
    good: [
      { kind: 'item', id: 'a', text: long(20_000) },
      { kind: 'story', id: 'a', text: '', service: 'demo' },
    ],
    bad: [
      {},
      { kind: 'item', id: 'a' },
      { kind: 'item', id: 'a', text: long(20_001) },
      { kind: 'item', id: 'a', text: 7 },
    ],
  },
  'notes.remove': { good: [{ kind: 'item', id: 'a' }], bad: [{}, { kind: 'item', id: 7 }] },
  'workloads.remove': { good: [{ id: 1 }], bad: [{}, { id: 0 }, { id: '1' }] },
  'gateway.get': NOTHING,
  'gateway.test': {
    good: [{ address: 'https://gateway.example' }],
    bad: [{}, { address: 'gateway' }, { address: 'https://me:secret@gateway.example' }],
  },
  'gateway.setKey': {
    good: [{ key: 'k' }, { key: long(512) }, { key: '!"#$%&/()=?~' }],
    bad: [{}, { key: '' }, { key: long(513) }, { key: 'a key' }, { key: 'key\n' }, { key: 'schlüssel' }, { key: 7 }],
  },
  'gateway.allowKey': NOTHING,
  'gateway.removeKey': NOTHING,
  'notifications.list': {
    good: [{ limit: 1 }, { limit: 500 }],
    bad: [{}, { limit: 0 }, { limit: 501 }, { limit: '1' }],
  },
  'app.takeTarget': NOTHING,
  'app.lastPlace': NOTHING,
  'app.savePlace': {
    good: [{ place: 'notes' }, { place: `notes#${long(15_994)}` }],
    bad: [{}, { place: null }, { place: '' }, { place: 'settings' }, { place: `notes#${long(15_995)}` }],
  },
  'app.painted': NOTHING,
  'app.openWindow': {
    good: [{ target: { view: 'story', publicId: 'a' } }, { target: { ...DAILY, view: 'report' } }],
    bad: [
      {},
      { target: null },
      { target: { view: 'news' } },
      { target: { view: 'story' } },
      { target: { view: 'story', publicId: long(129) } },
      { target: { view: 'report', kind: 'daily', label: '../items' } },
      { target: { view: 'story', publicId: 'a', url: 'https://a.example' } },
    ],
  },
  'app.show': {
    good: [{}, { link: 'broadsheet://story/a' }],
    bad: [{ link: null }, { link: '' }, { link: 'https://news.example/' }, { link: 'broadsheet://settings/a' }],
  },
  'problems.report': {
    good: [
      { message: '', trace: '' },
      { message: long(2000), trace: long(20_000) },
    ],
    bad: [
      {},
      { message: 'a' },
      { message: 7, trace: '' },
      { message: long(2001), trace: '' },
      { message: '', trace: long(20_001) },
    ],
  },
  'problems.dismiss': NOTHING,
  'updates.check': NOTHING,
  'notifications.test': NOTHING,
  'data.export': NOTHING,
  'data.import': {
    good: [{ text: '' }, { text: '{}' }],
    bad: [{}, { text: null }, { text: {} }, { file: '/etc/passwd' }],
  },
  'data.backups': NOTHING,
  'data.backUp': NOTHING,
  'data.parkedMirrors': NOTHING,
  'data.removeParkedMirror': {
    good: [{ id: '0123456789abcdef' }],
    bad: [{}, { id: '' }, { id: '..' }, { id: '0123456789ABCDEF' }, { id: '../backups' }, { id: long(17) }],
  },
  'devices.get': NOTHING,
  'devices.set': {
    good: [{ folder: '/home/reader/Sync' }],
    bad: [{}, { folder: '' }, { folder: 7 }, { folder: long(4097) }],
  },
  'devices.off': NOTHING,
  'devices.remove': {
    good: [{ device: '0123456789abcdef' }],
    bad: [{}, { device: '' }, { device: '..' }, { device: '0123456789ABCDEF' }, { device: '../0123456789abc' }],
  },
  'devices.compare': NOTHING,
  'data.restore': {
    good: [{ name: 'user-2026-03-18T06-30-00-000Z.db' }],
    bad: [{}, { name: '' }, { name: '..' }, { name: '../user.db' }, { name: 'a\\b' }, { name: long(121) }],
  },
  'data.dismissWarning': {
    good: [{ id: 'user.db.damaged-2026-03-18T06-30-00-000Z' }, { id: 'user.db' }],
    bad: [{}, { id: '' }, { id: '..' }, { id: '../user.db' }, { id: 'a\\b' }, { id: long(121) }],
  },
  'data.rebuildMirror': NOTHING,
  'mcp.command': NOTHING,
  'data.folder': NOTHING,
  'data.showFolder': NOTHING,
  'data.chooseFolder': NOTHING,
  'devices.choose': NOTHING,
  'links.open': { good: [{ url: 'anything, for the handler decides' }], bad: [{}, { url: 7 }, { url: long(8193) }] },
};

const table = (kind: keyof Cases) =>
  METHOD_NAMES.flatMap((method) => CASES[method][kind].map((args) => ({ method, args })));

interface Room {
  dispatch: Dispatch;
  log: LogLine[];
}

/** Calls of any method run `body` with their arguments. */
function openRoom(body: (args: unknown) => unknown, tookMs = 0): Room {
  const clock = fakeClock();
  const log: LogLine[] = [];
  const run = async (_method: MethodName, args: unknown): Promise<never> => {
    clock.advance(tookMs);
    return (await body(args)) as never;
  };
  const dispatch = createDispatch(run, {
    clock,
    log: (level, message, fields = {}) => void log.push({ level, message, fields }),
  });
  return { dispatch, log };
}

describe('a call', () => {
  it.each(table('good'))('of $method with valid arguments reaches its handler', async ({ method, args }) => {
    const { dispatch } = openRoom((given) => given);
    expect(await dispatch(method, args as never)).toEqual({ ok: true, value: args });
  });

  it.each(table('bad'))('of $method with invalid arguments is rejected', async ({ method, args }) => {
    const reached: unknown[] = [];
    const { dispatch, log } = openRoom((given) => reached.push(given));
    const reply = await dispatch(method, args as never);
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument', retryable: false } });
    expect(reply.ok ? '' : reply.error.message).toMatch(new RegExp(`^${method}: `));
    expect(reached).toEqual([]);
    expect(log).toEqual([]);
  });

  it.each([
    '',
    'items',
    'items.Page',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    7,
    null,
    undefined,
    {},
    ['items.get'],
  ])('of %j, which is not a method, is rejected', async (name) => {
    const { dispatch } = openRoom(() => 'reached');
    const reply = await dispatch(name as never, {} as never);
    expect(reply).toEqual({
      ok: false,
      error: { code: 'unknown_method', message: 'There is no such method.', retryable: false },
    });
  });

  it('that fails returns code, message and request id', async () => {
    const { dispatch, log } = openRoom(() => {
      throw new BroadsheetError('rate_limited', 'Later.', { retryable: true, requestId: 'r-1' });
    });
    const error = { code: 'rate_limited', message: 'Later.', retryable: true, requestId: 'r-1' };
    expect(await dispatch('counts.get', {})).toEqual({ ok: false, error });
    expect(log).toEqual([]);
  });

  it.each([new Error('a secret word'), new TypeError('a secret word'), 'a secret word', null, undefined])(
    'that throws %j unexpectedly does not return it, but logs it',
    async (thrown) => {
      const { dispatch, log } = openRoom(() => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- a defect may throw anything
        throw thrown;
      });
      const reply = await dispatch('counts.get', {});
      expect(reply).toMatchObject({ ok: false, error: { code: 'internal', retryable: false } });
      expect(JSON.stringify(reply)).not.toContain('secret');
      expect(log).toMatchObject([{ level: 'error', fields: { method: 'counts.get' } }]);
    },
  );

  it('that is slow is logged, with its name but without arguments', async () => {
    const slow = openRoom(() => 0, 251);
    await slow.dispatch('items.count', { query: { scope: 'all', window: 'any', state: 'any', text: 'private words' } });
    expect(slow.log).toEqual([{ level: 'info', message: 'slow call', fields: { method: 'items.count', ms: 251 } }]);
    const quick = openRoom(() => 0, 250);
    await quick.dispatch('counts.get', {});
    expect(quick.log).toEqual([]);
  });
});
