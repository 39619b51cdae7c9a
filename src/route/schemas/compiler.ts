import { errorCodes } from '../../errors/codes.ts'
import { nearMiss } from '../../errors/near-miss.ts'
import type { Dialect } from '../../dialect/dialect.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import { dropForeignStack } from '../../errors/origin.ts'
import { StaleSchema } from '../../schema/compilation.ts'
import { bundlePart, lowerCaseHeaderNames, UnresolvedReference } from '../../schema/bundle.ts'
import { describe } from '../../errors/describe.ts'
import { ignoreRejection } from '../../types/promises.ts'
import { isObject, isPlainObject, type JsonObject } from '../../types/objects.ts'
import { readFluent } from '../../schema/fluent-schema.ts'
import { readPartSchema } from '../../schema/short-form.ts'
import { isStandardSchema, type StandardSchema } from '../../schema/standard-schema.ts'
import type {
  BuildSerializer,
  BuildValidator,
  HttpPart,
  Serializer,
  SerializerCompiler,
  SerializerRequest,
  ValidatorCompiler,
  ValidatorFunction,
} from '../../schema/compiler-types.ts'
import { withPlace } from '../../serialization/failure-place.ts'
import { namedFields } from '../../serialization/named-fields.ts'
import { type Report, reportChanges } from '../../serialization/report.ts'
import { isContentMap } from '../../serialization/entry-form.ts'
import { checkHeaders, type HeaderCheck } from '../../serialization/reply-headers.ts'
import {
  compileEntry,
  openResponses,
  type ResponseEntry,
  RouteResponses,
} from '../../serialization/responses.ts'
import {
  ContentValidators,
  type PartCheck,
  type PartValidator,
} from '../../lifecycle/part-check.ts'
import { formTypes } from '../../validation/ajv-compiler.ts'
import { createNumberReader, type ReadNumbers } from '../../validation/body-numbers.ts'
import { hasTwoQueries } from './full-form.ts'
import { missingParam } from './missing-param.ts'
import { assertHeaders, assertRevealed, hideInErrors, secretsOf } from './sensitive.ts'
import type { RouteRegistration } from '../declaration.ts'
import { paramNames } from '../path.ts'
import type { SharedSchemas } from '../../schema/shared-schemas.ts'
import type { Codecs } from '../../validation/codecs.ts'
import type { Secrets } from '../../validation/secrets.ts'
import type { Methods } from '../../http/methods.ts'
import type { Context } from '../../context/context.ts'
import type { ScopeResponse } from '../../context/responses.ts'

/** The request parts in the order of their validation, each with its names in the schema of a
 *  route. */
const parts: readonly (readonly [HttpPart, ...string[]])[] = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'querystring', 'query'],
  ['headers', 'headers'],
]

/** Compiles the schemas of one route, with the nearest compilers: those of the route, those of its
 *  context, or the default compilers. */
export class SchemaCompiler {
  /** The name of the route in error messages. */
  readonly name: string
  readonly dialect: Dialect
  readonly isStrict: boolean
  readonly #registration: RouteRegistration
  readonly #defaults: DefaultCompilers
  /** The schemas of bodies. */
  readonly #bodies: unknown[] = []
  /** The sensitive values of requests, by the schemas of their parts. */
  readonly secrets: Secrets[] = []

  constructor(
    registration: RouteRegistration,
    name: string,
    defaults: DefaultCompilers,
    dialect: Dialect,
  ) {
    this.name = name
    this.dialect = dialect
    this.isStrict = isStrict(registration)
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

  /** Refuses a schema that requires a parameter which the path lacks. The whole path is known at
   *  boot only. The check is skipped if a preValidation hook may add parameters, and in the dialect
   *  of Fastify.
   *  @throws ESP_ERR_ROUTE_PARAM */
  #assertParams(given: unknown): void {
    const { declaration, context, url } = this.#registration
    const schema = this.read(given, `the params of ${this.name}`)
    const { preValidation } = declaration.hooks
    const isHooked = [...preValidation, ...context.hooks.collect('preValidation')].length > 0
    const isLater = !this.dialect.boot.checksEarly || isHooked || this.#isCustom
    if (isLater || isStandardSchema(schema)) return
    const missing = missingParam(schema, url, context.schemas.all())
    if (missing === undefined) return
    const names = paramNames(url).join(', ') || 'none'
    throw new errorCodes.ESP_ERR_ROUTE_PARAM(this.name, missing, names)
  }

  /** What reads the numbers of JSON by its schemas. Undefined where JSON.parse does.
   *  @param given by default those of the body, once its validators are made */
  numberReader(given: readonly unknown[] = this.#bodies): ReadNumbers | undefined {
    const codecs = this.#defaults.codecs(this.#registration.context.schemas)
    const bundles = given
      .map((each) => codecs.bundleOfBigInts(this.read(each, `a schema of ${this.name}`)))
      .filter((bundle) => bundle !== undefined)
    return bundles.length === 0 ? undefined : createNumberReader(bundles)
  }

