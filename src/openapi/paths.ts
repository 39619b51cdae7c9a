import { skipPattern } from '../http/route-call.ts'

/** A parameter of a path. */
export interface PathParameter {
  /** Its name in the route and in the schema: `*` for a wildcard. */
  readonly name: string
  /** Its name in the document. */
  readonly shownAs: string
  /** The regular expression that it has to match as a whole. */
  readonly pattern?: string
}

/** A path as OpenAPI writes it. */
export interface DocumentPath {
  /** @example '/users/{id}' */
  readonly template: string
  readonly parameters: readonly PathParameter[]
}

/** The paths of a route in a document: two if the last parameter is optional.
 *  @example
 *  documentPaths('/files/:name.:ext') // '/files/{name}.{ext}'
 *  documentPaths('/users/:id?') // '/users' and '/users/{id}'
 *  documentPaths('/static/*') // '/static/{path}' */
export function documentPaths(url: string): readonly DocumentPath[] {
  const optional = /^(.*)\/:[^/]*\?$/.exec(url)
  if (optional === null) return [read(url)]
  return [read(optional[1] || '/'), read(url.slice(0, -1))]
}

function read(url: string): DocumentPath {
  const parameters: PathParameter[] = []
  let template = ''
  for (let at = 0; at < url.length; at++) {
    const character = url.charAt(at)
    if (character === '*') {
      const shownAs = unused('path', parameters)
      parameters.push({ name: '*', shownAs })
      template += `{${shownAs}}`
    } else if (character !== ':' || url.charAt(at + 1) === ':') {
      // Braces would stand for a parameter.
      template += /[{}]/.test(character) ? encodeURIComponent(character) : character
      // The router reads two colons as one.
      if (character === ':') at += 1
    } else {
      const name = /^[^(/\-.]*/.exec(url.slice(at + 1))?.[0] ?? ''
      const start = at + name.length
      at = skipPattern(url, start)
      const pattern = at > start ? url.slice(start + 2, at) : undefined
      const shownAs = unused(name, parameters)
      parameters.push({ name, shownAs, ...(pattern !== undefined && { pattern }) })
      template += `{${shownAs}}`
    }
  }
  return { template: template.startsWith('/') ? template : `/${template}`, parameters }
}

/** A number is added to a name that a parameter before has. */
function unused(name: string, before: readonly PathParameter[]): string {
  let shownAs = name
  for (let count = 2; before.some((each) => each.shownAs === shownAs); count++) {
    shownAs = `${name}${count}`
  }
  return shownAs
}

/** The words of an operation, from its method and path.
 *  @example wordsOf('GET', '/users/{id}/posts') // ['get', 'users', 'by', 'id', 'posts'] */
export function wordsOf(method: string, template: string): string[] {
  const parts = template.split('/').flatMap((segment) => segment.split(/(\{[^}]*\})/))
  const words = parts.flatMap((part) => {
    const inner = part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
    return part.startsWith('{') && inner.length > 0 ? ['by', ...inner] : inner
  })
  return [method.toLowerCase(), ...(words.length === 0 ? ['root'] : words)]
}

/** @example inCamelCase(['get', 'users', 'by', 'id']) // 'getUsersById' */
export function inCamelCase([first = '', ...others]: readonly string[]): string {
  return first + others.map(capitalized).join('')
}

/** @example capitalized('users') // 'Users' */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
