import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareDocuments } from '../../src/cli/diff.ts'
import { type Case, cases, documentOf, type Level } from './diff-cases.ts'

const order: readonly Level[] = ['breaking', 'warning', 'info']

/** The highest level among the changes, and the changes. */
function compared(before: Case['before'], after: Case['before']) {
  const changes = compareDocuments(before, after)
  const level = order.find((each) => changes.some((change) => change.level === each))
  return { level, changes }
}

describe('what a change does to clients', () => {
  for (const { name, before, after, level, back } of cases) {
    test(`${name}: ${level ?? 'nothing'}`, () => {
      const found = compared(before, after)
      assert.equal(found.level, level, JSON.stringify(found.changes))
    })
    test(`the change back, ${name}: ${back ?? 'nothing'}`, () => {
      const found = compared(after, before)
      assert.equal(found.level, back, JSON.stringify(found.changes))
    })
  }
})

/** The places and texts of the changes in a request, from one schema to another. */
function told(before: unknown, after: unknown, schemas: Case['before'] = {}) {
  const bodyOf = (schema: unknown) =>
    documentOf(
      { requestBody: { content: { 'application/json': { schema } } } },
      { components: { schemas } },
    )
  const { changes } = compared(bodyOf(before), bodyOf(after))
  return changes.map(
    ({ place, text }) => `${place.replace('body application/json', 'body')}: ${text}`,
  )
}

const object = (properties: Case['before'], ...required: string[]) => ({
  type: 'object',
  properties,
  required,
})

describe('what is told of a change', () => {
  const string = { type: 'string' }
  const number = { type: 'number' }

  test('has its place, as deep as it is', () => {
    const nested = (leaf: unknown) =>
      object({ tags: { type: 'array', items: object({ names: { additionalProperties: leaf } }) } })
    assert.deepEqual(told(nested(string), nested({ ...string, minLength: 2 })), [
      'body, property tags[].names.*: minLength 2 was added',
    ])
    const pair = (second: unknown) => ({ prefixItems: [string, second] })
    assert.deepEqual(told(pair(string), pair(number)), ['body, property [1]: string became number'])
  })

  test('names a member of a union by what tells it from others', () => {
    const shape = (kind: string, size: unknown) => object({ kind: { const: kind }, size }, 'kind')
    const shapes = (...all: unknown[]) => ({ oneOf: all })
    const circle = shape('circle', number)
    assert.deepEqual(
      told(shapes(circle, shape('box', string)), shapes(circle, shape('box', number))),
      ['body, property (kind "box").size: string became number'],
    )
    assert.deepEqual(
      told(shapes(circle, shape('box', string)), shapes(circle, shape('bar', string))),
      [
        'body: object with kind "box" is no longer among what fits',
        'body: object with kind "bar" is now among what fits',
      ],
    )
    assert.deepEqual(told(shapes(string, number), shapes(string)), [
      'body: number is no longer among what fits',
    ])
  })

  test('has values and limits in words', () => {
    assert.deepEqual(told({ minimum: 1 }, { exclusiveMinimum: 1 }), [
      'body: minimum 1 became 1 (exclusive)',
    ])
    assert.deepEqual(told({ pattern: '^a' }, {}), ['body: pattern "^a" was removed'])
    assert.deepEqual(told({ enum: ['a', 1] }, { enum: ['a', true] }), [
      'body: enum lost 1',
      'body: enum has the new value true',
    ])
  })

  test('says where an operation has moved, by its operationId', () => {
    const operation = { operationId: 'list', responses: {} }
    const at = (path: string) => ({ ...documentOf({}), paths: { [path]: { get: operation } } })
    const [removed, added] = compareDocuments(at('/users'), at('/people'))
    assert.deepEqual(
      [removed?.path, removed?.text, added?.path, added?.text],
      ['/users', 'became GET /people', '/people', 'was added'],
    )
  })
})

describe('schemas that lead to themselves', () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  test('come to an end', () => {
    const schemas = {
      Union: { anyOf: [to('Union'), { type: 'string' }] },
      Both: { allOf: [to('Both'), { type: 'string' }] },
      Itself: to('Itself'),
      Joined: { allOf: [to('Left'), to('Right')] },
      Left: object({ child: to('Left') }),
      Right: object({ child: to('Right') }),
      Unions: {
        anyOf: [to('Unions'), { type: 'string' }],
        oneOf: [to('Unions'), { minLength: 1 }],
      },
    }
    for (const name of Object.keys(schemas)) assert.deepEqual(told(to(name), to(name), schemas), [])
    assert.deepEqual(told(to('Union'), { type: 'string' }, schemas), [])
  })

  test('are compared however deep they are, and however many unions they are in', () => {
    const count = 400
    const document = (leaf: string) => {
      const named = (index: number) => to(`Level${index % count}`)
      const levels = Array.from({ length: count }, (_, index) => [
        `Level${index}`,
        object({
          next: { anyOf: [named(index + 1), named(index * 3), { type: 'null' }] },
          value: { type: index === count - 1 ? leaf : 'string' },
        }),
      ])
      return documentOf(
        { requestBody: { content: { 'application/json': { schema: to('Level0') } } } },
        { components: { schemas: Object.fromEntries(levels) } },
      )
    }
    assert.deepEqual(compareDocuments(document('string'), document('string')), [])
    const [change] = compareDocuments(document('string'), document('number'))
    assert.equal(change?.level, 'breaking')
    assert.equal(change.text, 'string became number')
  })

  test('are told at a few places, if many lead to them', () => {
    const level = (index: number) =>
      object({ left: to(`Level${index}`), right: to(`Level${index}`) })
    const levels = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`Level${index}`, level(index + 1)]),
    )
    const document = (leaf: string) =>
      documentOf(
        { requestBody: { content: { 'application/json': { schema: to('Level0') } } } },
        { components: { schemas: { ...levels, Level30: { type: leaf } } } },
      )
    assert.equal(compareDocuments(document('string'), document('number')).length, 8)
  })

  const twice = {
    allOf: (next: unknown) => ({ allOf: [next, next] }),
    anyOf: (next: unknown) => ({ anyOf: [next, next] }),
    'anyOf in allOf': (next: unknown) => ({ allOf: [{ anyOf: [next, { type: 'null' }] }, next] }),
    'named parts': (next: unknown) => ({
      oneOf: [
        { title: 'a', allOf: [next] },
        { title: 'b', anyOf: [next] },
      ],
    }),
  }
  for (const [name, level] of Object.entries(twice)) {
    test(`are compared once, where each has the next one twice: ${name}`, () => {
      const document = (leaf: string) => {
        const levels = Array.from({ length: 40 }, (_, index) => [
          `Level${index}`,
          index === 39 ? object({ a: { type: leaf } }, 'a') : level(to(`Level${index + 1}`)),
        ])
        return documentOf(
          { requestBody: { content: { 'application/json': { schema: to('Level0') } } } },
          { components: { schemas: Object.fromEntries(levels) } },
        )
      }
      assert.deepEqual(compareDocuments(document('string'), document('string')), [])
      const found = compareDocuments(document('string'), document('number'))
      assert.ok(found.some(({ level: each }) => each === 'breaking'))
    })
  }
})
