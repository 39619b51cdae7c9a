import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify, sentenceTest, type Sources } from './classify.ts'
import { readResults } from './tap.ts'

const file = `const { kHooks, kState: state } = require('../lib/symbols')
const Fastify = require('..')

function look (app) {
  return app[kHooks]
}

test('plain', t => {
  t.equal(app.a, 1)
})

test('by symbol', t => {
  t.ok(app[state])
})

test('by function', t => {
  t.ok(look(app))
})

test('by itself', t => {
  t.ok(e.message === 'The handler of GET / must be callable')
  t.ok(e.message === 'my own words')
  t.ok(/must be callable/.test(e.message))
  t.ok(/callable/.test(e.code))
})
`
const sources: Sources = {
  read: () => file,
  isTheirs: sentenceTest(["throw new Error('The handler of %s must be callable')"]),
  isOurs: sentenceTest(["['%s is no function, which a handler has to be', 500]"]),
}

/** Why a test failed, whose one assertion stands in a line of the file and printed this. */
function reasonOf(line: number, diagnosis: string): string {
  const at = `      at:\n        line: ${line}\n        column: 3\n        file: test/a.test.js\n`
  const output = `    not ok 1 - x\n      ---\n${at}${diagnosis}      ...\nnot ok 1 - name # time=1ms\n`
  const [result] = readResults(output)
  assert.ok(result !== undefined && !result.isPassed)
  return classify(result, sources)
}

const diff = (style: string, lines: readonly string[]) =>
  `      diff: ${style}\n${lines.map((line) => `        ${line}`.trimEnd()).join('\n')}\n`
const head = ['--- expected', '+++ actual', '@@ -1,1 +1,1 @@']
const theirs = 'The handler of GET / must be callable'
const ours = 'GET / is no function, which a handler has to be'

test('a sentence of ours for one of theirs is wording, whichever was wanted', () => {
  assert.equal(reasonOf(9, diff('|', [...head, `-${theirs}`, `+${ours}`])), 'wording')
  assert.equal(reasonOf(9, diff('|', [...head, `-${ours}`, `+${theirs}`])), 'wording')
})

test('a sentence that a line compares by itself is wording, if it is one of theirs', () => {
  assert.equal(reasonOf(21, ''), 'wording')
  assert.equal(reasonOf(22, ''), 'differs')
  assert.equal(reasonOf(23, ''), 'wording')
  assert.equal(reasonOf(24, ''), 'differs')
})

test('a sentence for anything else differs', () => {
  assert.equal(reasonOf(9, diff('|', [...head, `-${theirs}`, '+undefined'])), 'differs')
  assert.equal(reasonOf(9, diff('|', [...head, '-my own words', `+${ours}`])), 'differs')
})

test('an object with another message is wording, and one with another code differs', () => {
  const message = [`-  "message": "${theirs}",`, `+  "message": "${ours}",`]
  assert.equal(reasonOf(9, diff('|', [...head, ' Object {', ...message, ' }'])), 'wording')
  const code = ['-  "code": "A",', '+  "code": "B",']
  assert.equal(reasonOf(9, diff('|', [...head, ...message, ...code])), 'differs')
})

test('JSON with another message is wording', () => {
  const json = (message: string, status = 500) => JSON.stringify({ status, message })
  assert.equal(reasonOf(9, diff('|', [...head, `-${json(theirs)}`, `+${json(ours)}`])), 'wording')
  const other = diff('|', [...head, `-${json(theirs)}`, `+${json(ours, 400)}`])
  assert.equal(reasonOf(9, other), 'differs')
})

test('folded and quoted lines are read as they were', () => {
  const folded = [...head, `-${theirs}`, `+GET / is no function,`].flatMap((line) => [line, ''])
  const rest = 'which a handler has to be'
  assert.equal(reasonOf(9, diff('>', [...folded.slice(0, -1), rest])), 'wording')
  const [first = '', ...others] = [...head, `-${theirs}`, `+${ours}"`].flatMap((line) => [line, ''])
  assert.equal(reasonOf(9, diff(`"${first}`, others.slice(0, -1))), 'wording')
})

test('an error that was thrown is compared by its message, and so is a pattern', () => {
  const thrown = `+FastifyError [CODE]: ${ours} {`
  const wanted = ['-Object {', `-  "message": "${theirs}",`, '-  "name": "Error",']
  assert.equal(reasonOf(9, diff('|', [...head, ...wanted, thrown, '+  "code": "X",'])), 'wording')
  const coded = [...wanted, '-  "code": "Y",']
  assert.equal(reasonOf(9, diff('|', [...head, ...coded, thrown])), 'differs')
  assert.equal(reasonOf(9, diff('|', [...head, '-/The handler of GET/', `+"${ours}"`])), 'wording')
})

test('a test that uses what its file has from Fastify is internal, also through a function', () => {
  const other = diff('|', [...head, '-1', '+2'])
  assert.deepEqual(
    [9, 13, 17].map((line) => reasonOf(line, other)),
    ['differs', 'internals', 'internals'],
  )
})

test('what Fastify 5 refuses too is newer', () => {
  assert.equal(reasonOf(9, '      code: FST_ERR_DEC_REFERENCE_TYPE\n'), 'newer')
})
