import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const LEAST_USES = 4;

const roles = [
  ...new Set(
    [...readFileSync('src-renderer/styles/roles.css', 'utf8').matchAll(/^\.([\w-]+)/gm)].map(([, name = '']) => name),
  ),
];

const components = globSync('src-renderer/**/*.svelte').map((file) => {
  const text = readFileSync(file, 'utf8');
  const [block = '', css = ''] = /<style>\n(.*)<\/style>/s.exec(text) ?? [];
  const markup = text.replace(/<script.*?<\/script>/gs, '').replace(block, '');
  return { file, css, selectors: css.match(/[^{};]+(?=\{)/g) ?? [], classes: classesIn(markup) };
});

/** The names in the values of `class`, as text or in an expression, where a text that is compared is no name. */
function classesIn(markup: string): string[] {
  const values = [...markup.matchAll(/\bclass(?:="([^"]*)"|=\{([^<>]*?)\}(?=[\s/>]))/g)];
  return values.flatMap(([, text, expression = '']) =>
    (text === undefined
      ? [...expression.replace(/[!=]== '[^']*'|'[^']*' in /g, '').matchAll(/'([^']*)'/g)].map(([, name = '']) => name)
      : [text]
    ).flatMap((names) => names.split(/\s+/)),
  );
}

describe('the classes of the markup', () => {
  it('have a rule each: one without may have lost it', () => {
    const shared = globSync('src-renderer/styles/*.css').map((file) => readFileSync(file, 'utf8'));
    const forParts = components.flatMap(({ css }) => css.match(/:global\([^)]*\)/g) ?? []);
    const ruled = (css: string): string[] => [...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
    const everywhere = new Set([...shared, ...forParts].flatMap(ruled));
    const plain = components.flatMap(({ file, css, classes }) => {
      const own = new Set(ruled(css));
      return classes
        .filter((name) => name !== '' && !name.includes('{') && !own.has(name) && !everywhere.has(name))
        .map((name) => `${file}: ${name}`);
    });
    expect(plain).toEqual([]);
  });
});

describe('the roles', () => {
  it('are found', () => {
    expect(roles.length).toBeGreaterThan(20);
  });

  it.each(roles)('%s is used at least four times', (role) => {
    const uses = components.flatMap(({ classes }) => classes.filter((name) => name === role));
    expect(uses.length).toBeGreaterThanOrEqual(LEAST_USES);
  });

  it('belong to no component: none names one in its rules', () => {
    const named = components.flatMap(({ file, selectors }) =>
      selectors
        .filter((selector) => [...selector.matchAll(/\.([\w-]+)/g)].some(([, name = '']) => roles.includes(name)))
        .map((selector) => `${file}: ${selector.trim()}`),
    );
    expect(named).toEqual([]);
  });
});
