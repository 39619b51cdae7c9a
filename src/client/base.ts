import { memberOf, type Refusal } from '../http/route-call.ts'

const rule = 'A base has a host or a path, no query'

/** @throws for a URL that is not below its base, or that has no host where `fetch` needs one */
export function checkBase(
  base: string,
  target: string,
  isOwnFetch: boolean,
  refuse: Refusal,
): void {
  if (!isBelow.test(`${base}\n${target}`))
    throw refuse(`is not below its base URL: ${target}. ${rule}`)
  if (!isOwnFetch && !/^\w+:/.test(base) && !memberOf(globalThis, 'location'))
    throw refuse(`needs a base URL with a host outside of browsers, but has '${base}'`)
}

/** A base URL and, in the next line, a path that stays below it. After `https:` without a host, the
 *  path would become the host. `fetch` reads a host after two slashes, reads a backslash as a
 *  slash, and removes tabs and line breaks first. */
const isBelow = /^(?![^/]*:\n)[^?#\\\p{Cc}]*\n\/(?!\/)[^\\\p{Cc}]*$/u
