import fastify = require('espalier/fastify')
export = fastify
