// Starts a service of its own for a file of tests: a PGlite in a temporary folder, or an empty database on the server of
// TEST_DATABASE_URL, with the Redis of TEST_REDIS_URL.
import { randomBytes, randomInt } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from 'espalier/client'
import { Client } from 'pg'
import { buildApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'

const server = process.env['TEST_DATABASE_URL'] || undefined
export const redisUrl = process.env['TEST_REDIS_URL'] || undefined

/** An empty PGlite: see prepare.ts. */
export const template = join(import.meta.dirname, '../node_modules/.cache/notes-pglite')

/** Why tests of several processes are left out, or false. */
export const needsPostgres =
  server === undefined && 'PGlite is in one process: set TEST_DATABASE_URL'
export const needsBoth =
  (server === undefined || redisUrl === undefined) && 'set TEST_DATABASE_URL and TEST_REDIS_URL'

async function query(statement: string): Promise<void> {
  const connection = new Client({ connectionString: server })
  await connection.connect()
  await connection.query(statement)
  await connection.end()
}

/** The configuration of a new, empty place. */
export async function newPlace() {
  const DATA = await mkdtemp(join(tmpdir(), 'notes-'))
  const name = `notes_${randomBytes(6).toString('hex')}`
  let url: URL | undefined
  if (server !== undefined) {
    await query(`create database ${name}`)
    url = new URL(server)
    url.pathname = name
  } else {
    await cp(template, join(DATA, 'database'), { recursive: true })
  }
  const config = readConfig({
    DATA,
    DATABASE_URL: url?.href,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'silent',
  })
  const remove = async () => {
    if (url) await query(`drop database ${name} with (force)`)
    await rm(DATA, { recursive: true, force: true })
  }
  return { config, remove }
}

export const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

export const password = 'correct horse'

/** Signs up over HTTP, as a browser does. @returns the cookie and the typed client of the new user */
export async function signUp(
  app: Pick<ReturnType<typeof buildApp>, 'inject'>,
  url: string,
  name: string,
) {
  // Each from another address, since attempts are limited for each.
  const signedUp = await app.inject(
    'POST /users',
    { body: { name, password } },
    { remoteAddress: newAddress() },
  )
  const [cookie] = signedUp.cookies
  if (!cookie) throw new Error(`No cookie: ${signedUp.statusCode}`)
  return {
    name,
    token: cookie.value,
    cookie: `${cookie.name}=${cookie.value}`,
    api: client<App>(url, { headers: { cookie: `${cookie.name}=${cookie.value}` } }),
  }
}

export async function startService() {
  const place = await newPlace()
  const app = buildApp(place.config)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    url,
    config: place.config,
    signUp: (name: string) => signUp(app, url, name),
    async close() {
      await app.close()
      await place.remove()
    },
  }
}
