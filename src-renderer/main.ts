// First: of two rules that are equally specific, the component's wins.
import './styles/shared.css';
import './styles/roles.css';
import { mount, tick } from 'svelte';
import { parseFragment } from '../src-main/contract/refs.ts';
import { connect } from './api/connect.ts';
import Page from './app/Page.svelte';
import { AppState } from './app/app-state.svelte.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/print.css';

/** In ms. A page that takes longer to read its settings and fonts is shown without them. */
const FIRST_PAINT_MS = 200;
/** In ms, for two frames. Under Wayland, a hidden window draws none. */
const FRAMES_MS = 150;
const FONTS = ['Inter', 'Source Serif 4', 'Inter for Han', 'Source Serif 4 for Han'];

const target = parseFragment('window', location.hash);
const app = new AppState(connect(), target !== null);
app.problems.listen();
// Editing only the fragment of the address loads nothing by itself.
window.addEventListener('hashchange', () => location.reload());
const patience = new Promise((resolve) => setTimeout(resolve, FIRST_PAINT_MS));
// A font that can't be loaded must not prevent the start.
const fonts = Promise.allSettled(FONTS.map((font) => document.fonts.load(`1em "${font}"`)));
const loading = app.load();
void start();

async function start(): Promise<void> {
  await Promise.race([Promise.all([loading, fonts]), patience]);
  mount(Page, { target: document.getElementById('app') ?? document.body, props: { app, target } });
  await loading;
  await tick();
  // The first of these two frames has the content.
  const drawn = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, FRAMES_MS))]);
  app.reportPaint();
  // Safari can't tell when it is idle.
  if (!target && 'requestIdleCallback' in window) requestIdleCallback(() => app.prepareSearch());
}
