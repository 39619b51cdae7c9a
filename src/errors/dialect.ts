import { fileURLToPath } from 'node:url'

/** Whether this package was installed under the name `fastify` (`npm i fastify@npm:espalier`), for an
 *  application that was written for Fastify: its errors have Fastify's codes and name then, and its factory
 *  answers errors as Fastify does. */
export const isInstalledAsFastify: boolean = /[\\/]node_modules[\\/]fastify[\\/]/.test(
  fileURLToPath(import.meta.url),
)

/** The code of an error as it is shown: with the prefix that programs for Fastify look for, where this package
 *  stands in its place. */
export function shownCode(code: string): string {
  return isInstalledAsFastify ? code.replace(/^ESP_/, 'FST_') : code
}

/** Whether an error of the user's is passed on as it is, since programs for Fastify look at the very error that they
 *  threw, rather than as the cause of one that names its place. */
export function isForFastify(error: unknown): error is Error {
  return isInstalledAsFastify && error instanceof Error
}
