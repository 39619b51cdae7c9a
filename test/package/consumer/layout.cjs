// The same application as CommonJS.
const espalier = require('espalier')
const { EspalierError, t } = require('espalier')
const Fastify = require('fastify')
const { answers, params, print } = require('./layout-answers.cjs')

const own = t.Object({ id: t.Integer(), day: t.String({ format: 'date' }) })
const isOneCopy = new Fastify.errorCodes.FST_ERR_VALIDATION('') instanceof EspalierError
void print(answers(espalier, own), answers(Fastify, params), isOneCopy)
