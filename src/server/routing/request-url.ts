/** What a router compares of a URL. `path` is decoded, except for characters that have a meaning in
 *  URLs, such as `%2F`. It is undefined for a malformed URL, whose text is in `text`. */
export interface UrlParts {
  readonly path: string | undefined
  readonly text: string
  readonly query: string
}

/** Reads a URL of a request: a path with a query, or in absolute form (RFC 9112, 3.2). */
export function readUrl(url: string, endsAtSemicolon: boolean): UrlParts {
  const text = withoutOrigin(url)
  if (text === undefined) return { path: undefined, text: url, query: '' }
  const [encoded = ''] = (endsAtSemicolon ? /^.[^?#;]*/s : /^.[^?#]*/s).exec(text) ?? []
  return { path: decode(encoded), text, query: text.slice(encoded.length + 1) }
}

function withoutOrigin(url: string): string | undefined {
  if (url.startsWith('/') || url === '*') return url
  const [absolute, path = '/'] = /^https?:\/\/[^/?#]+([/?][^#]*)?$/i.exec(url) ?? []
  if (absolute === undefined || !URL.canParse(url)) return undefined
  return path.startsWith('/') ? path : `/${path}`
}

/** Leaves an encoded percent sign as it is, since the values of parameters are decoded later. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURI(encoded.replaceAll('%25', '%2525'))
  } catch {
    return undefined
  }
}
