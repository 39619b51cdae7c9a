// What bundles for workers have in place of `late.cjs`, by the condition `workerd`. It leaves out
// what makes code from strings, which workers refuse, and what a worker cannot use.
'use strict'

/** The packages require modules of Node while they load. In a bundle of ES modules esbuild leaves
 *  that to a global `require`, so there is one until they have loaded. */
function once(load) {
  let loaded
  return () => (loaded ??= globalThis.require === undefined ? withRequire(load) : load())
}

function withRequire(load) {
  globalThis.require = process.getBuiltinModule('node:module').createRequire('/')
  try {
    return load()
  } finally {
    delete globalThis.require
  }
}

/** Loads what would log each of its steps: the `debuglog` of workerd writes without being asked. */
function quiet(load) {
  return once(() => {
    const util = process.getBuiltinModule('node:util')
    const { debuglog } = util
    util.debuglog = () => () => undefined
    try {
      return load()
    } finally {
      util.debuglog = debuglog
    }
  })
}

/** The base of what has none. */
const nowhere = 'nowhere://-/'

/** Resolves the ids of schemas and what refers to them. The package fast-uri does that elsewhere; it
 *  would be a fifteenth of a worker. */
function resolveUri(base, uri) {
  try {
    return new URL(uri, new URL(base, nowhere)).href.replace(nowhere, '')
  } catch {
    return uri
  }
}

const compiledCode = {
  'ajv/dist/runtime/equal': once(() => require('ajv/dist/runtime/equal')),
  'ajv/dist/runtime/ucs2length': once(() => require('ajv/dist/runtime/ucs2length')),
  'ajv/dist/runtime/validation_error': once(() => require('ajv/dist/runtime/validation_error')),
  'ajv-formats/dist/formats': once(() => require('ajv-formats/dist/formats')),
  'fast-json-stringify/lib/serializer': once(() => require('fast-json-stringify/lib/serializer')),
}

module.exports = {
  isForWorkers: true,
  avvio: quiet(() => require('avvio')),
  contentType: once(() => require('content-type')),
  fastUri: () => ({ normalize: (uri) => resolveUri(nowhere, uri), resolve: resolveUri }),
  routerStrategies: once(() => ({
    version: require('find-my-way/lib/strategies/accept-version'),
    host: require('find-my-way/lib/strategies/accept-host'),
  })),
  secureJsonParse: once(() => require('secure-json-parse')),
  ajvEqual: once(() => require('ajv/dist/runtime/equal')),
  compiledCode: (name) => compiledCode[name]?.(),
  warnings: once(() => require('process-warning')),
  // `espalier compile` has booted the application, and checked the versions and the paths of it.
  intersects: () => () => true,
  safeRegex: () => () => true,
}
