module.exports = require('espalier/fastify')
