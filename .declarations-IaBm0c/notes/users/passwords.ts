// Passwords are stored as `salt:hash`, by scrypt. Tokens of sessions are random: SHA-256 is enough for them.
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const derive = (password: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, (error, key) => (error ? reject(error) : resolve(key)))
  })

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt)
  return `${salt.toString('base64')}:${key.toString('base64')}`
}

/** Of no user: to check it takes as long as to check that of a user, so the time tells nobody which names exist. */
const unknown = hashPassword(randomBytes(16).toString('base64'))

export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (stored ?? (await unknown)).split(':')
  const derived = await derive(password, Buffer.from(salt, 'base64'))
  return timingSafeEqual(derived, Buffer.from(key, 'base64'))
}

export const newToken = () => randomBytes(32).toString('base64url')

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
