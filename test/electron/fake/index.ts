export { HOME_FOLDER, runHost, type HostOptions, type FakeHost } from './host.ts';
export { connectThroughFake } from './wire.ts';
