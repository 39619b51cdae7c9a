import { errorCodes } from '../../errors/codes.ts'
import type { Dialect } from '../../dialect/dialect.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import { UnresolvedReference } from '../../schema/bundle.ts'
import { lowerCaseHeaderNames } from '../../schema/forms/header-names.ts'
import {
  describe,
  ignoreRejection,
  isObject,
  isPlainObject,
  readFluent,
  type JsonObject,
} from '../../schema/values.ts'
import { readPartSchema } from '../../schema/forms/short-form.ts'
import { isStandardSchema, type StandardSchema } from '../../schema/standard-schema.ts'
import type {
  HttpPart,
  Serializer,
  SerializerRequest,
  ValidatorFunction,
} from '../../schema/compiler-types.ts'
import { namedFields } from '../../serialization/named-fields.ts'
import { isContentMap, ResponseSerializers } from '../../serialization/response-serializers.ts'
import {
  ContentValidators,
  type PartCheck,
  type PartValidator,
} from '../../lifecycle/part-check.ts'
import { hasTwoQueries } from './full-form.ts'
import { missingParam } from './missing-param.ts'
import {
  hasOwnSerializer,
  hasOwnValidator,
  nearestSerializerCompiler,
  nearestValidatorCompiler,
  type DefaultCompilers,
} from './nearest.ts'
import type { RouteRegistration } from '../registration.ts'
import { paramNames } from '../path.ts'

/** What the schemas of all routes of a server are compiled with. */
export interface SchemaOptions extends DefaultCompilers {
  readonly dialect: Dialect
}

/** Request parts in the order of their validation, with their names in a route's schema. */
const parts: readonly (readonly [HttpPart, ...string[]])[] = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'querystring', 'query'],
  ['headers', 'headers'],
]

/** Compiles schemas for one route, with the nearest compilers: its own, its context's, the default. */
export class SchemaCompiler {
  /** What messages call the route. */
  readonly name: string
  readonly dialect: Dialect
  readonly #registration: RouteRegistration
  readonly #defaults: SchemaOptions

  constructor(registration: RouteRegistration, name: string, defaults: SchemaOptions) {
    this.name = name
    this.dialect = defaults.dialect
    this.#registration = registration
    this.#defaults = defaults
  }

  /** The validators of the route's own schema, in the order in which they run. */
  validators(): PartValidator[] {
    const { declaration, method } = this.#registration
    const schema = this.#isCustom ? declaration.schema : declaration.fixedSchema
    if (hasTwoQueries(schema)) {
      const where = `The schema of ${this.name}`
      throw new errorCodes.ESP_ERR_SCH_DUPLICATE(where, 'querystring', 'query')
    }
    const validators: PartValidator[] = []
    const validatesBody = this.#defaults.methods.hasValidatedBody(method)
    for (const [part, ...keys] of parts) {
      const given = keys.map((key) => schema[key]).find((value) => value !== undefined)
      if (given === undefined || (part === 'body' && !validatesBody)) continue
      validators.push(
        (part === 'body' ? this.#contentValidator(given) : undefined) ?? {
          ...this.#check(given, part),
          byType: undefined,
        },
      )
      if (part === 'params') this.#assertParams(given)
    }
    return validators
  }

