// What bundles for workers have in place of `late.cjs`, by the conditions `workerd` and `edge-light`. It leaves out what
// makes code from strings, which workers refuse, and what a worker cannot use.
'use strict'

const compiledCode = {
  'ajv/dist/runtime/equal': () => require('ajv/dist/runtime/equal'),
  'ajv/dist/runtime/ucs2length': () => require('ajv/dist/runtime/ucs2length'),
  'ajv/dist/runtime/validation_error': () => require('ajv/dist/runtime/validation_error'),
  'ajv-formats/dist/formats': () => require('ajv-formats/dist/formats'),
  'fast-json-stringify/lib/serializer': () => require('fast-json-stringify/lib/serializer'),
}

module.exports = {
  isForWorkers: true,
  avvio: () => require('avvio'),
  contentType: () => require('content-type'),
  fastUri: () => require('fast-uri'),
  routerStrategies: () => ({
    version: require('find-my-way/lib/strategies/accept-version'),
    host: require('find-my-way/lib/strategies/accept-host'),
  }),
  secureJsonParse: () => require('secure-json-parse'),
  ajvEqual: () => require('ajv/dist/runtime/equal'),
  compiledCode: (name) => compiledCode[name]?.(),
  warnings: () => require('process-warning'),
  // `espalier compile` has booted the application, and checked the versions and the paths of it.
  intersects: () => () => true,
  safeRegex: () => () => true,
}
