export { HOME_FOLDER, HOST, runHost, SOURCE, type HostOptions, type FakeHost } from './host.ts';
export { connectThroughFake } from './wire.ts';
