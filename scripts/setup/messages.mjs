import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { ensure, stamped } from './outputs.mjs';
import { inProject } from './project.mjs';

const folder = inProject('src-main', 'common', 'i18n');
const projectFolder = join(folder, 'project.inlang');
const outputFolder = join(folder, 'compiled');
const sources = [
  join(projectFolder, 'settings.json'),
  join(folder, 'messages', 'en.json'),
  join(folder, 'messages', 'zh-CN.json'),
  inProject('node_modules', '@inlang', 'paraglide-js', 'package.json'),
  import.meta.filename,
];

/** Keeps Intl objects: the compiler's output creates them at each call, which costs 80 µs. */
const registry = `
const rules = new Map();
const numbers = new Map();
export function plural(locale, input) {
  let rule = rules.get(locale);
  if (!rule) rules.set(locale, (rule = new Intl.PluralRules(locale)));
  return rule.select(Number(input));
}
export function number(locale, input) {
  let format = numbers.get(locale);
  if (!format) numbers.set(locale, (format = new Intl.NumberFormat(locale)));
  return format.format(Number(input));
}
`;

const runtimeTypes = `export function getLocale(): 'en' | 'zh-CN';
export function overwriteGetLocale(read: () => 'en' | 'zh-CN'): void;
`;

/** @typedef {string | { declarations: string[], selectors: string[], match: Record<string, string> }[]} Message */

/**
 * Returns the arguments of a message with their types: counted ones and those formatted as numbers are numbers.
 * @param {Message} message
 * @returns {Map<string, 'number' | 'string | number'>}
 */
export function argumentsOf(message) {
  if (typeof message === 'string') {
    return new Map([...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? '', 'string | number']));
  }
  const declarations = message.flatMap((variants) => variants.declarations);
  const counted = declarations.flatMap((line) => /^local \w+ = (\w+):/.exec(line)?.[1] ?? []);
  const inputs = declarations.flatMap((line) => /^input (\w+)$/.exec(line)?.[1] ?? []);
  return new Map(inputs.map((name) => [name, counted.includes(name) ? 'number' : 'string | number']));
}

/** @param {Message} message */
function textsOf(message) {
  return typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
}

/**
 * Writes types of the messages. The compiler's own accept anything as an argument.
 * @param {Record<string, Message>} messages
 */
function typesOf(messages) {
  const functions = Object.entries(messages).map(([key, message]) => {
    const args = [...argumentsOf(message)].map(([name, type]) => `${name}: ${type}`).join('; ');
    const comment = textsOf(message).join(' | ').replaceAll('*/', '*\\/');
    return `  /** ${comment} */\n  function ${key}(inputs${args === '' ? '?: {}' : `: { ${args} }`}, options?: In): string;\n`;
  });
  return `type In = { locale?: 'en' | 'zh-CN' };\nexport namespace m {\n${functions.join('')}}\n`;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of sources) hash.update(fs.readFileSync(file));
  return hash.digest('hex');
}

async function compile() {
  const { compileProject } = await import('@inlang/paraglide-js');
  const { loadProjectFromDirectory } = await import('@inlang/sdk');
  const project = await loadProjectFromDirectory({ path: projectFolder, fs });
  const compiled = await compileProject({
    project,
    compilerOptions: {
      outputStructure: 'locale-modules',
      strategy: ['globalVariable', 'baseLocale'],
      disableAsyncLocalStorage: true,
      isServer: 'false',
      emitReadme: false,
      emitGitIgnore: false,
      emitPrettierIgnore: false,
    },
  });
  const [problem] = await project.errors.get();
  await project.close();
  if (problem) throw problem;
  const english = JSON.parse(fs.readFileSync(join(folder, 'messages', 'en.json'), 'utf8'));
  delete compiled['server.js'];
  write({
    ...compiled,
    'registry.js': registry,
    'runtime.d.ts': runtimeTypes,
    'messages.d.ts': typesOf(english),
  });
}

/**
 * Writes to temporary files and then moves them into place: a test or an editor may be reading.
 * @param {Record<string, string>} files
 */
function write(files) {
  const aside = `${outputFolder}.new`;
  fs.rmSync(aside, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(aside, name)), { recursive: true });
    fs.writeFileSync(join(aside, name), text);
  }
  fs.rmSync(outputFolder, { recursive: true, force: true });
  fs.renameSync(aside, outputFolder);
}

const messages = stamped({
  title: 'Compiling the messages',
  stampFile: join(outputFolder, '.stamp'),
  mark: fingerprint,
  make: compile,
});

/** Compiles the messages that are newer than their output. */
export function ensureMessages() {
  return ensure(messages);
}