  #check(given: unknown, part: HttpPart, contentType?: string): PartCheck {
    const { givesNullToCustom, absentBody } = this.dialect.validation
    const isCustom = givesNullToCustom && this.#isCustom
    const validate = this.validator(given, part, contentType, this.secrets)
    if (part === 'body') this.#bodies.push(given)
    return {
      part,
      given,
      validate,
      absent: isStandardSchema(given) && !isCustom ? undefined : null,
      leavesAbsent: isCustom ? 'without a value' : absentBody,
    }
  }

  get #isCustom(): boolean {
    return hasOwnCompiler(this.#registration)
  }

  /** Undefined for a body that has one validator for all content types. */
  #contentValidator(given: unknown): PartValidator | undefined {
    const body = readFluent(given)
    const declared = isObject(body) && !isStandardSchema(body) ? body['content'] : undefined
    const content = isContentMap(declared) ? declared : this.#withForms(body)
    if (content === undefined) return undefined
    const byType = new ContentValidators(content, `the body of ${this.name}`, (schema, type) =>
      this.#check(schema, 'body', type),
    )
    const none = { given, validate: () => true, absent: null, leavesAbsent: 'never' } as const
    return { part: 'body', ...none, ...byType.ofNone, byType }
  }

  /** A body with the types of the forms that the context reads: strict mode decodes text there. */
  #withForms(body: unknown): JsonObject | undefined {
    if (!this.isStrict || this.#isCustom || isStandardSchema(body)) return undefined
    const { parsers } = this.#registration.context
    const forms = formTypes.filter((key) => parsers.has({ key }))
    if (forms.length === 0) return undefined
    return Object.fromEntries(['*/*', ...forms].map((type) => [type, { schema: body }]))
  }

  responses(): RouteResponses {
    const { declaration, context } = this.#registration
    const { serializerCompiler, buildSerializer } = serializerSettings(context)
    const isCustom =
      (declaration.serializerCompiler ?? serializerCompiler ?? buildSerializer) !== undefined
    const { response } = isCustom ? declaration.schema : declaration.fixedSchema
    const scope = context.responses.all()
    const route = { name: this.name, is404: this.#registration.is404 }
    for (const [status, entry] of Object.entries(Object(response) as JsonObject))
      assertHeaders(entry, context.schemas, `response ${status} of ${this.name}`)
    if (response === undefined && scope === undefined) return openResponses(route, this)
    if (response !== undefined && !isObject(response)) {
      const what = `The response schema of ${this.name}`
      throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(what, describe(response))
    }
    try {
      const entries = scope === undefined ? [] : this.#scopeEntries(scope, isCustom)
      return new RouteResponses(response, route, this, entries)
    } catch (error) {
      const isKey = error instanceof errorCodes.ESP_ERR_SCH_RESPONSE_KEY
      if (this.dialect.boot.checksEarly || !isKey) throw error
      throw new buildFailures.serializerCompiler(`a response of ${this.name}`, error.message, error)
    }
  }

  /** The responses of the scope, compiled. Routes with the same default compiler share them. A
   *  compiler of the user gets them for each route, with the method and the URL. */
  #scopeEntries(
    scope: ReadonlyMap<string, ScopeResponse>,
    isCustom: boolean,
  ): (readonly [string, ResponseEntry])[] {
    const { declaration, context } = this.#registration
    const made = isCustom
      ? new Map<ScopeResponse, ResponseEntry>()
      : entriesOf(nearestSerializerCompiler(context, this.#defaults, declaration))
    return [...scope].map(([status, response]) => {
      const entry = made.get(response) ?? this.#scopeEntry(status, response)
      made.set(response, entry)
      return [status, entry]
    })
  }

  #scopeEntry(status: string, { schema, place }: ScopeResponse): ResponseEntry {
    const { schemas } = this.#registration.context
    assertHeaders(schema, schemas, `response ${status} of ${place}`)
    return compileEntry(schema, status, `The response ${status} of ${place}`, {
      dialect: this.dialect,
      isStrict: this.isStrict,
      read: (given, where) => this.read(given, where),
      named: (read) => this.named(read),
      headerCheck: (schemas, within) => this.headerCheck(schemas, within),
      serializer: (entry) => this.serializer(entry, place),
    })
  }

  /** A part, or a response entry, in the form that compilers receive.
   *  @throws ESP_ERR_SCH_NOT_OBJECT */
  read(given: unknown, where: string): JsonObject | StandardSchema {
    return readPartSchema(given, where, this.#defaults.jsonShorthand)
  }

  /** The bundle that the default compiler makes of the schema of a part. Undefined for a schema of
   *  another language. */
  bundle(given: unknown, part: HttpPart): JsonObject | undefined {
    try {
      const schema = this.#readPart(given, part, `the ${part} of ${this.name}`)
      if (isStandardSchema(schema)) return undefined
      return bundlePart(schema, this.#registration.context.schemas.all(), part).schema
    } catch {
      return undefined
    }
  }

  /** @param known gets the sensitive values that the validator knows of */
  validator(
    given: unknown,
    part: HttpPart,
    contentType?: string,
    known?: Secrets[],
  ): ValidatorFunction {
    const { declaration, context, method, url } = this.#registration
    const where = `the ${part} of ${this.name}`
    const schema = this.#readPart(given, part, where)
    const compile = this.#find(
      'validatorCompiler',
      where,
      () =>
        declaration.validatorCompiler ??
        nearestValidatorCompiler(context, this.#defaults, declaration.strict),
    )
    const validate = this.#build('validatorCompiler', where, () => {
      const typed = contentType === undefined ? {} : { contentType }
      return compile({ schema, method, url, httpPart: part, ...typed })
    })
    const codecs = this.#defaults.codecs(context.schemas)
    const decoding = this.#attempt('validatorCompiler', where, () =>
      codecs.withDecoder(validate, schema, part),
    )
    const secrets = secretsOf(schema, context.schemas, part)
    if (secrets === undefined) return decoding
    known?.push(secrets)
    return secrets.hideIn(decoding, !this.#isCustom)
  }

  /** A part in the form that its compiler receives. Node lowercases header names, so the names in
   *  the schema have to be in lower case. The validator compiler lowercases the names in shared
   *  schemas. */
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

  /** @param owner the name of the route or scope that declares the response */
  serializer(
    entry: Pick<SerializerRequest, 'schema' | 'httpStatus' | 'contentType'>,
    owner: string = this.name,
  ): Serializer {
    const { declaration, context, method, url } = this.#registration
    const where = `response ${entry.httpStatus} of ${owner}`
    const reveals = assertRevealed(entry.schema, context.schemas, where)
    const compile = this.#find(
      'serializerCompiler',
      where,
      () =>
        declaration.serializerCompiler ??
        nearestSerializerCompiler(context, this.#defaults, declaration),
    )
    const built = this.#build('serializerCompiler', where, () => compile({ ...entry, method, url }))
    const serialize = this.#reporting(built, entry.schema, where)
    const codecs = this.#defaults.codecs(context.schemas)
    // What a transform encodes is another value, so its place is found behind the transform.
    const placed = withPlace(serialize)
    const encoded = this.#attempt('serializerCompiler', where, () =>
      codecs.withEncoder(placed, entry.schema, where),
    )
    const made = encoded === placed ? serialize : encoded
    return reveals ? hideInErrors(made) : made
  }

  /** A serializer that tells of what it changes, if the server wants that. */
  #reporting(serialize: Serializer, schema: unknown, where: string): Serializer {
    const { report, strict } = this.#defaults
    const { context, method, url } = this.#registration
    if (report === undefined) return serialize
    let twin: Serializer | undefined
    let read: ReadNumbers = (json, parse) => parse(json)
    try {
      read = this.numberReader([schema]) ?? read
      const compile = strict.serializerCompiler(context.schemas)
      twin = this.isStrict ? undefined : compile({ schema, method, url, httpStatus: 'default' })
    } catch {
      // Only another compiler knows the schema.
    }
    const tell: Report = (place, what) => {
      report(where, place, what)
    }
    return reportChanges(serialize, twin, tell, (json) => read(json, JSON.parse))
  }

  /** Undefined but in strict mode, where the default compiler knows the schemas. */
  headerCheck(schemas: JsonObject, where: string): HeaderCheck | undefined {
    if (!this.isStrict || this.#isCustom) return undefined
    const { context, method, url } = this.#registration
    const compile = this.#defaults.strict.validatorCompiler(context.schemas)
    return checkHeaders(schemas, (schema) =>
      this.#attempt('validatorCompiler', `the headers of ${where}`, () =>
        compile({ schema, method, url, httpPart: 'headers' }),
      ),
    )
  }

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

  /** Runs a compiler. A result that is not a function becomes an error that names the place: at
   *  boot, or when it is called. */
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

  /** Turns a thrown value into an error that names the place. */
  #attempt<Made>(compiler: keyof typeof buildFailures, where: string, compile: () => Made): Made {
    try {
      const made = compile()
      // A promise is refused later, as it is not a function.
      ignoreRejection(made)
      return made
    } catch (error) {
      if (error instanceof EspalierError) throw error
      dropForeignStack(error)
      if (error instanceof StaleSchema) throw new errorCodes.ESP_ERR_SCH_STALE(where)
      if (error instanceof UnresolvedReference) {
        const visible = Object.keys(this.#registration.context.schemas.all())
        const id = error.reference.replace(/#.*$/s, '')
        const near = nearMiss(id, visible)
        const meant = near === undefined || near === id ? '' : `Did you mean '${near}'? `
        const list = `${meant}Visible there: ${visible.join(', ') || 'none'}`
        const details = [error.reference, where, list, error]
        const missing = new errorCodes.ESP_ERR_SCH_MISSING_REF(...details)
        if (this.dialect.boot.checksEarly) throw missing
        throw new buildFailures[compiler](where, missing.message, missing)
      }
      const reason = error instanceof Error ? error.message : describe(error)
      throw new buildFailures[compiler](where, reason, error)
    }
  }
}

