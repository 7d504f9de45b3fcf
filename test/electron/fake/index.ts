export { runHost, type HostOptions, type StandinHost } from './host.ts';
export { connectThroughStandin } from './wire.ts';
