import late from '../packages/late.cjs'

const mediaType = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/

/** A parsed `content-type`. The media type and the names of parameters are in lower case. */
export interface ContentType {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The media type of a `content-type` header in lower case, without parameters (RFC 9110, 8.3.1).
 *  Undefined for a malformed header. */
export function mediaTypeOf(header: string): string | undefined {
  const { type } = late.contentType().parse(header, { parameters: false })
  return mediaType.test(type) ? type : undefined
}

/** Parses a `content-type` header. Undefined for a malformed header. */
export function parseContentType(header: string): ContentType | undefined {
  const { type, parameters } = late.contentType().parse(header)
  return mediaType.test(type) ? { type, parameters } : undefined
}

/** Adds `charset=utf-8` to a text type without a charset.
 *  @param textType matches text types */
export function withCharset(contentType: string, textType: RegExp): string {
  const isComplete = !textType.test(contentType) || /;\s*charset\s*=/i.test(contentType)
  return isComplete ? contentType : `${contentType}; charset=utf-8`
}

/** Whether a media type is `application/json`, or has the suffix `+json` (RFC 6839). */
export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json')
}
