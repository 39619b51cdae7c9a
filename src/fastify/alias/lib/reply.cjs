module.exports = require('espalier/fastify/lib').Reply
