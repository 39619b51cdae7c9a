import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }

/** Gives a salt and a hash, as one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, 32, cost)
  return `${salt.toString('base64')}:${hash.toString('base64')}`
}

/** Whether a password is the one of an account. Without an account it takes as long: the time does not
 *  tell which addresses have one. */
export async function isPassword(password: string, stored = ':'): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split(':')
  const expected = Buffer.from(hash, 'base64')
  const given = await derive(password, Buffer.from(salt, 'base64'), 32, cost)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
