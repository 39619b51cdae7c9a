// What a change of an OpenAPI document does to clients: one row for each kind of change.

export type Level = 'breaking' | 'info' | 'warning'
type Json = Record<string, unknown>

export interface Case {
  readonly name: string
  readonly before: Json
  readonly after: Json
  /** The highest level among the changes; undefined where there is no change. */
  readonly level: Level | undefined
  /** The same, of the change back. */
  readonly back?: Level | undefined
}

const ok = { 200: { description: 'ok' } }
const json = (schema: unknown) => ({ 'application/json': { schema } })

/** A document of one operation, `POST /users`. */
export const documentOf = (operation: Json, rest: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'test', version: '1' },
  paths: { '/users': { post: { responses: ok, ...operation } } },
  ...rest,
})
const reading = (schema: unknown, rest?: Json) =>
  documentOf({ requestBody: { required: true, content: json(schema) } }, rest)
const writing = (schema: unknown, rest?: Json) =>
  documentOf({ responses: { 200: { description: 'ok', content: json(schema) } } }, rest)
const schemas = (all: Json) => ({ components: { schemas: all } })

type Levels = readonly [forth: Level | undefined, back: Level | undefined]

/** A change of a schema, in a request and in a response. */
const both = (
  name: string,
  [before, after]: readonly [unknown, unknown],
  request: Levels,
  response: Levels,
): Case[] => [
  {
    name: `${name}, in a request`,
    before: reading(before),
    after: reading(after),
    level: request[0],
    back: request[1],
  },
  {
    name: `${name}, in a response`,
    before: writing(before),
    after: writing(after),
    level: response[0],
    back: response[1],
  },
]

/** A narrower schema breaks requests, a wider one breaks responses. */
const narrower = (name: string, before: unknown, after: unknown) =>
  both(name, [before, after], ['breaking', 'info'], ['info', 'breaking'])
const incomparable = (name: string, before: unknown, after: unknown) =>
  both(name, [before, after], ['breaking', 'breaking'], ['breaking', 'breaking'])

const same = (name: string, before: unknown, after: unknown) =>
  both(name, [before, after], [undefined, undefined], [undefined, undefined])

