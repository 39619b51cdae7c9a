// CommonJS can load a package at once, when it is needed, and bundlers still see which it is.
'use strict'

function once(load) {
  let loaded
  return () => (loaded ??= isBundleOfModules ? withRequire(load) : load())
}

/** Where neither the name of a file nor `require` is known. */
const isBundleOfModules = typeof __filename === 'undefined' && globalThis.require === undefined

/** The packages require modules of Node while they load. In a bundle of ES modules esbuild leaves
 *  that to a global `require`, so there is one until they have loaded. */
function withRequire(load) {
  globalThis.require = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
  try {
    return load()
  } finally {
    delete globalThis.require
  }
}

/** What compiled code requires, by the name that it has there. */
const compiledCode = {
  'ajv/dist/runtime/equal': once(() => require('ajv/dist/runtime/equal')),
  'ajv/dist/runtime/ucs2length': once(() => require('ajv/dist/runtime/ucs2length')),
  'ajv/dist/runtime/uri': once(() => require('ajv/dist/runtime/uri')),
  'ajv/dist/runtime/validation_error': once(() => require('ajv/dist/runtime/validation_error')),
  'ajv-formats/dist/formats': once(() => require('ajv-formats/dist/formats')),
  'fast-json-stringify/lib/serializer': once(() => require('fast-json-stringify/lib/serializer')),
}

module.exports = {
  isForWorkers: false,
  ajv: once(() => require('ajv')),
  avvio: once(() => require('avvio')),
  contentType: once(() => require('content-type')),
  fastUri: once(() => require('fast-uri')),
  findMyWay: once(() => require('find-my-way')),
  formatTable: once(() => require('ajv-formats/dist/formats')),
  https: once(() => require('node:https')),
  routerStrategies: once(() => ({
    version: require('find-my-way/lib/strategies/accept-version'),
    host: require('find-my-way/lib/strategies/accept-host'),
  })),
  secureJsonParse: once(() => require('secure-json-parse')),
  ajvCode: once(() => require('ajv/dist/compile/codegen/code')),
  ajvEqual: once(() => require('ajv/dist/runtime/equal')),
  ajvJtd: once(() => require('ajv/dist/jtd')),
  ajvStandalone: once(() => require('ajv/dist/standalone')),
  ajvUnevaluated: once(() => require('ajv/dist/vocabularies/unevaluated')),
  /** `require` of compiled code. */
  compiledCode: (name) => compiledCode[name]?.(),
  fastJsonStringify: once(() => require('fast-json-stringify')),
  intersects: once(() => require('semver/ranges/intersects')),
  lightMyRequest: once(() => require('light-my-request')),
  patternTokens: once(() => require('ret')),
  pino: once(() => require('pino')),
  proxyAddr: once(() => require('@fastify/proxy-addr')),
  safeRegex: once(() => require('safe-regex2')),
  warnings: once(() => require('process-warning')),
}
