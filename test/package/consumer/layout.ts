// The same application in TypeScript, as Node runs it: the types are only taken off.
import espalier, { EspalierError, t } from 'espalier'
import Fastify, { errorCodes, type FastifyInstance } from 'fastify'
import { answers, params, print } from './layout-answers.cjs'

type Options = { logger: { stream: { write(line: string): void } } }

const own = t.Object({ id: t.Integer(), day: t.String({ format: 'date' }) })
const serve = (options: Options): FastifyInstance => Fastify(options)
const isOneCopy: boolean = new errorCodes.FST_ERR_VALIDATION('') instanceof EspalierError
void print(answers(espalier, own), answers(serve, params), isOneCopy)