/** The compiled responses of scopes, by their compiler. */
const scopeEntries = new WeakMap<SerializerCompiler, Map<ScopeResponse, ResponseEntry>>()

function entriesOf(compiler: SerializerCompiler): Map<ScopeResponse, ResponseEntry> {
  const known = scopeEntries.get(compiler) ?? new Map<ScopeResponse, ResponseEntry>()
  scopeEntries.set(compiler, known)
  return known
}

const buildFailures = {
  validatorCompiler: errorCodes.ESP_ERR_SCH_VALIDATION_BUILD,
  serializerCompiler: errorCodes.ESP_ERR_SCH_SERIALIZATION_BUILD,
} as const

/** The default compilers, for contexts that set none. */
export interface DefaultCompilers {
  readonly methods: Methods
  /** Whether short forms of object schemas are expanded. */
  readonly jsonShorthand: boolean
  /** Is told once of each place of a reply whose value is left out, converted or not valid.
   *  Undefined unless the option `responses` wants it.
   *  @param where the name of the response entry */
  readonly report: ((where: string, place: string, what: string) => void) | undefined
  readonly usual: ModeCompilers
  /** Those of strict mode. */
  readonly strict: ModeCompilers
  /** The codecs of transforms. They are added to every compiler, also to those of the user. */
  readonly codecs: (schemas: SharedSchemas) => Codecs
}

