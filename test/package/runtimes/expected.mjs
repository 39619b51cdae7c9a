// The behaviour tests that fail on a runtime, and why. One that passes there must not stand here.
// With `skip` it is not run, since it waits for ever, or holds up the process.

const ways = [
  'for await, left',
  'pause',
  'a listener that is taken off',
  'a pipe into what fails',
  'a pipe into what is never read',
  'destroy',
]
const leftUploads = ['h2c', 'h2'].flatMap((name) => [
  `${name}: a body may be left right behind its answer`,
  ...ways.flatMap((way) =>
    ['a', 'no'].map(
      (a) => `${name}: an upload with ${a} length that is left by ${way} holds nothing up`,
    ),
  ),
])

export const expected = {
  bun: [
    {
      file: 'as-fastify.test.ts',
      tests: [
        'a connection whose reply was under way when the server closed answers later requests with 503',
      ],
      why: 'Bun closes a connection with its server, and takes no later request on it.',
    },
    {
      file: 'bad-replies.test.ts',
      tests: ['a line break in a header of several is one 500, and nothing is injected'],
      why: 'writeHead of Bun keeps the headers that stand in front of the one that it refuses.',
    },
    {
      file: 'call-bodies.test.ts',
      tests: ['client: a web stream is sent as it is: it was JSON'],
      why: 'fetch of Bun reads a stream whose bytes are there, and sends its length.',
    },
    {
      file: 'failing-functions.test.ts',
      tests: ['callbacks of a server with TLS may throw and reject'],
      why: 'A handshake whose SNICallback fails does not end.',
    },
    {
      file: 'fetch.test.ts',
      tests: [
        'a body that the caller cancels, or drops, ends what makes it',
        'a body that somebody waits for is kept, whatever is collected meanwhile',
      ],
      why: 'Bun has no gc of V8.',
    },
    {
      file: 'graceful-close.test.ts',
      tests: ['a head, or a body, that does not come while a server closes is given up in time'],
      why: 'Sockets of Bun do not say how many bytes they have read.',
    },
    {
      file: 'http2.test.ts',
      tests: ['a request on a session that was just opened is answered while the server closes'],
      why: 'The client of Bun gives up a request when the server announces its end.',
    },
    {
      file: 'listen.test.ts',
      tests: [
        'a port that is none is an error of Node',
        'a request of a version that the server does not speak is answered with 505',
        'an error of Node says what to do; on Fastify it is as it was',
      ],
      why: 'Bun has other codes and messages, and refuses other versions of HTTP with 400.',
    },
    {
      file: 'logging.test.ts',
      tests: ['an error is told of at level error from status 500 on, and at level info below'],
      why: 'The stack of an error that is made without frames has no message.',
    },
    {
      file: 'open-streams.test.ts',
      tests: [
        'an error of a generator that was told to stop is logged',
        'an async generator is asked for items as fast as the client reads, and not faster',
        '1,000 streams that clients leave hold no memory',
      ],
      why: 'fetch of Bun uses a connection again that was left; its buffers are larger; it has no gc of V8.',
    },
    {
      file: 'raw-headers.test.ts',
      tests: ['headersSent of raw may say what middleware makes of it'],
      why: 'writeHead of Bun reads headersSent, whoever has set it.',
    },
    {
      file: 'transport-aborts.test.ts',
      tests: [
        'http: connectionTimeout leaves alone what is busy',
        'https: connectionTimeout leaves alone what is busy',
      ],
      why: 'The timeout of a socket counts what is read, and not what is written.',
    },
    {
      file: 'web-payloads.test.ts',
      tests: [
        'a Response with text is sent as it is, sent or returned',
        'a Response with JSON is sent as it is, sent or returned',
        'a Response with an empty text is sent as it is, sent or returned',
        'a Response that was fetched is sent as fetch has it: decoded, it left as if it were encoded',
      ],
      why: 'Response of Bun has no type for text and another for JSON; its fetch undoes one coding only.',
    },
  ],
  deno: [
    {
      file: 'as-fastify.test.ts',
      tests: [
        'a connection whose reply was under way when the server closed answers later requests with 503',
      ],
      why: 'Deno closes a connection with its server, and takes no later request on it.',
    },
    {
      file: 'compiled-schemas.test.ts',
      tests: ['an application answers the same with compiled schemas, without code from strings'],
      why: 'Deno looks for packages beside the manifest only, and the test starts a program elsewhere.',
    },
    {
      file: 'double-replies.test.ts',
      tests: ['a handler that hijacks the reply, and returns what it pipes answers by itself'],
      skip: true,
      why: 'A stream that is piped into a reply with a request behind it keeps the process busy for ever.',
    },
    {
      file: 'error-sources.test.ts',
      tests: [
        'the error of a body that turns out to be too large reaches the error handler once; the next request is answered',
      ],
      why: 'Deno has read a body to its end where Node has not.',
    },
    {
      file: 'failing-functions.test.ts',
      tests: ['callbacks of a server with TLS may throw and reject'],
      why: 'What SNICallback throws is an unhandled error in Deno.',
    },
    {
      file: 'graceful-close.test.ts',
      tests: ['closing waits until a client that reads slowly has the whole of a reply'],
      why: 'A client of Deno that was paused does not go on.',
    },
    {
      file: 'http2.test.ts',
      tests: ['an uncaught error'],
      why: 'The client of Deno gives up a request when the server announces its end.',
    },
    {
      file: 'leaving-clients.test.ts',
      tests: ['a request that waits behind another on its connection is told of its end, too'],
      why: 'Deno fails a request that was not begun as one that was.',
    },
    {
      file: 'listen.test.ts',
      tests: ['an error of Node says what to do; on Fastify it is as it was'],
      why: 'A socket in a folder that is missing has another code.',
    },
    {
      file: 'logging.test.ts',
      tests: ['that the server listens is told of, and what is no HTTP, at level trace'],
      why: 'The parser of Deno has one code for all that is no HTTP.',
    },
    {
      file: 'not-found-requests.test.ts',
      tests: ['a body on an unknown URL that nobody reads does not shift the next request'],
      why: 'Deno does not go on with a connection whose body nobody reads.',
    },
    {
      file: 'transport-closing.test.ts',
      tests: leftUploads,
      skip: true,
      why: 'Over HTTP/2, Deno does not end a request whose body is left.',
    },
    {
      file: 'web-payloads.test.ts',
      tests: [
        'a Response that was fetched is sent as fetch has it: decoded, it left as if it were encoded',
      ],
      why: 'fetch of Deno undoes one coding only.',
    },
  ],
}
