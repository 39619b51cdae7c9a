/** Packages that are loaded when they are first needed. Not every server compiles a schema, writes a
 *  log or calls itself. */
declare const late: {
  readonly ajv: () => typeof import('ajv')
  readonly ajvFormats: () => typeof import('ajv-formats')
  readonly ajvJtd: () => typeof import('ajv/dist/jtd.js')
  readonly ajvUnevaluated: () => typeof import('ajv/dist/vocabularies/unevaluated/index.js')
  readonly fastJsonStringify: () => typeof import('fast-json-stringify')
  readonly intersects: () => typeof import('semver/ranges/intersects.js')
  readonly lightMyRequest: () => typeof import('light-my-request')
  readonly pino: () => typeof import('pino')
  readonly proxyAddr: () => typeof import('@fastify/proxy-addr')
  readonly warnings: () => typeof import('process-warning')
}
export = late
