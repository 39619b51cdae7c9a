// Content-type parsers see their scope, and the body in the form that they ask for.
import espalier, {
  type BodyStream,
  type ContentTypeParser,
  type ParserOptions,
  type ParserPayload,
  type TextParser,
} from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier().decorate('db', { name: 'x' }).decorateRequest('answer', 42)

// Without `parseAs` a parser is given the stream; `this` is the server, the request that of its scope.
app.addContentTypeParser('text/csv', function (request, payload, done) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(payload))
  expectType<{ name: string }>(this.db)
  expectType<number>(request.answer)
  expectType<undefined>(request.body)
  expectType<BodyStream>(payload)
  done(null, [1])
  done(new Error('no'))
})
app.addContentTypeParser('text/csv', (request) => {
  expectError(request.missing)
})

// `parseAs` says what it is given.
app.addContentTypeParser(['text/csv', /^text\/x-/], { parseAs: 'string' }, async (_, payload) => {
  expectType<string>(payload)
})
app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 10 }, (_, payload, done) => {
  expectType<Buffer<ArrayBufferLike>>(payload)
  done(null, payload)
})
app.addContentTypeParser('*', { bodyLimit: 10 }, (_, payload) => {
  expectType<BodyStream>(payload)
})
expectType<string | Buffer<ArrayBufferLike> | BodyStream>({} as ParserPayload<ParserOptions>)

// Other forms are refused.
expectError(app.addContentTypeParser(42, () => 1))
expectError(app.addContentTypeParser('text/csv'))
expectError(app.addContentTypeParser('text/csv', { parseAs: 'stream' }, () => 1))
expectError(app.addContentTypeParser('text/csv', { limit: 1 }, () => 1))
expectError(
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_: unknown, body: Buffer) => body),
)
expectError(espalier({ onProtoPoisoning: 'drop' }))

// The built-in parsers are for `parseAs`, and not for the stream.
expectType<TextParser>(app.getDefaultJsonParser('ignore', 'remove'))
app.addContentTypeParser('text/json', { parseAs: 'string' }, app.getDefaultJsonParser('error'))
app.addContentTypeParser('text/json', { parseAs: 'buffer' }, app.defaultTextParser)
expectError(app.addContentTypeParser('text/json', app.defaultTextParser))
expectError(app.getDefaultJsonParser('drop'))

// A parser may be declared apart; what adds and removes returns the server with its decorators.
const lines: ContentTypeParser<unknown, unknown, string> = (_request, body) => body.split('\n')
expectAssignable<{ db: { name: string } }>(
  app
    .addContentTypeParser('text/lines', { parseAs: 'string' }, lines)
    .removeContentTypeParser(['text/lines', /^text/])
    .removeAllContentTypeParsers(),
)
expectType<boolean>(app.hasContentTypeParser(/^text/))
expectError(app.hasContentTypeParser(['text/lines']))
