import type { Ajv } from 'ajv'
import { type Bundle, subschemasOf } from '../schema/bundle.ts'
import { reopen } from '../schema/compilation.ts'
import { writeSerializer } from '../serialization/fast-json-compiler.ts'
import { writeStrictSerializer } from '../serialization/strict-compiler.ts'
import { type AjvTools, kindOf, writeParts } from '../validation/ajv-compiler.ts'
import { matcherAjvs, type MatcherKind } from '../validation/codecs.ts'
import { codedValidator, codeOf } from '../validation/runtime.ts'
import late from '../packages/late.cjs'
import { sources } from '../validation/strict-first.ts'
import {
  type CompilerOptions,
  createStrictTools,
  createTools,
  type ServerCompilers,
} from './compilers.ts'

/** A module with the validators and serializers of an application. */
export interface CompiledModule {
  /** The code of each function, by its hash. */
  readonly functions: ReadonlyMap<string, string>
  /** The hashes of the schemas that are left to the server. */
  readonly others: readonly string[]
  /** The schemas that only the running server can compile, as JSON text, each with the reason. */
  readonly left: readonly (readonly [schema: string, reason: string])[]
}

type Write = (bundle: Bundle) => string

/** Compiles the schemas of an application for the option `compiled`. Equal schemas share a
 *  function, and the same schemas give the same text. */
export function compileModule(
  options: CompilerOptions,
  { compilation }: ServerCompilers,
): CompiledModule {
  const writers = createWriters(options)
  const functions = new Map<string, string>()
  const others: string[] = []
  const left: [string, string][] = []
  const hashed = compilation.schemas().map(([kind, text]) => {
    return { kind, text, hash: compilation.hash(kind, text) }
  })
  for (const { kind, text, hash } of hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    try {
      const write = writers.get(kind)
      if (write === undefined) throw new Error(`nothing writes functions of the kind '${kind}'`)
      functions.set(hash, write(reopen(text)))
    } catch (error) {
      others.push(hash)
      left.push([text, reasonOf(error)])
    }
  }
  return { functions, others, left }
}

/** The text of a module. It imports nothing. */
export function textOfModule({ functions, others }: CompiledModule): string {
  const entries = [...functions].map(
    ([hash, code]) => `    '${hash}': (require, runtime) => ${code},`,
  )
  return [
    '// Written by `espalier compile`: the validators and serializers of an application.',
    'export default {',
    '  functions: {',
    ...entries,
    '  },',
    `  others: ${JSON.stringify(others)},`,
    '}',
    '',
  ].join('\n')
}

/** What writes the functions of each kind. Its ajvs keep the code that they compile. */
function createWriters(options: CompilerOptions): ReadonlyMap<string, Write> {
  const { customOptions = {} } = options.ajv
  const code = { ...customOptions.code, source: true }
  const kept = { ...options, ajv: { ...options.ajv, customOptions: { ...customOptions, code } } }
  const { validator, serializer, freeSerializer } = createTools(kept)
  const matchers = matcherAjvs(kept.ajv)
  const write =
    (make: Write): Write =>
    (bundle) => {
      refuseOwnFormats(bundle, validator.of('json').ajv)
      return make(bundle)
    }
  const matcher = (kind: MatcherKind): Write =>
    write(({ schema }) =>
      codeOf(codedValidator(matchers[kind](), matchers[kind]().compile(schema))),
    )
  const strict = createStrictTools(kept)
  const parts = (tools: AjvTools): (readonly [string, Write])[] =>
    sources.map((source) => [
      kindOf(tools, source),
      write((bundle) => writeParts(tools, bundle, source)),
    ])
  return new Map([
    ...parts(validator),
    ...parts(strict.validator),
    ...[strict.serializer, strict.freeSerializer].map(
      (tools) => [tools.kind, write((bundle) => writeStrictSerializer(tools, bundle))] as const,
    ),
    [serializer.kind, write((bundle) => writeSerializer(serializer, bundle))],
    [freeSerializer.kind, write((bundle) => writeSerializer(freeSerializer, bundle))],
    ['exact', matcher('exact')],
    ['loose', matcher('loose')],
    ['closed', matcher('closed')],
  ])
}

/** The code of a format is that of ajv-formats, whatever the application has in its place.
 *  @throws Error for a format of the application */
function refuseOwnFormats(bundle: Bundle, { formats }: Ajv): void {
  const { fullFormats } = late.formatTable()
  for (const { schema } of subschemasOf(bundle)) {
    const { format } = schema
    if (typeof format !== 'string' || formats[format] === undefined) continue
    const isKnown = formats[format] === Reflect.get(fullFormats, format)
    if (!isKnown) throw new Error(`the format '${format}' is a function of the application`)
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith('CodeGen: "code"')
    ? 'a keyword of it is a function of the application'
    : message
}
