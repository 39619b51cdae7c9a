// A function behind API Gateway, a load balancer or a function URL: `handler.handler`.
import espalier from 'espalier'
import { lambda } from './lambda.ts'
import { routes } from './routes.ts'

export const app = espalier().register(lambda, {}).register(routes)

// Lambda waits for it before the first event: the boot is part of the cold start, and of no request.
await app.ready()
export const handler = app.lambda
