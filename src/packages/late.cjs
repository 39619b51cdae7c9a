// CommonJS can load a package at once, when it is needed, and bundlers still see which it is.
'use strict'

module.exports = {
  ajv: () => require('ajv'),
  ajvFormats: () => require('ajv-formats'),
  ajvJtd: () => require('ajv/dist/jtd'),
  ajvUnevaluated: () => require('ajv/dist/vocabularies/unevaluated'),
  fastJsonStringify: () => require('fast-json-stringify'),
  intersects: () => require('semver/ranges/intersects'),
  lightMyRequest: () => require('light-my-request'),
  pino: () => require('pino'),
  proxyAddr: () => require('@fastify/proxy-addr'),
  warnings: () => require('process-warning'),
}
