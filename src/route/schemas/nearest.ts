import type {
  BuildSerializer,
  BuildValidator,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../schema/compiler-types.ts'
import type { SharedSchemas } from '../../schema/shared-schemas.ts'
import type { Codecs } from '../../validation/codecs.ts'
import type { Methods } from '../../http/methods.ts'
import type { Context } from '../../context/context.ts'

/** The compilers that are used where no context sets one. */
export interface DefaultCompilers {
  readonly methods: Methods
  /** Whether a short form stands for an object schema. */
  readonly jsonShorthand: boolean
  readonly validatorCompiler: (schemas: SharedSchemas, build?: BuildValidator) => ValidatorCompiler
  readonly serializerCompiler: (
    schemas: SharedSchemas,
    build?: BuildSerializer,
  ) => SerializerCompiler
  /** The default for schemas whose words another validator knows. */
  readonly freeSerializerCompiler: (schemas: SharedSchemas) => SerializerCompiler
  /** What transforms do comes on top of every compiler, also of those that a context sets. */
  readonly codecs: (schemas: SharedSchemas) => Codecs
}

/** The validator compiler of a context: what it or the nearest context around has set, else what the
 *  nearest factory makes, else the default. */
export function nearestValidatorCompiler(
  context: Context,
  defaults: DefaultCompilers,
): ValidatorCompiler {
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  return validatorCompiler ?? defaults.validatorCompiler(context.schemas, buildValidator)
}

/** Whether the validators of a context are the default ones, of the server's own ajv. */
export function hasOwnValidator(context: Context): boolean {
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  return validatorCompiler === undefined && buildValidator === undefined
}

/** Whether the serializers of a context are the default ones. */
export function hasOwnSerializer(context: Context): boolean {
  const { serializerCompiler, buildSerializer } = serializerSettings(context)
  return serializerCompiler === undefined && buildSerializer === undefined
}

/** The serializer compiler of a context, in the same way. The default refuses words that the default validator does
 *  not know, unless there is another one: what that knows cannot be asked.
 *  @param validator the validator compiler of a route that has its own */
export function nearestSerializerCompiler(
  context: Context,
  defaults: DefaultCompilers,
  validator?: ValidatorCompiler,
): SerializerCompiler {
  const { serializerCompiler, buildSerializer } = serializerSettings(context)
  if (serializerCompiler !== undefined) return serializerCompiler
  const { validatorCompiler, buildValidator } = validatorSettings(context)
  const other = validator ?? validatorCompiler ?? buildValidator
  return other !== undefined && buildSerializer === undefined
    ? defaults.freeSerializerCompiler(context.schemas)
    : defaults.serializerCompiler(context.schemas, buildSerializer)
}

const validatorSettings = (context: Context) =>
  context.settingsWith('validatorCompiler', 'buildValidator')

const serializerSettings = (context: Context) =>
  context.settingsWith('serializerCompiler', 'buildSerializer')
