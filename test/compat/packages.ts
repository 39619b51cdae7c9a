// What is run: the packages of Fastify's ecosystem, each with the version whose own tests are the measure, and Fastify itself.

/** A package whose tests ask for `fastify`. */
export interface Subject {
  readonly name: string
  readonly version: string
  /** Which of its files are tests, where the names do not say so. */
  readonly files?: RegExp
  /** Which are left out, and why. */
  readonly except?: RegExp
}

const plugins: Readonly<Record<string, string>> = {
  'fastify-plugin': '6.0.1',
  '@fastify/accepts': '5.0.6',
  '@fastify/auth': '5.1.1',
  '@fastify/autoload': '6.5.0',
  '@fastify/basic-auth': '6.3.0',
  '@fastify/bearer-auth': '10.1.3',
  '@fastify/compress': '9.2.0',
  '@fastify/cookie': '11.1.5',
  '@fastify/cors': '11.4.3',
  '@fastify/csrf-protection': '8.0.2',
  '@fastify/etag': '6.2.0',
  '@fastify/formbody': '9.0.1',
  '@fastify/helmet': '13.2.0',
  '@fastify/http-proxy': '11.6.3',
  '@fastify/jwt': '10.2.8',
  '@fastify/middie': '9.3.6',
  '@fastify/multipart': '10.1.9',
  '@fastify/rate-limit': '11.2.0',
  '@fastify/reply-from': '12.6.5',
  '@fastify/secure-session': '8.4.0',
  '@fastify/sensible': '6.0.6',
  '@fastify/static': '10.1.11',
  '@fastify/swagger': '9.9.3',
  '@fastify/swagger-ui': '6.1.3',
  '@fastify/under-pressure': '9.2.0',
  '@fastify/url-data': '6.0.4',
  '@fastify/view': '12.0.0',
  '@fastify/websocket': '11.3.6',
  '@fastify/accepts-serializer': '6.0.3',
  '@fastify/caching': '9.0.4',
  '@fastify/circuit-breaker': '4.0.3',
  '@fastify/diagnostics-channel': '5.0.0',
  '@fastify/env': '7.0.0',
  '@fastify/express': '4.0.7',
  '@fastify/leveldb': '6.1.1',
  '@fastify/oauth2': '8.3.0',
  '@fastify/one-line-logger': '2.2.0',
  '@fastify/otel': '0.21.2',
  '@fastify/response-validation': '3.0.4',
  '@fastify/restartable': '3.0.2',
  '@fastify/routes': '6.0.3',
  '@fastify/routes-stats': '3.4.0',
  '@fastify/sse': '0.6.0',
  '@fastify/throttle': '3.0.2',
  '@fastify/zipkin': '4.0.3',
  mercurius: '16.10.1',
  'mercurius-auth': '6.0.0',
  'mercurius-cache': '8.0.0',
  'mercurius-validation': '7.0.0',
  'fastify-cli': '8.0.2',
  'fastify-constraints': '2.0.0',
  'fastify-ip': '2.0.0',
  'fastify-no-icon': '7.0.0',
  'fastify-openapi-glue': '4.11.4',
  'fastify-raw-body': '6.0.1',
  'light-my-request': '6.8.1',
  '@fastify/ajv-compiler': '4.0.7',
  '@fastify/fast-json-stringify-compiler': '5.2.0',
}

/** Where names do not tell tests from what they load. */
const files: Readonly<Record<string, RegExp>> = {
  '@fastify/autoload': /^test\/(commonjs\/[^/]*|module\/[^/]*|issues\/[^/]*\/test)\.js$/,
}

/** What looks at Fastify's parts alone, at its types, or at how bundlers take it. */
const internals = /test\/(internals|types|build|bundler)\//

export const fastify: Subject = {
  name: 'fastify',
  version: '4.24.3',
  except: internals,
}

/** Fastify's own test files of schemas, validation, decorators, plugins, encapsulation, hooks, errors and replies. */
export const heart =
  /schema|valid|decorat|plugin|encapsulat|register|hook|error|throw|500s|404s|reply|stream|nullable|input|output|serializ|fluent|async-await|promises|handler-context|chainable|same-shape|type-provider|wrapThenable|route-prefix|instance/

export const subjects: readonly Subject[] = [
  ...Object.entries(plugins).map(([name, version]): Subject => ({
    name,
    version,
    ...(files[name] && { files: files[name] }),
  })),
  fastify,
]
