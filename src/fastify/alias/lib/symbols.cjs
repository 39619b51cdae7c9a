module.exports = { ...require('espalier/fastify/lib').symbols }
