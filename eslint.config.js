import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const svelteFiles = ['**/*.svelte', '**/*.svelte.ts'];

export default ts.config(
  { ignores: ['node_modules/', 'out/', 'installers/', 'test-output/', 'src-main/common/i18n/compiled/'] },
  js.configs.recommended,
  // Nothing is ever run that came as text.
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
      // [...text] is how code points are counted, which is what the service's limits are given in.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // The app's objects are closures behind an interface: their methods need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // A method of an asynchronous interface may have nothing to wait for in one of its implementations.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // A test says what must be there: the test fails where it is not.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Types inside components are svelte-check's work. Before Svelte's own: the last parser named is the one used.
    files: ['**/*.svelte'],
    extends: [ts.configs.strict, ts.configs.disableTypeChecked],
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off' },
  },
  ...svelte.configs.recommended,
  {
    files: svelteFiles,
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        parser: ts.parser,
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
        svelteConfig,
      },
    },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // State is replaced whole ($state.raw); a Map in it is not watched from inside, on purpose.
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
