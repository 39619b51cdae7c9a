import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../src/database/tables.ts'
import { hashToken } from '../src/users/passwords.ts'
import { newAddress, password, startService } from './support.ts'

const service = await startService()
const { app } = service
after(() => service.close())

const signIn = (name: string, password: string, remoteAddress = newAddress()) =>
  app.inject('POST /session', { body: { name, password } }, { remoteAddress })

test('who signs up has a session', async () => {
  const ada = await service.signUp('ada')
  const session = await ada.api('GET /session')
  assert.equal(session.statusCode, 200)
  assert.equal(session.json().name, 'ada')
})

test('who has not signed in is nobody, which is no error', async () => {
  assert.equal((await app.inject('GET /session')).statusCode, 204)
})

test('a name is taken once', async () => {
  const response = await app.inject(
    'POST /users',
    { body: { name: 'ada', password } },
    { remoteAddress: newAddress() },
  )
  assert.equal(response.statusCode, 409)
  assert.equal(response.json().message, "The name 'ada' is taken")
})

test('who signs in gets the user without the password, and a cookie that no script reads', async () => {
  const response = await signIn('ada', password)
  assert.equal(response.statusCode, 200)
  assert.deepEqual(Object.keys(response.json()).sort(), ['id', 'name'])
  const [cookie] = response.cookies
  assert.equal(cookie?.httpOnly, true)
  assert.equal(cookie.sameSite, 'Strict')
})

test('nobody but a proxy that is trusted can say that a request came by HTTPS', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/session',
    headers: { 'x-forwarded-proto': 'https' },
    payload: { name: 'ada', password },
    remoteAddress: newAddress(),
  })
  assert.equal(response.cookies[0]?.['secure'], undefined)
})

test('a wrong password and a wrong name get the same answer', async () => {
  const answers = [await signIn('ada', 'wrong horse'), await signIn('nobody', password)]
  for (const answer of answers) {
    assert.equal(answer.statusCode, 401)
    assert.equal(answer.json().message, 'The name or the password is wrong')
    assert.deepEqual(answer.cookies, [])
  }
})

test('who signs out ends the session, also for those who have copied the cookie', async () => {
  const eve = await service.signUp('eve')
  assert.equal((await eve.api('DELETE /session')).statusCode, 204)
  assert.equal((await eve.api('GET /session')).statusCode, 204)
  assert.equal((await eve.api('GET /notes')).statusCode, 401)
})

test('an old session is no session', async () => {
  const old = await service.signUp('old')
  await app.db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.tokenHash, hashToken(old.token)))
  assert.equal((await old.api('GET /session')).statusCode, 204)
  assert.equal((await old.api('GET /notes')).statusCode, 401)
})

test('the database has neither passwords nor tokens', async () => {
  const { token } = await service.signUp('secret')
  const rows = JSON.stringify([
    await app.db.select().from(users),
    await app.db.select().from(sessions),
  ])
  assert.ok(!rows.includes(password))
  assert.ok(!rows.includes(token))
})

test('a name or a password that the schema refuses is a 400', async () => {
  for (const payload of [{ name: 'Ada!', password }, { name: 'short', password: 'short' }, {}]) {
    const response = await app.inject({
      method: 'POST',
      url: '/users',
      payload,
      remoteAddress: newAddress(),
    })
    assert.equal(response.statusCode, 400)
  }
})

test('who guesses has to wait, from the eleventh time on', async () => {
  const guesser = newAddress()
  for (let guess = 0; guess < 10; guess++) {
    assert.equal((await signIn('ada', `wrong horse ${guess}`, guesser)).statusCode, 401)
  }
  const refused = await signIn('ada', password, guesser)
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await signIn('ada', password)).statusCode, 200, 'another address')
})
