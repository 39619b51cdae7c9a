import { parse } from 'content-type'

const mediaType = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/

/** A `content-type` in parts: the media type in lower case, and its parameters, whose names are in lower
 *  case too. */
export interface ContentType {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The media type of a `content-type` header in lower case and without its parameters
 *  (RFC 9110, 8.3.1). Undefined when the header is malformed. */
export function mediaTypeOf(header: string): string | undefined {
  const { type } = parse(header, { parameters: false })
  return mediaType.test(type) ? type : undefined
}

/** A `content-type` header in parts; undefined when it is malformed. */
export function parseContentType(header: string): ContentType | undefined {
  const { type, parameters } = parse(header)
  return mediaType.test(type) ? { type, parameters } : undefined
}

/** A `content-type` as it is sent: text types have `charset=utf-8` unless another is given.
 *  @param textType the types that are text */
export function withCharset(contentType: string, textType: RegExp): string {
  const isComplete = !textType.test(contentType) || /;\s*charset\s*=/i.test(contentType)
  return isComplete ? contentType : `${contentType}; charset=utf-8`
}

/** Whether a media type is JSON: `application/json` or one with the suffix `+json` (RFC 6839). */
export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json')
}
