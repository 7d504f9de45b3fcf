import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerPage, listPage } from '../../../src-main/electron/page.ts';

const SECRET = 'what lies beside the page';

/** Addresses that would leave the page's folder if used as paths. */
const ADDRESSES = [
  'app://broadsheet/../secret.txt',
  'app://broadsheet/assets/../../secret.txt',
  'app://broadsheet/%2e%2e/secret.txt',
  'app://broadsheet/%2e%2e%2fsecret.txt',
  'app://broadsheet/..%2fsecret.txt',
  'app://broadsheet/%252e%252e%252fsecret.txt',
  'app://broadsheet/..%255c..%255csecret.txt',
  'app://broadsheet/..\\secret.txt',
  'app://broadsheet/..%5csecret.txt',
  'app://broadsheet/assets/..%5c..%5csecret.txt',
  'app://broadsheet/assets\\..\\..\\secret.txt',
  'app://broadsheet/..%c0%afsecret.txt',
  'app://broadsheet/....//secret.txt',
  'app://broadsheet//etc/passwd',
  'app://broadsheet/C:/Windows/win.ini',
  'app://broadsheet/index.html%00.js',
  'app://broadsheet/../secret.txt%00.html',
  'app://broadsheet/index.html/../../secret.txt',
  'app://broadsheet/index.html:secret',
  'app://broadsheet/index.html.',
  'app://broadsheet/INDEX.HTML',
  'app://broadsheet/assets',
  'app://broadsheet/assets/',
  'app://broadsheet/link.txt',
  'app://broadsheet/folder/secret.txt',
  'app://broadsheet/.hidden',
  'app://broadsheet/notes.exe',
  'app://broadsheet/missing.js',
  'app://elsewhere/index.html',
  'app://broadsheet.example/index.html',
  'app://broadsheet:81/index.html',
  'app:///index.html',
];

/** A page folder with a secret next to it, links to it, and the responses of the scheme. */
export async function pathsThatLeadOut() {
  const root = await mkdtemp(join(tmpdir(), 'broadsheet-scheme-'));
  const page = join(root, 'renderer');
  await mkdir(join(page, 'assets'), { recursive: true });
  await mkdir(join(root, 'beside'));
  const own = ['index.html', 'assets/a.js', '.hidden', 'notes.exe'];
  await Promise.all(own.map((name) => writeFile(join(page, name), 'of the page')));
  await Promise.all(['secret.txt', 'beside/secret.txt'].map((name) => writeFile(join(root, name), SECRET)));
  // Creating a link needs special rights on Windows.
  if (process.platform !== 'win32') {
    await symlink(join(root, 'secret.txt'), join(page, 'link.txt'));
    await symlink(join(root, 'beside'), join(page, 'folder'));
  }
  const files = listPage(page);
  return {
    files: ADDRESSES,
    secret: SECRET,
    async ask(url: string) {
      const response = await answerPage(files, new Request(url));
      return { status: response.status, text: await response.text() };
    },
    remove: () => rm(root, { recursive: true }),
  };
}