/** The default compilers of one mode. */
export interface ModeCompilers {
  readonly validatorCompiler: (schemas: SharedSchemas, build?: BuildValidator) => ValidatorCompiler
  readonly serializerCompiler: (
    schemas: SharedSchemas,
    build?: BuildSerializer,
  ) => SerializerCompiler
  /** The default for schemas whose keywords only another validator knows. */
  readonly freeSerializerCompiler: (schemas: SharedSchemas) => SerializerCompiler
}

/** Whether a route is strict: by itself, else by its context. */
export function isStrict({ declaration, context }: RouteRegistration): boolean {
  return declaration.strict ?? context.resolve('strict') ?? false
}

/** Whether the validators of a route come from a compiler of the user. */
export function hasOwnCompiler({ declaration, context }: RouteRegistration): boolean {
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  return (declaration.validatorCompiler ?? validatorCompiler ?? buildValidator) !== undefined
}

/** The default compilers of a context.
 *  @param own what a route says itself about strict mode */
function modeOf(
  context: Context,
  { usual, strict }: DefaultCompilers,
  own: boolean | undefined,
): ModeCompilers {
  return (own ?? context.resolve('strict')) === true ? strict : usual
}

/** The validator compiler of a context: the nearest compiler that is set, or one made by the
 *  nearest factory, or the default.
 *  @param own what a route says itself about strict mode */
export function nearestValidatorCompiler(
  context: Context,
  defaults: DefaultCompilers,
  own?: boolean,
): ValidatorCompiler {
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  const mode = modeOf(context, defaults, own)
  return validatorCompiler ?? mode.validatorCompiler(context.schemas, buildValidator)
}

/** The serializer compiler of a context, found in the same way. The default refuses keywords that
 *  the default validator does not know. It accepts all keywords if there is another validator,
 *  since its keywords are unknown.
 *  @param route what a route has itself */
export function nearestSerializerCompiler(
  context: Context,
  defaults: DefaultCompilers,
  route: Pick<RouteRegistration['declaration'], 'validatorCompiler' | 'strict'> | undefined,
): SerializerCompiler {
  const { serializerCompiler, buildSerializer } = serializerSettings(context)
  if (serializerCompiler !== undefined) return serializerCompiler
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  const other = route?.validatorCompiler ?? validatorCompiler ?? buildValidator
  const mode = modeOf(context, defaults, route?.strict)
  return other !== undefined && buildSerializer === undefined
    ? mode.freeSerializerCompiler(context.schemas)
    : mode.serializerCompiler(context.schemas, buildSerializer)
}

const validatorSettings = (context: Context) =>
  context.settingsWith('validatorCompiler', 'buildValidator')

const serializerSettings = (context: Context) =>
  context.settingsWith('serializerCompiler', 'buildSerializer')
