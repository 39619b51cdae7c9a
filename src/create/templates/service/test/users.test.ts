import assert from 'node:assert/strict'
import { test } from 'node:test'
import { app, logIn, newUser } from './app.ts'

test('a user signs up once', async () => {
  const body = newUser()
  const created = await app.inject('POST /users', { body })
  assert.equal(created.statusCode, 201)
  assert.equal('password' in created.json(), false)

  const again = await app.inject('POST /users', {
    body: { ...body, email: body.email.toUpperCase() },
  })
  assert.equal(again.statusCode, 409)
})

test('a wrong password gives no token', async () => {
  const body = newUser()
  await app.inject('POST /users', { body })
  const response = await app.inject('POST /tokens', {
    body: { ...body, password: 'wrong horse 1' },
  })
  assert.equal(response.statusCode, 401)
})

test('an unknown address is answered as a wrong password is', async () => {
  const known = newUser()
  await app.inject('POST /users', { body: known })
  const answers: { statusCode: number; body: string }[] = []
  for (const { email } of [known, newUser()]) {
    const body = { email, password: 'wrong horse 1' }
    const { statusCode, body: text } = await app.inject('POST /tokens', { body })
    answers.push({ statusCode, body: text })
  }
  assert.equal(answers[0]?.statusCode, 401)
  assert.deepEqual(answers[1], answers[0])
})

test('too many tries to log in are refused', async () => {
  // Those without a password count too, and cost no hash.
  const request = {
    method: 'POST',
    url: '/tokens',
    remoteAddress: '10.0.0.1',
    payload: {},
  } as const
  for (let tries = 0; tries < 20; tries++) {
    assert.equal((await app.inject(request)).statusCode, 400)
  }
  assert.equal((await app.inject(request)).statusCode, 429)
})

test('a token is good until its user logs out', async () => {
  const headers = await logIn()
  assert.equal((await app.inject('GET /me', { headers })).statusCode, 200)
  assert.equal((await app.inject('DELETE /tokens/current', { headers })).statusCode, 204)
  assert.equal((await app.inject('GET /me', { headers })).statusCode, 401)
})
