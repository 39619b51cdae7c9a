import { createHash, randomBytes } from 'node:crypto'

export const createToken = (): string => randomBytes(32).toString('base64url')

/** The database has the hash only: who reads it cannot log in. A token is random, so it needs no salt. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64')