  /** The whole path is known at boot only. What a preValidation hook does to the parameters is not known then; Fastify
   *  leaves it to requests.
   *  @throws ESP_ERR_ROUTE_PARAM */
  #assertParams(given: unknown): void {
    const { declaration, context, url } = this.#registration
    const schema = this.read(given, `the params of ${this.name}`)
    const isHooked =
      declaration.hooks.preValidation.length > 0 ||
      context.hooks.collect('preValidation').length > 0
    const isLater = !this.dialect.boot.checksEarly || isHooked || this.#isCustom
    if (isLater || isStandardSchema(schema)) return
    const missing = missingParam(schema, url, context.schemas.all())
    if (missing === undefined) return
    const names = paramNames(url).join(', ') || 'none'
    throw new errorCodes.ESP_ERR_ROUTE_PARAM(this.name, missing, names)
  }

  #check(given: unknown, part: HttpPart, contentType?: string): PartCheck {
    const { givesNullToCustom, absentBody } = this.dialect.validation
    const isCustom = givesNullToCustom && this.#isCustom
    return {
      part,
      validate: this.validator(given, part, contentType),
      absent: isStandardSchema(given) && !isCustom ? undefined : null,
      leavesAbsent: isCustom ? 'without a value' : absentBody,
    }
  }

  /** Whether the validators are those of a compiler of the user's. */
  get #isCustom(): boolean {
    const { declaration, context } = this.#registration
    return declaration.validatorCompiler !== undefined || !hasOwnValidator(context)
  }

  /** Undefined for a body that has one schema, whatever its type. */
  #contentValidator(given: unknown): PartValidator | undefined {
    const body = readFluent(given)
    const content = isObject(body) && !isStandardSchema(body) ? body['content'] : undefined
    if (!isContentMap(content)) return undefined
    const byType = new ContentValidators(content, `the body of ${this.name}`, (schema, type) =>
      this.#check(schema, 'body', type),
    )
    const none = {
      part: 'body',
      validate: () => true,
      absent: null,
      leavesAbsent: 'never',
    } as const
    return { ...none, ...byType.ofNone, byType }
  }

  /** The serializers of the route's own schema. */
  serializers(): ResponseSerializers | undefined {
    const { declaration, context } = this.#registration
    const isCustom = declaration.serializerCompiler !== undefined || !hasOwnSerializer(context)
    const { response } = isCustom ? declaration.schema : declaration.fixedSchema
    if (response === undefined) return undefined
    if (!isObject(response)) {
      const what = `The response schema of ${this.name}`
      throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(response))
    }
    try {
      return new ResponseSerializers(response, this.name, this)
    } catch (error) {
      const isKey = error instanceof errorCodes.ESP_ERR_SCH_RESPONSE_KEY
      if (this.dialect.boot.checksEarly || !isKey) throw error
      throw new buildFailures.serializerCompiler(`a response of ${this.name}`, error.message, error)
    }
  }

  /** A part, or a response entry, in the form that compilers are given.
   *  @throws ESP_ERR_SCH_NOT_OBJECT */
  read(given: unknown, where: string): JsonObject | StandardSchema {
    return readPartSchema(given, where, this.#defaults.jsonShorthand)
  }

  validator(given: unknown, part: HttpPart, contentType?: string): ValidatorFunction {
    const { declaration, context, method, url } = this.#registration
    const where = `the ${part} of ${this.name}`
    const schema = this.#readPart(given, part, where)
    const compile = this.#find(
      'validatorCompiler',
      where,
      () => declaration.validatorCompiler ?? nearestValidatorCompiler(context, this.#defaults),
    )
    const validate = this.#build('validatorCompiler', where, () => {
      const typed = contentType === undefined ? {} : { contentType }
      return compile({ schema, method, url, httpPart: part, ...typed })
    })
    const codecs = this.#defaults.codecs(context.schemas)
    return this.#attempt('validatorCompiler', where, () =>
      codecs.withDecoder(validate, schema, part),
    )
  }

  /** A part as its compiler is given it. Node gives header names in lower case, so the schema's must be; those of
   *  the shared schemas that it refers to are the validator compiler's to lower. */
  #readPart(given: unknown, part: HttpPart, where: string): JsonObject | StandardSchema {
    const schema = this.read(given, where)
    if (isObject(given) && !isStandardSchema(given) && isContentMap(given['content'])) {
      const reason = "'content' chooses among schemas of a response or a body. This part has one"
      throw new errorCodes.ESP_ERR_SCH_VALIDATION_BUILD(where, reason)
    }
    return part === 'headers' && isPlainObject(schema) && !isStandardSchema(schema)
      ? this.#attempt('validatorCompiler', where, () => lowerCaseHeaderNames(schema))
      : schema
  }

  serializer(entry: Pick<SerializerRequest, 'schema' | 'httpStatus' | 'contentType'>): Serializer {
    const { declaration, context, method, url } = this.#registration
    const { validatorCompiler } = declaration
    const where = `response ${entry.httpStatus} of ${this.name}`
    const compile = this.#find(
      'serializerCompiler',
      where,
      () =>
        declaration.serializerCompiler ??
        nearestSerializerCompiler(context, this.#defaults, validatorCompiler),
    )
    const serialize = this.#build('serializerCompiler', where, () =>
      compile({ ...entry, method, url }),
    )
    const codecs = this.#defaults.codecs(context.schemas)
    return this.#attempt('serializerCompiler', where, () =>
      codecs.withEncoder(serialize, entry.schema, where),
    )
  }

  /** The fields that a response schema names. */
  named(schema: JsonObject | StandardSchema): readonly string[] | undefined {
    return namedFields(schema, this.#registration.context.schemas.all())
  }

  #find<Compiler>(
    compiler: keyof typeof buildFailures,
    where: string,
    find: () => Compiler,
  ): Compiler {
    return this.dialect.errors.wrapsForeign ? this.#attempt(compiler, where, find) : find()
  }

  /** Runs a compiler. What it returns that is no function becomes an error that says where, at
   *  boot or when it is called. */
  #build<Made extends ValidatorFunction | Serializer>(
    compiler: keyof typeof buildFailures,
    where: string,
    compile: () => Made,
  ): Made | (() => never) {
    const made = this.#attempt(compiler, where, compile)
    if (typeof made === 'function') return made
    const reason = `the ${compiler} returned ${describe(made)}, not a function`
    const fail = (): never => {
      throw new buildFailures[compiler](where, reason)
    }
    return this.dialect.boot.checksEarly ? fail() : fail
  }

  /** What is thrown becomes an error that says where. */
  #attempt<Made>(compiler: keyof typeof buildFailures, where: string, compile: () => Made): Made {
    try {
      const made = compile()
      // A promise is no compiler and no function: an error of what it is follows.
      ignoreRejection(made)
      return made
    } catch (error) {
      if (error instanceof EspalierError) throw error
      if (error instanceof UnresolvedReference) {
        const visible = Object.keys(this.#registration.context.schemas.all()).join(', ') || 'none'
        const details = [error.reference, where, visible, error]
        const missing = new errorCodes.ESP_ERR_SCH_MISSING_REF(...details)
        if (this.dialect.boot.checksEarly) throw missing
        throw new buildFailures[compiler](where, missing.message, missing)
      }
      const reason = error instanceof Error ? error.message : describe(error)
      throw new buildFailures[compiler](where, reason, error)
    }
  }
}

const buildFailures = {
  validatorCompiler: errorCodes.ESP_ERR_SCH_VALIDATION_BUILD,
  serializerCompiler: errorCodes.ESP_ERR_SCH_SERIALIZATION_BUILD,
} as const
