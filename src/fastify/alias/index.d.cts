// eslint-disable-next-line @typescript-eslint/no-require-imports -- the form of CommonJS
import fastify = require('espalier/fastify')
export = fastify
