import { errorCodes } from '../errors/codes.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { misplaced } from '../serialization/responses.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { HttpPart, ValidatorFunction } from '../schema/compiler-types.ts'

/** A validator, and how it treats a body that was not sent. */
export interface PartCheck {
  readonly part: HttpPart
  /** The schema, as the route has it. */
  readonly given: unknown
  readonly validate: ValidatorFunction
  /** The value that is validated for a body that was not sent. JSON has no undefined; a Standard
   *  Schema may accept it. In Fastify's dialect a custom validator is given null. */
  readonly absent: null | undefined
  /** When such a body stays undefined: if the validator gives no value, if it gives null, or
   *  never. */
  readonly leavesAbsent: 'without a value' | 'null' | 'never'
}

/** The validator of one request part. */
export interface PartValidator extends PartCheck {
  /** The validators of a body by its media type, where the schema has `content`. */
  readonly byType: ContentValidators | undefined
}

/** The validators of a body whose schema has `content`, by the media type of the request.
 *  Parameters of the type make no difference. The type of all types is for every other. */
export class ContentValidators {
  readonly #byType = new Map<string, PartCheck>()
  readonly #schemas = new Set<unknown>()

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
      this.#schemas.add(schema)
      this.#byType.set(mediaTypeOf(contentType) ?? contentType, compile(schema, contentType))
    }
  }

  /** The validator of a type. Undefined if the schema does not have the type. */
  of(contentType: string | undefined): PartCheck | undefined {
    const type = contentType === undefined ? undefined : mediaTypeOf(contentType)
    return (type === undefined ? undefined : this.#byType.get(type)) ?? this.#byType.get('*/*')
  }

  /** The validator of a body that was not sent, and so has no type. */
  get ofNone(): PartCheck | undefined {
    return this.#byType.get('*/*') ?? this.#byType.values().next().value
  }

  /** The validator, if there is only one schema. */
  get only(): PartCheck | undefined {
    return this.#schemas.size === 1 ? this.ofNone : undefined
  }
}
