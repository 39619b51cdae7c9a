// Which parser a request gets: by its type, and by the scope of its route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

/** A parser that tells its name, whatever the body is. */
const named = (name: string) => (_request: unknown, _body: unknown, done: any) => done(null, name)
const asText = { parseAs: 'string' }
const none = 'ESP_ERR_CTP_INVALID_MEDIA_TYPE'

const answering = (app: UntypedServer) => app.post('/', ({ body }) => String(body))

/** What the route makes of a body of a type: its own answer, or the code of an error. */
async function ask(app: UntypedServer, type: string | undefined, url = '/'): Promise<string> {
  const headers = type === undefined ? {} : { 'content-type': type }
  const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload: '7' })
  return statusCode === 200 ? body : JSON.parse(body).code
}

async function askAll(app: UntypedServer, expected: Readonly<Record<string, string>>, url = '/') {
  for (const [type, answer] of Object.entries(expected)) {
    assert.equal(await ask(app, type, url), answer, type)
  }
}

test('a media type goes before patterns, the newest pattern first, and all before *', async () => {
  const app = answering(untyped())
  app.addContentTypeParser('*', asText, named('any'))
  app.addContentTypeParser(/^image\//, asText, named('old image'))
  app.addContentTypeParser('image/gif', asText, named('gif'))
  app.addContentTypeParser(/^image\/p/, asText, named('new image'))
  await askAll(app, {
    'image/gif': 'gif',
    'IMAGE/GIF ; a=b': 'gif',
    'image/png': 'new image',
    'image/jpeg': 'old image',
    'text/html': 'any',
    'application/json': '7',
    'no type at all': 'any',
    '': 'any',
  })
  assert.equal(await ask(app, undefined), 'any')
  await app.close()
})

test('a media type with parameters goes before the same without, in any order of parameters', async () => {
  const app = answering(untyped())
  app.addContentTypeParser('text/csv; Header=present; charset=utf-8', asText, named('both'))
  app.addContentTypeParser('text/csv', asText, named('bare'))
  app.addContentTypeParser('text/tsv; header=present', asText, named('tsv'))
  await askAll(app, {
    'text/csv; header=present; charset=utf-8': 'both',
    'Text/CSV;charset="UTF-8";other=1;header=present': 'both',
    'text/csv; header=present': 'bare',
    'text/csv': 'bare',
    'text/tsv;header=present': 'tsv',
    'text/tsv; header=absent': none,
    'text/tsv': none,
  })
  await app.close()
})

test('what stands in a parameter is no type, unless a pattern asks for parameters', async () => {
  const app = answering(untyped())
  app.addContentTypeParser(/application\/xml/, asText, named('xml'))
  app.addContentTypeParser(/^text\/a; q="?application\/xml/, asText, named('quoted'))
  await askAll(app, {
    'text/plain; content-type="application/xml"': '7',
    'text/b; content-type="application/xml"': none,
    'text/a; q="application/xml"': 'quoted',
    'Text/A; q=application/xml': 'quoted',
    'text/a;q=application/xml': 'quoted',
    'text/a': none,
    'application/xml; a=b': 'xml',
  })
  await app.close()
})

test('a pattern with a memory fits each time', async () => {
  const app = answering(untyped())
  app.addContentTypeParser(/^text\/x/g, asText, named('global'))
  app.addContentTypeParser(/text\/y/y, asText, named('sticky'))
  for (const suffix of ['a', 'b', 'c', 'c']) {
    assert.equal(await ask(app, `text/x${suffix}`), 'global')
    assert.equal(await ask(app, `text/y${suffix}`), 'sticky')
  }
  await app.close()
})

test('however many types clients send, each gets its parser', async () => {
  const app = answering(untyped()).addContentTypeParser(/^text\/e/, asText, named('even'))
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 150; at++) {
      const type = `text/${at % 2 === 0 ? 'e' : 'o'}${at}`
      assert.equal(await ask(app, type), at % 2 === 0 ? 'even' : none)
    }
  }
  assert.equal(await ask(app, `text/e; a=${'x'.repeat(500)}`), 'even')
  await app.close()
})

