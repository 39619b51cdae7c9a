// Makes a server answer the events of AWS Lambda, by `@fastify/aws-lambda`. Register one of the two plugins.
import awsLambda, {
  type LambdaFastifyOptions,
  type LambdaResponse,
  type LambdaResponseStreamed,
} from '@fastify/aws-lambda'
import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { adopt } from 'espalier'
import type { FastifyInstance } from 'fastify'

/** The event of a REST API, of an HTTP API or a function URL, or of a load balancer. */
export type LambdaEvent = APIGatewayProxyEvent | APIGatewayProxyEventV2 | ALBEvent

/** What each request has. There is no event while the server listens, as it may on your machine. */
export interface OnLambda {
  request: { awsLambda: { event?: LambdaEvent; context?: Context } }
}

interface Buffered extends OnLambda {
  server: { lambda: (event: LambdaEvent, context: Context) => Promise<LambdaResponse> }
}

interface Streamed extends OnLambda {
  server: { lambda: (event: LambdaEvent, context: Context) => Promise<LambdaResponseStreamed> }
}

/** Text is sent as it is. All else is base64, since the reply of a function is JSON. */
const isBinary: LambdaFastifyOptions['enforceBase64'] = ({ headers }) =>
  headers['content-encoding'] !== undefined ||
  !/^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/.test(String(headers['content-type']))

/** `app.lambda` gives the whole reply. */
export const lambda = adopt<Buffered>()(async (
  server: FastifyInstance,
  options: LambdaFastifyOptions,
) => {
  const proxy = awsLambda<LambdaEvent>(server, { enforceBase64: isBinary, ...options })
  server.decorate('lambda', (event: LambdaEvent, context: Context) =>
    proxy(withQuery(event), context),
  )
})

/** `app.lambda` gives the head of the reply, and its body as a stream. */
export const lambdaStream = adopt<Streamed>()(async (
  server: FastifyInstance,
  options: LambdaFastifyOptions,
) => {
  const streaming = { payloadAsStream: true as const, ...options }
  const proxy = awsLambda<LambdaEvent, typeof streaming>(server, streaming)
  server.decorate('lambda', (event: LambdaEvent, context: Context) =>
    proxy(withQuery(event), context),
  )
})

/** In version 2 of the event, `queryStringParameters` joins the values of a name by commas, so that `?tag=a&tag=b` and
 *  `?tag=a,b` are the same. `rawQueryString` keeps them apart. */
function withQuery(event: LambdaEvent): LambdaEvent {
  if (!('rawQueryString' in event) || event.rawQueryString === '') return event
  const { queryStringParameters, rawPath, rawQueryString, ...rest } = event
  return { ...rest, rawPath: `${rawPath}?${rawQueryString}`, rawQueryString }
}
