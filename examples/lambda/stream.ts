// A function whose URL has the invoke mode RESPONSE_STREAM: `stream.handler`.
import type {} from 'aws-lambda'
import { pipeline } from 'node:stream/promises'
import espalier from 'espalier'
import { lambdaStream, type LambdaEvent } from './lambda.ts'
import { routes } from './routes.ts'

const app = espalier().register(lambdaStream, {}).register(routes)

await app.ready()
export const handler = awslambda.streamifyResponse(
  async (event: LambdaEvent, responseStream, context) => {
    const { meta, stream } = await app.lambda(event, context)
    await pipeline(stream, awslambda.HttpResponseStream.from(responseStream, { ...meta }))
  },
)