test('names of properties that all objects have are no types', async () => {
  const app = answering(untyped())
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'constructor; a=b']) {
    assert.equal(await ask(app, name), none)
  }
  await app.close()
})

test('a parser is for its scope and those below, and what is added later counts', async () => {
  const app = answering(untyped())
  await app.register(
    (child) => {
      answering(child).addContentTypeParser('x/child', asText, named('child'))
      child.register((grandchild) => void answering(grandchild), { prefix: '/deep' })
    },
    { prefix: '/child' },
  )
  app.addContentTypeParser('x/root', asText, named('root'))
  app.addContentTypeParser('x/child', asText, named('late'))
  for (const url of ['/child', '/child/deep']) {
    await askAll(app, { 'x/root': 'root', 'x/child': 'child', 'text/plain': '7' }, url)
  }
  await askAll(app, { 'x/root': 'root', 'x/child': 'late' })
  await app.close()
})

test('the parsers of a shared plugin are of the scope around it', async () => {
  const plugin = (server: UntypedServer) =>
    void server.addContentTypeParser('x/y', asText, named('shared'))
  const app = answering(untyped())
  app.register(Object.assign(plugin, { [Symbol.for('skip-override')]: true }))
  assert.equal(await ask(app, 'x/y'), 'shared')
  await app.close()
})

test('a scope may take back what it has from above, for itself and those below', async () => {
  const app = answering(untyped())
  app.addContentTypeParser(['x/a', /^x\/b/, '*'], asText, named('root'))
  app.register(
    (child) => {
      answering(child).removeContentTypeParser(['x/a', /^x\/b/, 'Text/Plain'])
      child.removeContentTypeParser('*').removeContentTypeParser('x/unknown')
      assert.equal(child.hasContentTypeParser('x/a'), false)
      child.register(
        (grandchild) => {
          answering(grandchild).addContentTypeParser('x/a', asText, named('grandchild'))
        },
        { prefix: '/deep' },
      )
    },
    { prefix: '/some' },
  )
  app.register((child) => void answering(child).removeAllContentTypeParsers(), { prefix: '/all' })
  await askAll(app, { 'x/a': 'root', 'x/b': 'root', 'x/c': 'root', 'text/plain': '7' })
  const gone = { 'x/b': none, 'x/c': none, 'text/plain': none }
  await askAll(app, { ...gone, 'x/a': none, 'application/json': '7' }, '/some')
  await askAll(app, { ...gone, 'x/a': 'grandchild' }, '/some/deep')
  await askAll(app, { ...gone, 'x/a': none, 'application/json': none }, '/all')
  await app.close()
})

test('a scope without any parsers may add some, also for the types of the built-in ones', async () => {
  const app = answering(untyped()).removeAllContentTypeParsers()
  assert.equal(app.hasContentTypeParser('application/json'), false)
  app.addContentTypeParser('application/json', asText, named('mine'))
  await askAll(app, { 'application/json': 'mine', 'text/plain': none })
  await app.close()
})

test('the built-in parsers may be replaced once, here or in a child', async () => {
  for (const type of ['application/json', 'text/plain']) {
    const app = answering(untyped())
    app.register(
      (child) => {
        answering(child).addContentTypeParser(type, asText, named('child'))
        const again = () => child.addContentTypeParser(type, asText, named('again'))
        assert.throws(again, { code: 'ESP_ERR_CTP_ALREADY_PRESENT' })
      },
      { prefix: '/child' },
    )
    assert.equal(await ask(app, type, '/child'), 'child')
    assert.equal(await ask(app, type), '7')
    await app.close()
  }
})

test('a type has one parser, however it is written; the last one for * is taken', async () => {
  const app = answering(untyped())
  app.addContentTypeParser(['x/y', 'x/z; b=2; a=1', /^x/], asText, named('first'))
  app.register(async (child) => {
    for (const type of ['x/y', ' X/Y ', 'x/z;a=1;b=2', 'x/z; A="1"; b=2', /^x/]) {
      const again = () => child.addContentTypeParser(type, asText, named('again'))
      assert.throws(again, { code: 'ESP_ERR_CTP_ALREADY_PRESENT' }, String(type))
    }
    child.addContentTypeParser(['x/y; a=1', 'x/z', /^x/i], asText, named('other'))
  })
  app.addContentTypeParser('*', asText, named('first'))
  app.addContentTypeParser('*', asText, named('last'))
  assert.equal(await ask(app, 'a/b'), 'last')
  await app.close()
})

