// The type tests on TypeScript 6 and 7: tsd has the 5.9 that it brings along.
// Inside of each `expectError(…)` the compiler must find an error, elsewhere none. (What `expectType` says about exact
// identity is tsd's to judge.) Ends with a plain line `N passed, N failed`; without a claim it fails.
import '../test/support/built.mjs'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test-d.ts'))
const count = { passed: 0, failed: 0 }

/** Where the claims `expectError(…)` of a file stand. */
function errorClaims(name) {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8')
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const claims = []
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'expectError') {
      claims.push({ name, start: node.getStart(), end: node.getEnd(), found: 0 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { source, claims }
}

/** What a compiler finds, as file, line, column and message. */
function compile(compiler) {
  const config = join(import.meta.dirname, '.matrix.json')
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).tsd
  const { paths: _, ...options } = compilerOptions
  const settings = { target: 'es2022', lib: ['es2023'], noEmit: true, ...options }
  writeFileSync(
    config,
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions: settings, files, include: [] }),
  )
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  try {
    const run = spawnSync(process.execPath, [tsc, '-p', config, '--pretty', 'false'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    return run.stdout.split(/\r?\n/).filter((line) => /^\S.*error TS\d+/.test(line))
  } finally {
    rmSync(config)
  }
}

function judge(compiler) {
  const parsed = new Map(files.map((name) => [name, errorClaims(name)]))
  const strays = compile(compiler).filter((line) => {
    const [, name, row, column] = /^(?:.*\/)?([\w.-]+)\((\d+),(\d+)\)/.exec(line) ?? []
    const { source, claims } = parsed.get(name) ?? { claims: [] }
    const at = source?.getPositionOfLineAndCharacter(row - 1, column - 1)
    const inside = claims.filter(({ start, end }) => at >= start && at < end)
    for (const claim of inside) claim.found++
    return inside.length === 0
  })
  const claims = [...parsed.values()].flatMap((file) => file.claims)
  const unmet = claims.filter(({ found }) => found === 0)
  for (const line of strays) console.log(`  ${line}`)
  for (const { name, start } of unmet) {
    const { line } = parsed.get(name).source.getLineAndCharacterOfPosition(start)
    console.log(`  ${name}:${line + 1} is no error`)
  }
  const failed = strays.length + unmet.length
  count.passed += claims.length - unmet.length
  count.failed += failed
  console.log(
    `${failed === 0 ? '✔' : '✖'} ${compiler}: ${files.length} files, ${claims.length} errors claimed`,
  )
}

// 5.9 and 7 are the oldest and the newest. What only the one between them says is seen before a release.
if (process.env.CHECK === 'all') judge('typescript')
judge('typescript-7')
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.passed > 0 && count.failed === 0 ? 0 : 1
