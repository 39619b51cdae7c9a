// What `espalier types` tells of an application that has the built package, by the compiler of its project.
import './support/built.mjs'
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { run } from '../src/cli/run.ts'
import { compilers } from './support/compilers.ts'

const root = resolve(import.meta.dirname, '..')
const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'] },
  ...{ strict: true, skipLibCheck: true, noEmit: true },
}
const fields = (depth: number): string => {
  const field = depth === 0 ? 't.String()' : fields(depth - 1)
  return `t.Object({ ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}${depth}: ${field}`).join(', ')} })`
}
const cheap = (index: number) =>
  `.post('/cheap/${index}', { schema: { body: { name${index}: t.String() }, response: { 200: { id${index}: t.Integer() } } } }, () => ({ id${index}: 1 }))`
const application = `
import espalier, { t } from 'espalier'
export async function build() {
  return espalier()
    ${[1, 2, 3, 4, 5].map(cheap).join('\n')}
    .get('/dear/:"x"', { schema: { response: { 204: { description: '' }, 200: ${fields(3)} } } }, (_request, reply) => reply.code(204).send())
    ${[6, 7, 8].map(cheap).join('\n')}
}`

/** Runs the command on an application inside of this project, which imports itself by its name there. */
function types(context: TestContext, compiler: string, ...options: string[]) {
  const folder = mkdtempSync(join(root, '.types-'))
  context.after(() => {
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'node_modules'))
  const target = join(root, 'node_modules', compiler)
  symlinkSync(target, join(folder, 'node_modules/typescript'), 'junction')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  mkdirSync(join(folder, 'src'))
  const module = join(folder, 'src/app.ts')
  writeFileSync(module, application)
  return run(['types', module, ...options], (_style, text) => text)
}

for (const compiler of compilers) {
  test(`the dearest route is named, and a budget holds, by ${compiler}`, async (context) => {
    const budget = ['--budget', 'instantiations=10_000_000,per-route=1000']
    const { output, code } = await types(context, compiler, '--json', ...budget)
    const { routes, dearest, allRoutes, application, budget: limits } = JSON.parse(output)
    assert.equal(code, 1)
    assert.equal(dearest[0].route, 'GET /dear/:"x"')
    assert.ok(dearest[0].instantiations > 2 * dearest[1].instantiations, output)
    assert.deepEqual([routes, dearest.length, limits.length], [9, 3, 2])
    assert.ok(application.instantiations > 1000 && allRoutes > dearest[0].instantiations, output)
    assert.equal(limits[0].found, application.instantiations)
    assert.equal(limits[1].found, dearest[0].instantiations)
  })
}

test('without a budget it ends with 0, and counts the same each time', async (context) => {
  const [one, other] = [
    await types(context, 'typescript-7'),
    await types(context, 'typescript-7', '--budget', 'per-route=1_000_000'),
  ]
  assert.equal(one.code, 0)
  assert.equal(other.code, 0)
  assert.match(
    one.output,
    /^[\d,]+ instantiations for the application .*\nTypeScript 7\.\d.*\n\n[\d,]+ more for the types of 9 routes: [\d,]+ a route\. The dearest:\n {2}GET \/dear/,
  )
  assert.match(other.output, /\n\nper-route: [\d,]+, the budget has 1,000,000\n$/)
  // TypeScript 7 may differ by one or two.
  const counted = (output: string) => /GET \/dear\S+ +\d+/.exec(output)?.[0]
  assert.equal(counted(one.output), counted(other.output))
})
