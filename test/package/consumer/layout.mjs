// An application of both names, as an ES module.
import espalier, { EspalierError, t } from 'espalier'
import Fastify, { errorCodes } from 'fastify'
import { answers, params, print } from './layout-answers.cjs'

const own = t.Object({ id: t.Integer(), day: t.String({ format: 'date' }) })
const isOneCopy = new errorCodes.FST_ERR_VALIDATION('') instanceof EspalierError
void print(answers(espalier, own), answers(Fastify, params), isOneCopy)
