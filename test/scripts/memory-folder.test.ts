import { expect, it } from 'vitest';
import { memoryFolder } from '../../scripts/setup/memory-folder.mjs';

type System = NonNullable<Parameters<typeof memoryFolder>[0]>;

const GB = 1024 ** 3;
const MOUNT = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev,inode64 0 0';
const system = (other: Partial<System> = {}): System => ({
  platform: 'linux',
  mounts: () => `/dev/sda1 / ext4 rw,relatime 0 0\n${MOUNT}\n`,
  free: () => 8 * GB,
  mayWrite: () => undefined,
  ...other,
});
const refuse = (): never => {
  throw new Error('EACCES');
};

it('temporary folders of tests are in memory where Linux has room for them', () => {
  expect(memoryFolder(system())).toBe('/dev/shm');
});

it.each<[string, Partial<System>]>([
  ['another system', { platform: 'darwin' }],
  ['no such folder', { mounts: () => '/dev/sda1 / ext4 rw,relatime 0 0\n' }],
  ['no list of folders', { mounts: refuse }],
  ['a folder on a disk', { mounts: () => '/dev/sda2 /dev/shm ext4 rw 0 0\n' }],
  ['a folder where no program may be started', { mounts: () => MOUNT.replace('nodev', 'noexec') }],
  ['a folder that is mounted over by a read-only one', { mounts: () => `${MOUNT}\ntmpfs /dev/shm tmpfs ro 0 0\n` }],
  ['no right to write', { mayWrite: refuse }],
  ['the 64 MB of a container', { free: () => 64 * 1024 ** 2 }],
])('temporary folders of tests stay where they are with %s', (_what, other) => {
  expect(memoryFolder(system(other))).toBeNull();
});
