import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Refuses a disabling comment that does not say why: `// eslint-disable-next-line rule -- reason`. */
const describedDisable = {
  meta: { type: 'problem', schema: [], messages: { why: 'Say why after " -- ".' } },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (!/^\s*eslint-disable/.test(comment.value)) continue
        if (!/ -- \S/.test(comment.value)) context.report({ loc: comment.loc, messageId: 'why' })
      }
    },
  }),
}

const typed = ['**/*.ts', '**/*.cts', '**/*.mts']
const untyped = [
  '**/*.js',
  '**/*.mjs',
  '**/*.cjs',
  'types-test/**',
  'test/**',
  'examples/**',
  'bench/**',
  'docs/**',
]
const loose = ['docs/**', 'test/**', 'examples/**', 'bench/**', 'types-test/**']
const node = [
  'process',
  'console',
  'fetch',
  'AbortController',
  'Buffer',
  'Headers',
  'Request',
  'URL',
  'setTimeout',
  'clearTimeout',
  'require',
  'exports',
  'performance',
]

export default defineConfig(
  {
    ignores: [
      'dist',
      'dist-fastify',
      'dist-create',
      'docs/.vitepress/cache',
      'docs/.vitepress/.temp',
      'docs/.vitepress/dist',
      'coverage',
      'node_modules',
      'types-test/acceptance',
      'examples/migration',
      'examples/notes',
      'bench/mistakes/programs',
      // Each has a configuration of its own: npm run check:create.
      'src/create/templates',
      'test/messages',
      '.acceptance-*',
      '.client-*',
      '.bench-*',
      '.bundled-*',
      '.loose-*',
      '.readme-*',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,

  // Every file.
  {
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      house: { rules: { 'described-disable': describedDisable } },
    },
    languageOptions: { globals: Object.fromEntries(node.map((name) => [name, 'readonly'])) },
    rules: {
      'house/described-disable': 'error',
      'max-lines': ['error', 600],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },

  // TypeScript.
  {
    files: typed,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // A framework passes on whatever its users threw.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      // Plugins and handlers are async by contract, whether they wait for something or not.
      '@typescript-eslint/require-await': 'off',
      // There are no enums: the compiler refuses them (erasableSyntaxOnly). The first rule takes an eighth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // Type-level code is misread by these: `{}` is the empty record, a lone parameter infers, void is a reply.
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-redeclare': 'off',
      'no-unused-vars': 'off',
      'no-undef': 'off',
    },
  },

  // The library itself.
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'max-len': [
        'error',
        {
          code: 100,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
          ignorePattern: 'eslint-disable',
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/index.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Only src/index.ts has a default export.',
        },
        { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
      ],
    },
  },

  // Tests, examples and benches: mistakes are made on purpose there.
  {
    files: loose,
    rules: {
      'max-lines': 'off',
      'no-empty': 'off',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': 'allow-with-description', 'ts-ignore': true, 'ts-nocheck': true },
      ],
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },

  // No type information: it takes most of the time, and the compiler checks the tests anyway. tsd checks the type tests.
  {
    files: untyped,
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  { files: ['types-test/**'], rules: { '@typescript-eslint/no-unused-vars': 'off' } },

  // Fastify's types, whose overloads and parameters are given, and whose names have to be exported by a star.
  {
    files: ['src/fastify/**/*.ts'],
    rules: {
      'max-params': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-unnecessary-type-arguments': 'off',
    },
  },
)
