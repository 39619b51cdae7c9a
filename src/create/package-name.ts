import { UsageError } from '../errors/usage-error.ts'

const pattern = /^[a-z0-9~-][a-z0-9._~-]*$/
const reserved = ['node_modules', 'favicon.ico']

/** Refuses names that npm refuses. @throws UsageError */
export function checkPackageName(name: string): void {
  if (pattern.test(name) && name.length <= 214 && !reserved.includes(name)) return
  const near = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
  const example = pattern.test(near) && !reserved.includes(near) ? near.slice(0, 214) : 'my-app'
  throw new UsageError(
    `'${name}' is no name of a package: only a-z, 0-9, '-', '.', '_' and '~' may be in it`,
    `Name the folder otherwise, such as '${example}'`,
  )
}
