import { isJson, withCharset } from '../http/media-type.ts'

/** How a payload is sent: by a serializer, or as it is. */
export type Way = 'serialized' | 'bytes' | 'text'

/** The content type of a reply for which none was set, by the way in which it is sent. */
export type OnlyType = Readonly<Record<Way, string | undefined>>

/** No type, where none or several may be sent. */
export const none: OnlyType = { serialized: undefined, bytes: undefined, text: undefined }

/** The type that a response entry leaves no choice of: that of `content`, where it has one media type only. Text that
 *  is sent as it is need not be JSON, so that it does not leave as such; and no reply is of a range of types.
 *  @param types the media types, each with the key of `content` that it was written as
 *  @param textType the types that are sent with a charset */
export function onlyType(types: ReadonlyMap<string, string>, textType: RegExp): OnlyType {
  const [only, ...others] = types
  if (only === undefined || others.length > 0) return none
  const [type, written] = only
  if (type === '*/*') return none
  const serialized = withCharset(written, textType)
  if (type.includes('*')) return { ...none, serialized }
  return { serialized, bytes: serialized, text: isJson(type) ? undefined : serialized }
}
