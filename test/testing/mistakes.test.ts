import assert, { AssertionError } from 'node:assert'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { UsageError } from '../../src/errors/usage-error.ts'
import { mistakes } from '../../src/testing/index.ts'
import { compilers } from '../support/compilers.ts'
import { folderOf } from '../support/files.ts'

const root = resolve(import.meta.dirname, '../..')
// The smallest project: most time goes into reading declarations.
const settings = { strict: true, types: [], lib: ['es2022'], noUnusedLocals: true, rootDir: 'src' }
const emitting = { composite: true, declarationMap: true, outDir: 'dist' }
const compilerOptions = { ...settings, ...emitting, module: 'nodenext' }
const files = {
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  'src/user.ts': 'export interface User { name: string }\n',
  'src/mistake.ts': 'const age: number = "x" // error: Type \'string\'\n',
  'src/sound.ts': 'export const age = 1\n',
}

for (const compiler of compilers) {
  describe(`mistakes, by ${compiler}`, () => {
    const typescript = join(root, 'node_modules', compiler)

    /** The message of the error; empty without one. */
    async function said(...[programs, options]: Parameters<typeof mistakes>): Promise<string> {
      try {
        await mistakes(programs, { typescript, ...options })
        return ''
      } catch (error) {
        assert.ok(error instanceof AssertionError, String(error))
        return error.message
      }
    }

    test('mistakes that comments name are right, at the end of a line or above it', async (context) => {
      const folder = folderOf(context, files)
      const tsconfig = join(folder, 'tsconfig.json')
      const wrong = [
        "import type { User } from './user.js'",
        "// error:   Property  'name' is missing",
        '',
        '// in an empty object',
        'const user: User = {}',
        'const names: string[] = [1, // error: TS2322',
        "  // error: is not assignable to type 'string'",
        '  2]',
      ].join('\n')
      assert.equal(await said({ 'src/wrong.ts': wrong, 'src/deep/none.ts': '' }, { tsconfig }), '')
      const paths = [join(folder, 'src/mistake.ts'), join(folder, 'src/sound.ts')]
      assert.equal(await said(paths, { tsconfig }), '')
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith('.')),
        [],
      )
    })

    test('the difference is told line by line', async (context) => {
      const tsconfig = join(folderOf(context, files), 'tsconfig.json')
      const program = [
        'const a: number = "x"',
        'const b = 1 // error: not assignable',
        'const c: string = 1 // error: TS2741',
        "const d: { e: { f: 1 } } = { e: { f: 2 } } // error: Type '2'",
        '// error: at the end',
      ].join('\n')
      assert.equal(
        await said({ 'src/wrong.ts': program }, { tsconfig }),
        `The programs have other mistakes than their comments say:
src/wrong.ts:2
  expected: not assignable
  found:    nothing
src/wrong.ts:3
  expected: TS2741
  found:    TS2322: Type 'number' is not assignable to type 'string'.
src/wrong.ts:5
  expected: at the end
  found:    nothing
src/wrong.ts:1
  expected: nothing
  found:    TS2322: Type 'string' is not assignable to type 'number'.`,
      )
    })

    test('mistakes elsewhere are told too', async (context) => {
      const folder = folderOf(context, {
        ...files,
        'src/user.ts': 'export const user: string = 1',
      })
      const found = await said(
        { 'src/wrong.ts': "import './user.js'\nimport './nothing.js' // error: TS2882" },
        { tsconfig: join(folder, 'tsconfig.json') },
      )
      assert.match(found, /user\.ts:1\n {2}expected: nothing\n {2}found: {4}TS2322/)
    })

    test('so are mistakes in the options', async (context) => {
      const bad = JSON.stringify({ compilerOptions: { target: 'es1066' } })
      const tsconfig = join(folderOf(context, { 'tsconfig.json': bad }), 'tsconfig.json')
      assert.match(await said({ 'a.ts': '' }, { tsconfig }), /expected: nothing\n.*TS6046/)
    })
  })
}

test('without a compiler, a tsconfig or a program nothing passes', async (context) => {
  const tsconfig = join(folderOf(context, files), 'tsconfig.json')
  const missing = mistakes({ 'a.ts': '' }, { tsconfig, typescript: 'typescript-none' })
  await assert.rejects(missing, (error) => {
    assert.ok(error instanceof UsageError)
    assert.equal(error.remedy, 'Run: npm install --save-dev typescript-none')
    return true
  })
  await assert.rejects(mistakes({ 'a.ts': '' }, { tsconfig: 'none.json' }), /no 'none\.json'/)
  await assert.rejects(mistakes({}), /needs a program/)
  await assert.rejects(
    mistakes({ '../a.ts': '' }, { tsconfig: join(root, 'tsconfig.json') }),
    /outside of/,
  )
})
