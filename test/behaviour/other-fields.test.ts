// Fields that a schema does not name: to TypeScript they may be what a named field is, or one of another pattern.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, t } from '../../src/index.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

const Size = t.Object({ bytes: t.Integer(), unit: t.Optional(t.String()) })
const at = new Date('2026-01-02T03:04:05Z')

/** What leaves of a payload, or what is wrong with it. */
async function send(schema: object, payload: unknown, app = untyped()): Promise<unknown> {
  app.addSchema({ $id: 'size', ...Size })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(500).send(error instanceof Error ? error.message : error),
  )
  app.get('/', { schema: { response: { 200: schema } } }, () => payload)
  const { statusCode, body } = await app.inject('/')
  return statusCode === 200 ? JSON.parse(body) : body
}

const refusal = (place: string, value: string) =>
  `'${place}' of the payload is ${value}, which the schema of such fields does not take`

test('null beside a nullable field is refused where other fields are objects: it left as {}, which the types let through', async () => {
  const app = espalier({ logger: false }).get(
    '/',
    {
      schema: {
        response: {
          200: {
            type: 'object',
            properties: { note: { type: 'string', nullable: true } },
            additionalProperties: {
              type: 'object',
              properties: { bytes: { type: 'integer' } },
              required: ['bytes'],
            },
          },
        },
      },
    },
    () => ({ note: null, file: null }),
  )
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 500)
  assert.doesNotMatch(body, /file/)
})

const named = { type: 'object', properties: { note: { type: ['string', 'null'] } } }
const others = { ...named, additionalProperties: Size }
const patterns = {
  type: 'object',
  patternProperties: { '^at': { type: 'integer', nullable: true }, '/': Size },
  additionalProperties: Size,
}
const wrong: Record<string, [schema: object, payload: unknown, place: string, value: string]> = {
  'null for an object': [others, { file: null }, '/file', 'null'],
  'text for an object': [others, { note: 'a', file: 'a' }, '/file', "'a'"],
  'a date for an object': [others, { file: at }, '/file', 'an object'],
  'what toJSON gives': [others, { file: { toJSON: () => null } }, '/file', 'null'],
  'null for text': [
    { ...named, additionalProperties: { type: 'string' } },
    { other: null },
    '/other',
    'null',
  ],
  'null for a number': [
    { ...named, additionalProperties: { type: 'number' } },
    { other: null },
    '/other',
    'null',
  ],
  'an object for text': [
    { ...named, additionalProperties: { type: 'string' } },
    { other: { a: 1 } },
    '/other',
    'an object',
  ],
  'a list for a number': [
    { ...named, additionalProperties: { type: 'number' } },
    { other: [1] },
    '/other',
    'an array',
  ],
  'null for a constant': [
    { ...named, additionalProperties: t.Literal('a') },
    { other: null },
    '/other',
    'null',
  ],
  'what is wrong inside of it': [others, { file: { bytes: 1, unit: null } }, '/file/unit', 'null'],
  'what is wrong in a list inside of it': [
    { ...named, additionalProperties: t.Array(Size) },
    { files: [{ bytes: 1 }, null] },
    '/files/1',
    'null',
  ],
  'what is wrong in a tuple inside of it': [
    { ...named, additionalProperties: t.Tuple([t.Integer(), t.String()]) },
    { pair: [1, null] },
    '/pair/1',
    'null',
  ],
  'a field of one pattern with the value of another': [patterns, { 'a/b': 1 }, '/a~1b', '1'],
  'a field of no pattern with the value of one': [patterns, { atlas: 1, b: 1 }, '/b', '1'],
  'a shared schema': [
    { ...named, additionalProperties: { $ref: 'size#' } },
    { file: null },
    '/file',
    'null',
  ],
  'schemas that hold together': [
    { type: 'object', allOf: [named, { additionalProperties: { type: 'string' } }] },
    { note: 'a', other: null },
    '/other',
    'null',
  ],
  'one that stands deeper': [
    { type: 'array', items: { type: 'object', properties: { files: others } } },
    [{}, { files: { file: null } }],
    '/1/files/file',
    'null',
  ],
}
for (const [what, [schema, payload, place, value]] of Object.entries(wrong)) {
  test(`a field without a name is refused by the schema of such fields: ${what}`, async () => {
    assert.equal(await send(schema, payload), refusal(place, value))
  })
}

test('what the schema of such fields takes leaves by it', async () => {
  const file = { bytes: 1, unit: undefined, more: 2 }
  assert.deepEqual(await send(others, { note: null, file, gone: undefined }), {
    note: null,
    file: { bytes: 1 },
  })
  assert.deepEqual(await send(others, { file: { toJSON: () => file } }), { file: { bytes: 1 } })
  assert.deepEqual(await send(patterns, { at: null, atlas: 2, 'a/b': file, b: file }), {
    at: null,
    atlas: 2,
    'a/b': { bytes: 1 },
    b: { bytes: 1 },
  })
  const dated = { ...named, additionalProperties: { type: 'string', format: 'date-time' } }
  assert.deepEqual(await send(dated, { other: at }), { other: at.toISOString() })
  const large = { ...named, additionalProperties: { type: 'integer' } }
  assert.deepEqual(await send(large, { other: 2n ** 40n }), { other: 2 ** 40 })
  const any = { ...named, additionalProperties: {} }
  assert.deepEqual(await send(any, { a: null, b: [1] }), { a: null, b: [1] })
  const nullable = { ...named, additionalProperties: { ...Size, nullable: true } }
  assert.deepEqual(await send(nullable, { file: null }), { file: null })
  const constant = { ...named, additionalProperties: { const: [1, 'x'] } }
  assert.deepEqual(await send(constant, { other: [1, 'x'] }), { other: [1, 'x'] })
})

