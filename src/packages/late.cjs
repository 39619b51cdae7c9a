// CommonJS can load a package at once, when it is needed, and bundlers still see which it is.
'use strict'

function once(load) {
  let loaded
  return () => (loaded ??= load())
}

module.exports = {
  ajv: once(() => require('ajv')),
  avvio: once(() => require('avvio')),
  contentType: once(() => require('content-type')),
  fastUri: once(() => require('fast-uri')),
  findMyWay: once(() => require('find-my-way')),
  https: once(() => require('node:https')),
  secureJsonParse: once(() => require('secure-json-parse')),
  ajvFormats: once(() => require('ajv-formats')),
  ajvJtd: once(() => require('ajv/dist/jtd')),
  ajvUnevaluated: once(() => require('ajv/dist/vocabularies/unevaluated')),
  fastJsonStringify: once(() => require('fast-json-stringify')),
  intersects: once(() => require('semver/ranges/intersects')),
  lightMyRequest: once(() => require('light-my-request')),
  pino: once(() => require('pino')),
  proxyAddr: once(() => require('@fastify/proxy-addr')),
  warnings: once(() => require('process-warning')),
}
