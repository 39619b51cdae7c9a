import { errorCodes } from '../errors/codes.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { misplaced } from '../serialization/response-serializers.ts'
import { isObject, type JsonObject } from '../schema/values.ts'
import type { HttpPart, ValidatorFunction } from '../schema/compiler-types.ts'

/** A validator, and what it makes of nothing. */
export interface PartCheck {
  readonly part: HttpPart
  readonly validate: ValidatorFunction
  /** What a body that is not there is validated as. In JSON there is no undefined; libraries of
   *  Standard Schema have a word for it. In Fastify's dialect a validator of the user's is given null. */
  readonly absent: null | undefined
  /** When such a body stays undefined: where the validator gives no value for it, where it gives null, or never. */
  readonly leavesAbsent: 'without a value' | 'null' | 'never'
}

/** The validator of one request part. */
export interface PartValidator extends PartCheck {
  /** The validators of a body by its media type, where the schema has `content`. */
  readonly byType: ContentValidators | undefined
}

/** The validators of a body whose schema has `content`, chosen by the media type of the request; parameters of the
 *  type make no difference. Any type has the range of all types. */
export class ContentValidators {
  readonly #byType = new Map<string, PartCheck>()

  /** @param content the `content` key of a body's schema
   *  @param where what error messages call the body
   *  @throws ESP_ERR_SCH_CONTENT_MISSING_SCHEMA, and what `compile` throws */
  constructor(
    content: JsonObject,
    where: string,
    compile: (schema: unknown, contentType: string) => PartCheck,
  ) {
    for (const [contentType, media] of Object.entries(content)) {
      const schema = isObject(media) ? media['schema'] : undefined
      if (schema === undefined) {
        const what = `The content type '${contentType}' in ${where}`
        throw new errorCodes.ESP_ERR_SCH_CONTENT_MISSING_SCHEMA(
          what,
          misplaced(media) ?? 'needs one: { schema: {} } takes anything',
        )
      }
      this.#byType.set(mediaTypeOf(contentType) ?? contentType, compile(schema, contentType))
    }
  }

  /** The validator of a type; undefined where the schema does not have it. */
  of(contentType: string | undefined): PartCheck | undefined {
    const type = contentType === undefined ? undefined : mediaTypeOf(contentType)
    return (type === undefined ? undefined : this.#byType.get(type)) ?? this.#byType.get('*/*')
  }

  /** The validator of a body that is not there, and so is of no type. */
  get ofNone(): PartCheck | undefined {
    return this.#byType.get('*/*') ?? this.#byType.values().next().value
  }

  /** The only validator, where there is no other. */
  get only(): PartCheck | undefined {
    return this.#byType.size === 1 ? this.ofNone : undefined
  }
}
