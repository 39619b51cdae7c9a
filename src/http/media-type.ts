import { parse } from 'content-type'

const mediaType = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/

/** The media type of a `content-type` header in lower case and without its parameters
 *  (RFC 9110, 8.3.1). Undefined when the header is malformed. */
export function mediaTypeOf(header: string): string | undefined {
  const { type } = parse(header, { parameters: false })
  return mediaType.test(type) ? type : undefined
}

/** Whether a media type is JSON: `application/json` or one with the suffix `+json` (RFC 6839). */
export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json')
}