test('hasContentTypeParser tells what a scope has, by the very type or pattern', async () => {
  const app = untyped().addContentTypeParser(['x/y', /^image\//], named('x'))
  const has = (server: UntypedServer, types: readonly unknown[]) =>
    types.map((type) => server.hasContentTypeParser(type))
  const types = ['x/y', 'X/Y', 'text/plain', /^image\//, 'x/y; a=b', /^image/, 'image/png', '*']
  assert.deepEqual(has(app, types), [true, true, true, true, false, false, false, false])
  app.register((child) => {
    child.addContentTypeParser(['*', 'x/child'], named('y'))
    assert.deepEqual(has(child, ['*', 'x/child', 'x/y']), [true, true, true])
  })
  await app.ready()
  assert.deepEqual(has(app, ['*', 'x/child']), [false, false])
  await app.close()
})

const wrong: readonly (readonly [code: string, ...given: unknown[]])[] = [
  ['INVALID_TYPE', null, named('x')],
  ['INVALID_TYPE', 42, named('x')],
  ['INVALID_TYPE', ['x/y', {}], named('x')],
  ['INVALID_TYPE', 'json', named('x')],
  ['INVALID_TYPE', 'x/y, x/z', named('x')],
  ['EMPTY_TYPE', '', named('x')],
  ['EMPTY_TYPE', '  ', named('x')],
  ['INVALID_HANDLER', 'x/y', null],
  ['INVALID_HANDLER', 'x/y'],
  ['INVALID_HANDLER', 'x/y', asText],
  ['INVALID_HANDLER', 'x/y', asText, 'parser'],
  ['INVALID_PARSE_TYPE', 'x/y', { parseAs: 'fireworks' }, named('x')],
  ['INVALID_PARSE_TYPE', 'x/y', { parseAs: null }, named('x')],
]
test('what is no type, no parser or no option is refused where it is given', () => {
  const app = untyped()
  for (const [code, types, ...rest] of wrong) {
    const add = () => app.addContentTypeParser(types, ...rest)
    assert.throws(add, { code: `ESP_ERR_CTP_${code}` }, JSON.stringify([types, rest]))
  }
  for (const bodyLimit of [-1, 1.5, '10', {}]) {
    const add = () => app.addContentTypeParser('x/y', { bodyLimit }, named('x'))
    assert.throws(add, { code: 'ESP_ERR_INIT_OPTS_INVALID', message: /bodyLimit .* in root/ })
  }
  const invalid = { code: 'ESP_ERR_CTP_INVALID_TYPE', message: /in root .* given 12/ }
  assert.throws(() => app.removeContentTypeParser(12), invalid)
  assert.throws(() => app.hasContentTypeParser(12), invalid)
  const action = { code: 'ESP_ERR_INIT_OPTS_INVALID', message: /onProtoPoisoning.* 'drop'/ }
  assert.throws(() => app.getDefaultJsonParser('drop'), action)
  assert.throws(() => untyped({ onProtoPoisoning: 'drop' }), action)
})

test('when the server is ready, its parsers are what they are', async () => {
  const app = untyped()
  await app.ready()
  const late = { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING' }
  assert.throws(() => app.addContentTypeParser('x/y', named('x')), late)
  assert.throws(() => app.removeContentTypeParser('text/plain'), late)
  assert.throws(() => app.removeAllContentTypeParsers(), late)
  await app.close()
})

test('all of them are chained, and a typed parser has its scope', async () => {
  const app = espalier()
    .decorate('separator', ';')
    .addContentTypeParser('text/lines', { parseAs: 'string' }, async function (request, body) {
      assert.equal(request.body, undefined)
      return body.split(this.separator)
    })
    .removeContentTypeParser('text/plain')
    .post('/', ({ body }) => ({ body }))
  const headers = { 'content-type': 'text/lines' }
  const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'a;b' })
  assert.deepEqual(response.json(), { body: ['a', 'b'] })
  await app.close()
})
