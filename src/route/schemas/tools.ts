import { errorCodes } from '../../errors/codes.ts'
import { isObject, type JsonObject } from '../../types/objects.ts'
import type { HttpPart, Serializer, ValidatorFunction } from '../../schema/compiler-types.ts'
import type { RouteResponses } from '../../serialization/responses.ts'
import { runValidator } from '../../validation/run-validator.ts'
import { isSchema, type SchemaFunctions } from '../../lifecycle/schema-functions.ts'
import type { SerializerSource } from '../../typed/reply.ts'
import type { ValidationFunction } from '../../typed/request.ts'
import type { SchemaCompiler } from './compiler.ts'
import type { PartValidator } from '../../lifecycle/part-check.ts'

/** The validators and serializers of one route, for its handlers. Each schema object is compiled
 *  once. The results are cached as long as the schema object exists. */
export class SchemaTools implements SchemaFunctions {
  readonly route: string
  readonly #compiler: SchemaCompiler
  readonly #parts: readonly PartValidator[]
  readonly #responses: RouteResponses
  // Few handlers ask for one.
  #validators: WeakMap<object, ValidationFunction> | undefined
  #serializers: WeakMap<object, Serializer> | undefined
  /** The bundles of the route's parts whose issues somebody has read. */
  #bundles: Map<unknown, { readonly schema: JsonObject | undefined }> | undefined

  constructor(
    compiler: SchemaCompiler,
    validators: readonly PartValidator[],
    responses: RouteResponses,
  ) {
    this.route = compiler.name
    this.#compiler = compiler
    this.#parts = validators
    this.#responses = responses
  }

  bundle(given: unknown, part: HttpPart): JsonObject | undefined {
    // One schema may be that of two parts, and header names are in lower case.
    if (part === 'headers') return this.#compiler.bundle(given, part)
    this.#bundles ??= new Map()
    const known = this.#bundles.get(given) ?? { schema: this.#compiler.bundle(given, part) }
    this.#bundles.set(given, known)
    return known.schema
  }

  validator(source: HttpPart | object): ValidationFunction | undefined {
    if (isSchema(source)) return this.#validators?.get(source)
    const own = this.#parts.find(({ part }) => part === source)
    if (own === undefined || (own.byType !== undefined && own.byType.only === undefined))
      return undefined
    return this.#validators?.get(own) ?? this.#keep(own, own.validate)
  }

  compileValidator(schema: object, part: HttpPart = 'body'): ValidationFunction {
    return (
      this.#validators?.get(schema) ?? this.#keep(schema, this.#compiler.validator(schema, part))
    )
  }

  serializer(source: SerializerSource, contentType?: string): Serializer | undefined {
    if (isSchema(source)) return this.#serializers?.get(source)
    return this.#responses.find(String(source), contentType)
  }

  compileSerializer(
    schema: object,
    status: number | string = 'default',
    contentType?: string,
  ): Serializer {
    const known = this.#serializers?.get(schema)
    if (known !== undefined) return known
    const httpStatus = String(status)
    const full = this.#compiler.read(schema, `A response schema given to ${this.route}`)
    const made = this.#compiler.serializer({
      schema: full,
      httpStatus,
      ...(contentType !== undefined && { contentType }),
    })
    this.#serializers ??= new WeakMap()
    this.#serializers.set(schema, made)
    return made
  }

  #keep(key: object, validator: ValidatorFunction): ValidationFunction {
    const made = toValidationFunction(validator)
    this.#validators ??= new WeakMap()
    this.#validators.set(key, made)
    return made
  }
}

/** Turns any answer of a validator into true or false, with the errors in `errors`.
 *  @throws ESP_ERR_VALIDATOR_FAILED if the validator returns a promise */
function toValidationFunction(validator: ValidatorFunction): ValidationFunction {
  const validate: ValidationFunction = (input) => {
    const verdict = runValidator(validator, input)
    if (verdict instanceof Promise) {
      verdict.catch(() => undefined)
      throw new errorCodes.ESP_ERR_VALIDATOR_FAILED('an input', 'it answers by a promise')
    }
    const failed = isObject(verdict) && 'error' in verdict
    validate.errors = failed ? verdict['error'] : null
    return !failed
  }
  validate.errors = null
  return validate
}
