// Specification 2.7, 4.3.5, 7.1 to 7.4: what every validation error has, whoever made it, and what no
// other error has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const n = { n: t.Integer() }
const everyPart = { params: n, body: n, querystring: n, headers: n }
const ok = () => ({})
const good = { url: '/1?n=1', headers: { n: '1' }, payload: { n: 1 } }
/** For each part, a request of which that part alone is wrong. */
const wrongIn = {
  params: { ...good, url: '/x?n=1' },
  body: { ...good, payload: { n: 'x' } },
  querystring: { ...good, url: '/1?n=x' },
  headers: { ...good, headers: { n: 'x' } },
} as const

const post = (app: UntypedServer, request: object) => app.inject({ method: 'POST', ...request })

/** An error with a status of its own, which a validation error does not keep. */
const with422 = () => Object.assign(new Error('not this'), { statusCode: 422, status: 422 })

for (const [part, request] of Object.entries(wrongIn)) {
  test(`an error handler reads what a library said of the ${part}, and that it is the ${part}`, async () => {
    const said = { reason: `no luck with the ${part}` }
    const app = untyped()
      .setValidatorCompiler(({ httpPart }: { httpPart: string }) => (data: { n: string }) => {
        return httpPart === part && data.n === 'x' ? { error: said } : { value: data }
      })
      .setErrorHandler(({ validation, validationContext }, _request, reply) =>
        reply.code(422).send({ validation, validationContext }),
      )
      .post('/:n', { schema: everyPart }, ok)
    const response = await post(app, request)
    assert.equal(response.statusCode, 422)
    assert.deepEqual(response.json(), { validation: said, validationContext: part })
    assert.equal((await post(app, good)).statusCode, 200)
    await app.close()
  })
}

const sources: Readonly<Record<string, (app: UntypedServer) => unknown>> = {
  'a formatter makes it, frozen': (app) =>
    app.setSchemaErrorFormatter(() => Object.freeze(with422())),
  'a validator returns it': (app) =>
    app.setValidatorCompiler(() => () => ({ error: Object.freeze(with422()) })),
  'a promise of a validator rejects with it': (app) =>
    app.setValidatorCompiler(() => () => Promise.reject(with422())),
}
for (const [source, prepare] of Object.entries(sources)) {
  test(`the status of a validation error is 400, whatever it says of itself: ${source}`, async () => {
    const seen: unknown[] = []
    const app = untyped()
    prepare(app)
    app.addHook('preHandler', async ({ validationError }) => void seen.push(validationError))
    app.post('/', { schema: { body: n } }, ok)
    app.post('/attached', { schema: { body: n }, attachValidation: true }, ok)
    const { statusCode, body } = await post(app, { url: '/', payload: { n: 'x' } })
    assert.equal(statusCode, 400)
    assert.match(body, /^{"statusCode":400,.*"error":"Bad Request","message":"not this"}$/)
    await post(app, { url: '/attached', payload: { n: 'x' } })
    assert.equal(seen.length, 1)
    assert.ok(seen[0] instanceof Error && 'statusCode' in seen[0])
    assert.equal(seen[0].statusCode, 400)
    await app.close()
  })
}

test('without attachValidation, and where it is false, a failure is not on the request', async () => {
  const seen: unknown[] = []
  const app = untyped().setErrorHandler((error, { validationError }, reply) => {
    seen.push(validationError)
    return reply.send(error)
  })
  app.post('/', { schema: { body: n } }, ok)
  app.post('/false', { schema: { body: n }, attachValidation: false }, ok)
  for (const url of ['/', '/false']) {
    const response = await post(app, { url, payload: { n: 'x' } })
    assert.equal(response.statusCode, 400)
  }
  assert.deepEqual(seen, [undefined, undefined])
  await app.close()
})

test('with attachValidation there is no validationError before validation, and one behind it', async () => {
  const seen: unknown[] = []
  const look = (name: string) => async (request: { validationError?: Error }) => {
    seen.push([name, request.validationError?.message])
  }
  const app = untyped()
  for (const name of ['onRequest', 'preValidation', 'preHandler']) app.addHook(name, look(name))
  app.post('/', { schema: { body: n }, attachValidation: true }, ok)
  await post(app, { url: '/', payload: { n: 'x' } })
  assert.deepEqual(seen, [
    ['onRequest', undefined],
    ['preValidation', undefined],
    ['preHandler', 'body/n must be integer'],
  ])
  await app.close()
})

test('an error handler tells validation errors by error.validation: no other error has one', async () => {
  const app = untyped()
    .setErrorHandler((error, _request, reply) =>
      reply.send([error.statusCode ?? 'none', error.validation !== undefined]),
    )
    .post('/', { schema: { body: n }, bodyLimit: 20 }, () => {
      throw new Error('broken')
    })
  const headers = { 'content-type': 'application/json' }
  for (const [payload, type, expected] of [
    ['{"n":"x"}', 'application/json', [400, true]],
    ['{"n":1}', 'application/json', ['none', false]],
    ['{"n":', 'application/json', [400, false]],
    ['', 'application/json', [400, false]],
    [`{"n":1,"m":"${'x'.repeat(20)}"}`, 'application/json', [413, false]],
    ['n=1', 'application/x-www-form-urlencoded', [415, false]],
  ] as const) {
    const request = { url: '/', headers: { ...headers, 'content-type': type }, payload }
    const [response] = await silenced(() => post(app, request))
    assert.deepEqual(response.json(), expected, payload)
  }
  await app.close()
})
