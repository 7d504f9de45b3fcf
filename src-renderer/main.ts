import { mount } from 'svelte';
import { connect } from './api/connect.ts';
import App from './App.svelte';
import { Reader } from './state/reader.svelte.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/print.css';

/** A page that is slower than this to read its settings shows itself without them. */
const FIRST_PAINT_MS = 200;

const reader = new Reader(connect());
const patience = new Promise((resolve) => setTimeout(resolve, FIRST_PAINT_MS));
await Promise.race([reader.load(), patience]);
mount(App, { target: document.getElementById('app') ?? document.body, props: { reader } });
