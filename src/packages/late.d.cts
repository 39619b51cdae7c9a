/** Packages that are loaded when they are first needed. Not every server compiles a schema, writes a
 *  log or calls itself. */
type Strategy = import('find-my-way').ConstraintStrategy<import('find-my-way').HTTPVersion.V1>

declare const late: {
  /** Whether this is a bundle for workers. It lacks all that makes code, and `findMyWay`, `https`,
   *  `lightMyRequest`, `pino` and `proxyAddr`. */
  readonly isForWorkers: boolean
  readonly ajv: () => typeof import('ajv')
  readonly avvio: () => typeof import('avvio')
  readonly contentType: () => typeof import('content-type')
  readonly fastUri: () => typeof import('fast-uri')
  readonly findMyWay: () => typeof import('find-my-way')
  readonly formatTable: () => typeof import('ajv-formats/dist/formats.js')
  readonly https: () => typeof import('node:https')
  /** The built-in constraints of find-my-way. */
  readonly routerStrategies: () => Readonly<Record<'version' | 'host', Strategy>>
  readonly secureJsonParse: () => typeof import('secure-json-parse')
  readonly ajvCode: () => typeof import('ajv/dist/compile/codegen/code.js')
  readonly ajvEqual: () => { readonly default: (one: unknown, other: unknown) => boolean }
  readonly ajvJtd: () => typeof import('ajv/dist/jtd.js')
  readonly ajvStandalone: () => typeof import('ajv/dist/standalone/index.js')
  readonly ajvUnevaluated: () => typeof import('ajv/dist/vocabularies/unevaluated/index.js')
  /** `require` of compiled code. Undefined for what no compiled code needs. */
  readonly compiledCode: (name: string) => unknown
  readonly fastJsonStringify: () => typeof import('fast-json-stringify')
  readonly intersects: () => typeof import('semver/ranges/intersects.js')
  readonly lightMyRequest: () => typeof import('light-my-request')
  readonly patternTokens: () => typeof import('ret').tokenizer
  readonly pino: () => typeof import('pino')
  readonly proxyAddr: () => typeof import('@fastify/proxy-addr')
  readonly safeRegex: () => typeof import('safe-regex2')
  readonly warnings: () => typeof import('process-warning')
}
export = late
