import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const svelteFiles = ['**/*.svelte', '**/*.svelte.ts'];

export default ts.config(
  { ignores: ['node_modules/', 'out/', 'installers/', 'test-output/', 'src-main/common/i18n/compiled/'] },
  js.configs.recommended,
  // No code is run from strings.
  { rules: { 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error' } },
  {
    files: ['src-main/**/*.ts', 'src-renderer/**/*.ts', 'test/**/*.ts'],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // [...text] counts code points, the unit of the service's limits.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // The app's objects are closures, so their methods need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // An implementation of an asynchronous interface may have nothing to await.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // better-sqlite3 fails to bind an object in some versions of Electron ("Invalid argument").
    files: ['src-main/store/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['TemplateElement[value.raw', 'Literal[value'].map((text) => ({
          selector: `${text}=/[\\s(][:@$][a-z]/i]`,
          message: 'Bind values by position.',
        })),
      ],
    },
  },
  {
    // Texts are escaped once: where they are written.
    files: ['src-main/**/*.ts', 'src-renderer/**/*.{ts,svelte}'],
    ignores: ['src-main/render/outputs/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/outputs/escape.ts'], message: 'Only the outputs in render/outputs escape.' }] },
      ],
    },
  },
  {
    // In a test, a missing value should fail. A test that needs a second try, or a fast computer, tests something else.
    files: ['test/**/*.ts', 'vitest.config.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.name='expect'] MemberExpression[object.name='performance']",
          message: 'Count steps or calls; `npm run bench` measures time.',
        },
        {
          selector:
            "CallExpression[callee.name=/^(it|test|describe|defineConfig)$/] > ObjectExpression Property[key.name='retry']",
          message: 'Mend the cause.',
        },
      ],
    },
  },
  {
    // svelte-check checks types in components. Must come before Svelte's config: the last parser applies.
    files: ['**/*.svelte'],
    extends: [ts.configs.strict, ts.configs.disableTypeChecked],
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off' },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  // Plain TypeScript, with runes as globals: the same parser for all .ts files.
  { files: ['**/*.svelte.ts'], languageOptions: { parser: ts.parser } },
  {
    files: svelteFiles,
    languageOptions: { globals: globals.browser },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // State is replaced as a whole ($state.raw), so Maps in it need not be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['scripts/**/*.mjs', 'bin/*.mjs', '*.js', '*.ts'],
    languageOptions: { globals: globals.node },
    rules: { eqeqeq: 'error', 'no-unused-vars': ['error', { varsIgnorePattern: '^_' }] },
  },
  { files: ['src-renderer/**/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['*.ts'], languageOptions: { parser: ts.parser } },
);