const object = (properties: Json, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const string = { type: 'string' }
const number = { type: 'number' }
const tree = (value: unknown) => ({
  Tree: object({
    value,
    children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  }),
})
const user = { $ref: '#/components/schemas/User' }
const named = (name: string, kind: unknown) => object({ kind: { const: name }, id: kind }, 'kind')

const map = { type: 'object', additionalProperties: number }
const user0 = object({ name: string })

/** Changes that are easily taken for harmless. */
const hidden: Case[] = [
  ...narrower(
    'a type leaves out values of an enum',
    { enum: ['a', 1] },
    { type: 'string', enum: ['a', 1] },
  ),
  ...narrower(
    'a second not is added',
    { allOf: [{ not: { const: 1 } }] },
    { allOf: [{ not: { const: 1 } }, { not: { const: 2 } }] },
  ),
  ...narrower('null is no longer what fits', {}, { not: { const: null } }),
  ...narrower('any item has to be there', { type: 'array' }, { type: 'array', contains: {} }),
  ...narrower(
    'an item has to be there',
    { contains: number, minContains: 0 },
    { contains: number },
  ),

  ...narrower(
    'a closed part refuses what another names',
    { ...object({ a: string, b: string }), additionalProperties: false },
    {
      allOf: [object({ a: string }), { ...object({ b: string }), additionalProperties: false }],
    },
  ),
  ...incomparable(
    'one of two patterns changes',
    { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    { allOf: [{ pattern: 'c' }, { pattern: 'b' }] },
  ),
  ...both(
    'what was an entry of a map becomes a property',
    [map, { ...map, properties: { a: string } }],
    ['breaking', 'breaking'],
    ['breaking', 'breaking'],
  ),
  ...both(
    'a counted item is widened',
    [
      { contains: { const: 1 }, maxContains: 1 },
      { contains: number, maxContains: 1 },
    ],
    ['breaking', 'breaking'],
    ['breaking', 'breaking'],
  ),
  ...both(
    'a pattern of a closed object is removed',
    [
      { type: 'object', patternProperties: { '^a': string }, additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    ['breaking', 'info'],
    ['info', 'info'],
  ),
  ...both(
    'a member of a union has one more property',
    [
      { anyOf: [user0, { type: 'null' }] },
      { anyOf: [object({ name: string, age: number }), { type: 'null' }] },
    ],
    ['info', 'breaking'],
    ['info', 'breaking'],
  ),
  ...both(
    'conditions of two parts',
    [
      {
        allOf: [
          { if: number, then: { minimum: 1 } },
          { if: string, then: { minLength: 1 } },
        ],
      },
      {
        allOf: [
          { if: number, then: { minimum: 1 } },
          { if: string, then: { minLength: 2 } },
        ],
      },
    ],
    ['breaking', 'info'],
    ['info', 'breaking'],
  ),
]

const loose = { anyOf: [{}, { not: string }] }

const ofSchemas: Case[] = [
  ...both(
    'a union whose members all take null',
    [loose, loose],
    [undefined, undefined],
    [undefined, undefined],
  ),
  ...narrower('a number becomes an integer', number, { type: 'integer' }),
  ...narrower('null is no longer allowed', { type: ['string', 'null'] }, string),
  ...narrower('null leaves a union', { anyOf: [string, { type: 'null' }] }, string),
  ...narrower('what was anything becomes a string', {}, string),
  ...incomparable('a string becomes a number', string, number),
  ...narrower('an enum loses a value', { enum: ['a', 'b'] }, { enum: ['a'] }),
  ...narrower('a string becomes an enum', string, { type: 'string', enum: ['a'] }),
  ...narrower('an enum becomes a const', { enum: ['a', 'b'] }, { const: 'a' }),
  ...narrower('a property becomes required', object({ a: string }), object({ a: string }, 'a')),
  ...narrower('additional properties are closed', object({}), {
    ...object({}),
    additionalProperties: false,
  }).slice(0, 1),
  ...both(
    'an optional property is added',
    [object({}), object({ a: string })],
    ['info', 'breaking'],
    ['info', 'breaking'],
  ),
  ...both(
    'a required property is added',
    [object({}), object({ a: string }, 'a')],
    ['breaking', 'breaking'],
    ['info', 'breaking'],
  ),
  ...narrower(
    'values of additional properties',
    { additionalProperties: number },
    {
      additionalProperties: { type: 'integer' },
    },
  ),
  ...narrower('minLength is added', string, { type: 'string', minLength: 1 }),
  ...narrower('minLength is raised', { ...string, minLength: 1 }, { ...string, minLength: 2 }),
  ...narrower('maxLength is lowered', { ...string, maxLength: 9 }, { ...string, maxLength: 8 }),
  ...narrower('maximum is lowered', { ...number, maximum: 9 }, { ...number, maximum: 8 }),
  ...narrower('minimum becomes exclusive', { minimum: 1 }, { exclusiveMinimum: 1 }),
  ...narrower('minItems is raised', { minItems: 1 }, { minItems: 2 }),
  ...narrower('uniqueItems is added', { type: 'array' }, { type: 'array', uniqueItems: true }),
  ...narrower('multipleOf becomes a multiple', { multipleOf: 2 }, { multipleOf: 4 }),
  ...narrower('a pattern is added', string, { ...string, pattern: '^a' }),
  ...incomparable('a pattern changes', { pattern: '^a' }, { pattern: '^b' }),
  ...narrower('a format is added', string, { ...string, format: 'email' }),
  ...incomparable('a format changes', { format: 'email' }, { format: 'uuid' }),
  ...narrower('int64 becomes int32', { format: 'int64' }, { format: 'int32' }),
  ...narrower(
    'items are narrowed',
    { type: 'array', items: number },
    {
      type: 'array',
      items: { type: 'integer' },
    },
  ),
  ...incomparable('items become others', { items: string }, { items: number }),
  ...narrower('a member of a union leaves', { oneOf: [string, number] }, { oneOf: [string] }),
  ...narrower(
    'a member of a union is narrowed',
    { oneOf: [named('cat', number), named('dog', number)] },
    { oneOf: [named('dog', number), named('cat', { type: 'integer' })] },
  ),
  ...narrower(
    'a part of allOf is added',
    { allOf: [object({ a: string })] },
    {
      allOf: [object({ a: string }), { required: ['a'] }],
    },
  ),
  ...incomparable(
    'a discriminator changes',
    { oneOf: [string], discriminator: { propertyName: 'a' } },
    { oneOf: [string], discriminator: { propertyName: 'b' } },
  ),
  ...narrower(
    'a mapping of a discriminator leaves',
    { discriminator: { propertyName: 'a', mapping: { b: 'B', c: 'C' } } },
    { discriminator: { propertyName: 'a', mapping: { b: 'B' } } },
  ),
  ...narrower(
    'values of properties by pattern',
    { patternProperties: { '^a': number } },
    { patternProperties: { '^a': { type: 'integer' } } },
  ),
  ...narrower('not is added', {}, { not: { type: 'null' } }),
  ...narrower('a condition is added', {}, { if: string, then: { minLength: 1 } }),
  ...narrower(
    'the consequence of a condition narrows',
    { if: string, then: { minLength: 1 } },
    { if: string, then: { minLength: 2 } },
  ),
  ...narrower(
    'a condition gets an alternative',
    { if: string, then: { minLength: 1 } },
    { if: string, then: { minLength: 1 }, else: { minimum: 1 } },
  ),
  ...incomparable(
    'a condition is another',
    { if: string, then: { minLength: 1 } },
    { if: { type: ['string', 'null'] }, then: { minLength: 1 } },
  ),
  ...same('a condition without a consequence is added', {}, { if: string }),
  ...same(
    'an exclusive limit of integers is written as an inclusive one',
    { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
    { type: 'integer', minimum: 1, exclusiveMaximum: 10 },
  ),
  ...narrower(
    'a list of first items grows',
    { prefixItems: [string] },
    { prefixItems: [string, string] },
  ),
  ...narrower(
    'allOf limits more',
    { allOf: [{ enum: ['a', 'b'] }] },
    { allOf: [{ enum: ['a', 'b'] }, { enum: ['a', 'c'] }] },
  ),
  ...narrower(
    'an enum that may be null loses it',
    { enum: ['a', null] },
    { type: ['string', 'null'], enum: ['a'] },
  ),
  ...narrower('what not forbids grows', { not: { type: 'integer' } }, { not: number }),
  ...narrower(
    'a property deep inside',
    object({ a: object({ b: number }) }),
    object({ a: object({ b: { type: 'integer' } }) }),
  ),
  ...both(
    'a default changes',
    [{ default: 1 }, { default: 2 }],
    ['warning', 'warning'],
    ['info', 'info'],
  ),
  ...both(
    'a property is deprecated',
    [string, { ...string, deprecated: true }],
    ['info', 'info'],
    ['info', 'info'],
  ),
  ...both(
    'words change',
    [{ ...string, description: 'a', title: 'b', example: 'c' }, string],
    [undefined, undefined],
    [undefined, undefined],
  ),
  ...both(
    'the order of types changes',
    [{ type: ['string', 'null'] }, { type: ['null', 'string'] }],
    [undefined, undefined],
    [undefined, undefined],
  ),
  ...both(
    'a list of types becomes a union',
    [
      { type: ['string', 'null'], minLength: 1 },
      { anyOf: [{ ...string, minLength: 1 }, { type: 'null' }] },
    ],
    [undefined, undefined],
    [undefined, undefined],
  ),
]

const referenced = (
  before: unknown,
  after: unknown,
  of: (schema: unknown, rest?: Json) => Json,
) => ({
  before: of(user, schemas({ User: before })),
  after: of(user, schemas({ User: after })),
})

const ofReferences: Case[] = [
  {
    name: 'null is added behind a reference, in a response',
    ...referenced(object({ a: string }), object({ a: { type: ['string', 'null'] } }), writing),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'null is added behind a reference, in a request',
    ...referenced(object({ a: string }), object({ a: { type: ['string', 'null'] } }), reading),
    level: 'info',
    back: 'breaking',
  },
  {
    name: 'a reference in a response may be null',
    before: writing(user, schemas({ User: object({}) })),
    after: writing({ anyOf: [user, { type: 'null' }] }, schemas({ User: object({}) })),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a component is renamed',
    before: writing(user, schemas({ User: object({ a: string }) })),
    after: writing(
      { $ref: '#/components/schemas/Person' },
      schemas({ Person: object({ a: string }) }),
    ),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a recursive component is renamed',
    before: writing({ $ref: '#/components/schemas/Tree' }, schemas(tree(string))),
    after: writing(
      { $ref: '#/components/schemas/Node' },
      schemas({
        Node: object({
          value: string,
          children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        }),
      }),
    ),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a component is put in the place of its reference',
    before: reading(user, schemas({ User: object({ a: string }) })),
    after: reading(object({ a: string })),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a recursive component is narrowed',
    before: reading({ $ref: '#/components/schemas/Tree' }, schemas(tree(number))),
    after: reading({ $ref: '#/components/schemas/Tree' }, schemas(tree({ type: 'integer' }))),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a component that nothing uses leaves',
    before: writing(string, schemas({ Unused: string })),
    after: writing(string),
    level: undefined,
    back: undefined,
  },
  {
    name: 'null is added as version 3.0 writes it',
    before: { ...writing(string), openapi: '3.0.3' },
    after: { ...writing({ ...string, nullable: true }), openapi: '3.0.3' },
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a union may be null, as version 3.0 writes it',
    before: { ...writing({ oneOf: [string, number] }), openapi: '3.0.3' },
    after: { ...writing({ oneOf: [string, number], nullable: true }), openapi: '3.0.3' },
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'version 3.0 becomes 3.1',
    before: {
      ...reading({ type: 'number', nullable: true, minimum: 1, exclusiveMinimum: true }),
      openapi: '3.0.3',
    },
    after: reading({ type: ['number', 'null'], exclusiveMinimum: 1 }),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a property that only responses have leaves',
    before: reading(object({ id: { ...string, readOnly: true } }, 'id')),
    after: reading(object({})),
    level: undefined,
    back: undefined,
  },
]

const query = (more: Json) => ({
  parameters: [{ in: 'query', name: 'q', schema: string, ...more }],
})
const bearer = { type: 'http', scheme: 'bearer' }
const key = { type: 'apiKey', in: 'header', name: 'key' }
const secured = (...security: Json[]) =>
  documentOf({ security }, { components: { securitySchemes: { bearer, key } } })
const operations = (name: string, before: Json, after: Json, levels: Levels): Case => ({
  name,
  before: documentOf(before),
  after: documentOf(after),
  level: levels[0],
  back: levels[1],
})
const responses = (all: Json) => ({ responses: all })

const ofOperations: Case[] = [
  operations('an optional parameter is added', {}, query({}), ['info', 'breaking']),
  operations('a required parameter is added', {}, query({ required: true }), [
    'breaking',
    'breaking',
  ]),
  operations('a parameter becomes required', query({}), query({ required: true }), [
    'breaking',
    'info',
  ]),
  operations(
    'a parameter is narrowed',
    query({ schema: number }),
    query({ schema: { type: 'integer' } }),
    ['breaking', 'info'],
  ),
  operations('a parameter moves', query({}), query({ in: 'header' }), ['breaking', 'breaking']),
  operations('a list is written otherwise', query({}), query({ explode: false }), [
    'breaking',
    'breaking',
  ]),
  operations('what is the default is written', query({}), query({ style: 'form', explode: true }), [
    undefined,
    undefined,
  ]),
  operations(
    'a header is written otherwise',
    { parameters: [{ in: 'header', name: 'X-A', schema: string }] },
    { parameters: [{ in: 'header', name: 'x-a', schema: string }] },
    [undefined, undefined],
  ),
  operations(
    'a body becomes required',
    { requestBody: { content: json(string) } },
    { requestBody: { required: true, content: json(string) } },
    ['breaking', 'info'],
  ),
  operations('an optional body is added', {}, { requestBody: { content: json(string) } }, [
    'info',
    'breaking',
  ]),
  operations(
    'a required body is added',
    {},
    { requestBody: { required: true, content: json(string) } },
    ['breaking', 'breaking'],
  ),
  operations(
    'a media type of a body is added',
    { requestBody: { content: json(string) } },
    { requestBody: { content: { ...json(string), 'text/plain': { schema: string } } } },
    ['info', 'breaking'],
  ),
  operations(
    'a media type of a response is added',
    responses({ 200: { description: '', content: json(string) } }),
    responses({
      200: { description: '', content: { ...json(string), 'text/plain': { schema: string } } },
    }),
    ['info', 'breaking'],
  ),
  operations(
    'a media type has a charset',
    responses({ 200: { description: '', content: json(string) } }),
    responses({
      200: { description: '', content: { 'application/json; charset=utf-8': { schema: string } } },
    }),
    [undefined, undefined],
  ),
  operations(
    'a success status is added',
    responses(ok),
    responses({ ...ok, 201: { description: '' } }),
    ['info', 'breaking'],
  ),
  operations(
    'an error status is added',
    responses(ok),
    responses({ ...ok, 404: { description: '' } }),
    ['info', 'info'],
  ),
  operations('a status becomes another', responses(ok), responses({ 201: { description: '' } }), [
    'breaking',
    'breaking',
  ]),
  operations('a status becomes a range', responses(ok), responses({ '2XX': { description: '' } }), [
    'info',
    'info',
  ]),
  operations(
    'a range becomes a status with another reply',
    responses({ '2XX': { description: '', content: json(string) } }),
    responses({ 200: { description: '', content: json(number) } }),
    ['breaking', 'breaking'],
  ),
  operations(
    'a header of a response is added',
    responses(ok),
    responses({ 200: { description: '', headers: { etag: { schema: string } } } }),
    ['info', 'breaking'],
  ),
  operations(
    'a header of a response is no longer always there',
    responses({ 200: { description: '', headers: { etag: { required: true, schema: string } } } }),
    responses({ 200: { description: '', headers: { ETag: { schema: string } } } }),
    ['breaking', 'info'],
  ),
  operations(
    'a header of a response is another',
    responses({ 200: { description: '', headers: { age: { schema: string } } } }),
    responses({ 200: { description: '', headers: { age: { schema: number } } } }),
    ['breaking', 'breaking'],
  ),
  operations('a parameter is deprecated', query({}), query({ deprecated: true }), ['info', 'info']),
  operations(
    'a parameter with content is narrowed',
    query({ schema: undefined, content: json(number) }),
    query({ schema: undefined, content: json({ type: 'integer' }) }),
    ['breaking', 'info'],
  ),
  operations(
    'the encoding of a part changes',
    {
      requestBody: {
        content: { 'multipart/form-data': { encoding: { a: { contentType: 'a/b' } } } },
      },
    },
    { requestBody: { content: { 'multipart/form-data': {} } } },
    ['warning', 'warning'],
  ),
  operations('a callback changes', { callbacks: { done: {} } }, {}, ['warning', 'warning']),
  operations('the operationId changes', { operationId: 'a' }, { operationId: 'b' }, [
    'warning',
    'warning',
  ]),
  operations('an operation is deprecated', {}, { deprecated: true }, ['info', 'info']),
  operations('a description changes', { description: 'a', tags: ['a'] }, { summary: 'b' }, [
    undefined,
    undefined,
  ]),
  {
    name: 'security is added',
    before: secured(),
    after: secured({ bearer: [] }),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'another security is accepted too',
    before: secured({ bearer: [] }),
    after: secured({ bearer: [] }, { key: [] }),
    level: 'info',
    back: 'breaking',
  },
  {
    name: 'another security is needed too',
    before: secured({ bearer: [] }),
    after: secured({ bearer: [], key: [] }),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a scope is needed too',
    before: secured({ bearer: ['a'] }),
    after: secured({ bearer: ['a', 'b'] }),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'security becomes optional',
    before: secured({ bearer: [] }),
    after: secured({ bearer: [] }, {}),
    level: 'info',
    back: 'breaking',
  },
  {
    name: 'security of all operations is added',
    before: documentOf({}, { components: { securitySchemes: { bearer } } }),
    after: documentOf(
      {},
      { components: { securitySchemes: { bearer } }, security: [{ bearer: [] }] },
    ),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a security scheme is renamed',
    before: documentOf(
      { security: [{ one: [] }] },
      { components: { securitySchemes: { one: bearer } } },
    ),
    after: documentOf(
      { security: [{ two: [] }] },
      { components: { securitySchemes: { two: bearer } } },
    ),
    level: undefined,
    back: undefined,
  },
]

const paths = (all: Json): Json => ({ ...documentOf({}), paths: all })
const get = { get: { responses: ok } }
const byName = (name: string, schema: Json = string) => ({
  [`/users/{${name}}`]: {
    parameters: [{ in: 'path', name, required: true, schema }],
    get: { responses: ok },
  },
})

const ofPaths: Case[] = [
  {
    name: 'a path is renamed',
    before: paths({ '/users': get }),
    after: paths({ '/people': get }),
    level: 'breaking',
    back: 'breaking',
  },
  {
    name: 'a method is added',
    before: paths({ '/users': get }),
    after: paths({ '/users': { ...get, post: get.get } }),
    level: 'info',
    back: 'breaking',
  },
  {
    name: 'a parameter of a path is renamed',
    before: paths(byName('id')),
    after: paths(byName('user')),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a parameter of a path is narrowed',
    before: paths(byName('id')),
    after: paths(byName('user', { ...string, format: 'uuid' })),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a parameter moves from the path item to its operation',
    before: paths({ '/users': { parameters: query({}).parameters, ...get } }),
    after: paths({ '/users': { get: { ...get.get, ...query({}) } } }),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a server of an operation is removed',
    before: documentOf({ servers: [{ url: 'https://a.b' }] }),
    after: documentOf({ servers: [{ url: 'https://b.c' }] }),
    level: 'warning',
    back: 'warning',
  },
  {
    name: 'a parameter is written as content',
    before: documentOf({ parameters: [{ in: 'query', name: 'q', schema: string }] }),
    after: documentOf({ parameters: [{ in: 'query', name: 'q', content: json(string) }] }),
    level: 'breaking',
    back: 'breaking',
  },
  {
    name: 'the content of a header is another',
    before: documentOf({
      responses: { 200: { description: '', headers: { q: { content: json(string) } } } },
    }),
    after: documentOf({
      responses: { 200: { description: '', headers: { q: { content: json(number) } } } },
    }),
    level: 'breaking',
    back: 'breaking',
  },
  {
    name: 'one of two versions of a media type is removed',
    before: documentOf({ requestBody: { content: { 'a/b;v=1': {}, 'a/b;v=2': {} } } }),
    after: documentOf({ requestBody: { content: { 'a/b;v=2': {} } } }),
    level: 'breaking',
    back: 'info',
  },
  {
    name: 'a wildcard becomes one segment',
    before: documentOf({ parameters: [{ in: 'path', name: 'q', 'x-wildcard': true }] }),
    after: documentOf({ parameters: [{ in: 'path', name: 'q' }] }),
    level: 'breaking',
    back: 'breaking',
  },
  {
    name: 'a server is removed',
    before: { ...documentOf({}), servers: [{ url: 'https://a.b' }] },
    after: documentOf({}),
    level: 'warning',
    back: undefined,
  },
  {
    name: 'a webhook changes',
    before: { ...documentOf({}), webhooks: {} },
    after: documentOf({}),
    level: 'warning',
    back: 'warning',
  },
  {
    name: 'a parameter is put behind a reference',
    before: documentOf(query({})),
    after: documentOf(
      { parameters: [{ $ref: '#/components/parameters/q' }] },
      { components: { parameters: { q: query({}).parameters[0] } } },
    ),
    level: undefined,
    back: undefined,
  },
  {
    name: 'a reference leads to an item of a list',
    before: paths({ '/users': { parameters: query({}).parameters, ...get } }),
    after: paths({
      '/users': {
        parameters: [
          { in: 'query', name: 'q', schema: { $ref: '#/paths/~1others/parameters/0/schema' } },
        ],
        ...get,
      },
      '/others': { parameters: query({}).parameters },
    }),
    level: undefined,
    back: undefined,
  },
  {
    name: 'the version of the API changes',
    before: documentOf({}),
    after: { ...documentOf({}), info: { title: 'test', version: '2' } },
    level: undefined,
    back: undefined,
  },
]

export const cases: readonly Case[] = [
  ...ofSchemas,
  ...hidden,
  ...ofReferences,
  ...ofOperations,
  ...ofPaths,
]