test('text, numbers and truth values are made of one another, as in named fields', async () => {
  const text = { type: 'object', properties: { a: { type: 'string' } } }
  const both = { ...text, additionalProperties: { type: 'string' } }
  assert.deepEqual(await send(both, { a: 1, b: 2 }), { a: '1', b: '2' })
  class Id {
    toString() {
      return 'id'
    }
  }
  assert.deepEqual(await send(both, { a: new Id(), b: new Id() }), { a: 'id', b: 'id' })
})

const right: Record<string, [schema: object, value: unknown]> = {
  'null where a reference may be null': [{ $ref: 'size#', nullable: true }, null],
  'null inside of a list of such': [
    { type: 'array', items: { $ref: 'size#', nullable: true } },
    [null, { bytes: 1 }],
  ],
  'null inside of a field of such': [
    { type: 'object', properties: { size: { $ref: 'size#', nullable: true } } },
    { size: null },
  ],
  'null by an alternative, beside a keyword of texts': [
    { minLength: 1, anyOf: [{ type: 'string' }, { type: 'null' }] },
    null,
  ],
  'a number by an alternative, beside a keyword of texts': [
    { minLength: 1, oneOf: [{ type: 'string' }, { type: 'integer' }] },
    4,
  ],
  'text by an alternative, beside a keyword of lists': [
    { maxItems: 9, anyOf: [{ type: 'string' }, { type: 'array', items: {} }] },
    'x',
  ],
  'null by a schema that holds as well': [
    { minLength: 1, allOf: [{ type: ['string', 'null'] }] },
    null,
  ],
  'a number by a condition': [
    { maxLength: 8, if: { type: 'string' }, then: { minLength: 1 }, else: { type: 'integer' } },
    4,
  ],
}
for (const [what, [schema, value]] of Object.entries(right)) {
  test(`a field without a name leaves by the schema of such fields: ${what}`, async () => {
    const payload = { note: null, other: value }
    assert.deepEqual(await send({ ...named, additionalProperties: schema }, payload), payload)
  })
}

test('a field is asked by all schemas that name it together', async () => {
  const files = { type: 'object', properties: { files: others } }
  const both = { allOf: [files, { type: 'object', properties: { files: { type: 'object' } } }] }
  const refused = await send(both, { files: { note: null, file: null } })
  assert.equal(refused, refusal('/files/file', 'null'))
  const sizes = { ...named, additionalProperties: { allOf: [Size, { type: 'object' }] } }
  assert.equal(await send(sizes, { file: null }), refusal('/file', 'null'))
})

test('of alternatives the one that is written asks for such fields', async () => {
  const union = { type: 'object', properties: { files: { anyOf: [others, { type: 'integer' }] } } }
  assert.deepEqual(await send(union, { files: { file: { bytes: 1 } } }), {
    files: { file: { bytes: 1 } },
  })
  assert.match(String(await send(union, { files: { file: null } })), /does not match/)
  const inside = { ...named, additionalProperties: { anyOf: [Size, { type: 'boolean' }] } }
  assert.deepEqual(await send(inside, { a: true, b: { bytes: 1 } }), { a: true, b: { bytes: 1 } })
  assert.match(String(await send(inside, { a: null })), /does not match/)
})

test('a recursive schema is asked at any depth', async () => {
  const tree = {
    $id: 'tree',
    type: 'object',
    properties: { note: { type: ['string', 'null'] } },
    additionalProperties: { $ref: 'tree#' },
  }
  const payload = { note: null, left: { note: 'a', right: {} } }
  assert.deepEqual(await send(tree, payload), payload)
  const broken = { note: null, left: { right: null } }
  assert.equal(await send(tree, broken), refusal('/left/right', 'null'))
})

test('what is left out, or may be anything, is not looked into', async () => {
  const entity: Record<string, unknown> = { file: { bytes: 1 } }
  entity['file'] = { bytes: 1, owner: entity }
  assert.deepEqual(await send(others, entity), { file: { bytes: 1 } })
  let reads = 0
  const counted = {
    get inner() {
      reads++
      return 'a'
    },
  }
  const broken = {
    ...{ file: { bytes: 1 }, left: () => 1 },
    get gone() {
      throw new Error('not to be read')
    },
  }
  const closed = { type: 'object', properties: { files: others, file: Size } }
  assert.deepEqual(await send(closed, broken), { file: { bytes: 1 } })
  assert.deepEqual(await send(closed, { files: { file: broken.file, left: broken.left } }), {
    files: { file: { bytes: 1 } },
  })
  const any = { ...patterns, properties: { any: {} } }
  assert.deepEqual(await send(any, { any: { counted } }), { any: { counted: { inner: 'a' } } })
  assert.equal(reads, 1)
})

test('a map alone, and those of programs for Fastify, are left to the serializer', async () => {
  const map = { type: 'object', additionalProperties: Size }
  assert.deepEqual(await send(map, { file: null }), { file: {} })
  assert.deepEqual(await send(others, { file: null }, untypedFastify()), { file: {} })
})

test('serializers that a reply compiles ask as well', async () => {
  const app = untyped({ logger: false })
  app.get('/', (_request, reply) => {
    const write = reply.compileSerializationSchema(others)
    assert.throws(() => write({ file: null }), new TypeError(refusal('/file', 'null')))
    return write({ file: { bytes: 1 } })
  })
  assert.equal((await app.inject('/')).body, '{"file":{"bytes":1}}')
})
