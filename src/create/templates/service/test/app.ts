import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'

const DATABASE_URL = process.env['TEST_DATABASE_URL'] ?? 'memory://'

export const app = buildApp(readConfig({ DATABASE_URL, NODE_ENV: 'test', LOG_LEVEL: 'silent' }))
after(() => app.close())

export const newUser = () => ({ email: `${randomUUID()}@example.org`, password: 'correct horse' })

/** Signs up and logs in. Gives the headers of a request by this user. */
export async function logIn() {
  const body = newUser()
  await app.inject('POST /users', { body })
  const response = await app.inject('POST /tokens', { body })
  if (response.statusCode !== 201) throw new Error(`logging in gave ${response.statusCode}`)
  return { authorization: `Bearer ${response.json().token}` }
}
