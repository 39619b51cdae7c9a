// Configuration, start, health, the page and the document.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import {
  needsBoth,
  needsPostgres,
  newAddress,
  newPlace,
  password,
  startService,
} from './support.ts'

const service = await startService()
const { app } = service
after(() => service.close())

test('the configuration has defaults, and numbers', () => {
  assert.deepEqual(readConfig({ PATH: '/bin', DATABASE_URL: '' }), {
    NODE_ENV: 'development',
    HOST: 'localhost',
    PORT: 3000,
    DATA: 'data',
    LOG_LEVEL: 'info',
  })
  assert.equal(readConfig({ PORT: '8080' }).PORT, 8080)
})

test('a configuration that is wrong stops the start, and names the variable', () => {
  assert.throws(() => readConfig({ PORT: 'eighty' }), /^Error: PORT: .* but it is "eighty"$/)
  assert.throws(() => readConfig({ DATABASE_URL: 'mysql://localhost' }), /^Error: DATABASE_URL: /)
  assert.throws(() => readConfig({ LOG_LEVEL: 'loud' }), /^Error: LOG_LEVEL: /)
})

test('it is alive and ready', async () => {
  assert.deepEqual((await app.inject('GET /health/live')).json(), { status: 'ok' })
  assert.equal((await app.inject('GET /health/ready')).statusCode, 200)
})

test('it is alive, but not ready, without its database', async () => {
  const place = await newPlace()
  const broken = buildApp(place.config)
  await broken.ready()
  await broken.database.close()
  assert.equal((await broken.inject('GET /health/live')).statusCode, 200)
  assert.equal((await broken.inject('GET /health/ready')).statusCode, 503)
  await broken.close().catch(() => undefined) // its database has been closed already
  await place.remove()
})

test('the page comes with its style and its script, and a policy that runs no others', async () => {
  const page = await app.inject({ url: '/' })
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['content-security-policy']), /script-src 'self'/)
  for (const url of ['/style.css', '/page.js', '/people', '/people.js', '/docs', '/openapi.json']) {
    assert.equal((await app.inject({ url })).statusCode, 200, url)
  }
})

test('a URL without a route is a 404', async () => {
  assert.equal((await app.inject({ url: '/nothing' })).statusCode, 404)
})

test('processes that start at once make the tables once', { skip: needsPostgres }, async () => {
  const place = await newPlace()
  const apps = Array.from({ length: 4 }, () => buildApp(place.config))
  await Promise.all(apps.map((app) => app.ready()))
  await Promise.all(apps.map((app) => app.close()))
  await place.remove()
})

test(
  'a service that starts again has what it had',
  { skip: needsPostgres === false && 'for PGlite' },
  async () => {
    const place = await newPlace()
    const body = { name: 'ada', password }
    const first = buildApp(place.config)
    assert.equal((await first.inject('POST /users', { body })).statusCode, 201)
    await first.close()
    const second = buildApp(place.config)
    assert.equal((await second.inject('POST /session', { body })).statusCode, 200)
    await second.close()
    await place.remove()
  },
)

test('processes count attempts together', { skip: needsBoth }, async () => {
  const other = buildApp(service.config)
  const guesser = { remoteAddress: newAddress() }
  const guess = { body: { name: 'nobody', password } }
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    statuses.push((await app.inject('POST /session', guess, guesser)).statusCode)
    statuses.push((await other.inject('POST /session', guess, guesser)).statusCode)
  }
  await other.close()
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429])
})

test('an address is that of the client, behind a proxy that is trusted', async () => {
  const place = await newPlace()
  const proxied = buildApp({ ...place.config, TRUST_PROXY: '127.0.0.1' })
  const response = await proxied.inject({
    method: 'POST',
    url: '/users',
    headers: { 'x-forwarded-for': newAddress(), 'x-forwarded-proto': 'https' },
    payload: { name: 'ada', password },
  })
  assert.equal(response.statusCode, 201)
  assert.equal(response.cookies[0]?.['secure'], true, 'the cookie goes over HTTPS alone')
  await proxied.close()
  await place.remove()
})
