// The same application as CommonJS that requires no package: it imports them.
const { answers, params, print } = require('./layout-answers.cjs')

Promise.all([import('espalier'), import('fastify')]).then(([own, other]) => {
  const { default: espalier, EspalierError, t } = own
  const { default: Fastify, errorCodes } = other
  const typed = t.Object({ id: t.Integer(), day: t.String({ format: 'date' }) })
  const isOneCopy = new errorCodes.FST_ERR_VALIDATION('') instanceof EspalierError
  return print(answers(espalier, typed), answers(Fastify, params), isOneCopy)
})
