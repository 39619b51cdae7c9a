import { deprecateForFastify } from '../errors/deprecations.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import type { Dialect } from './dialect.ts'

/** The behaviour of Fastify 4.24, for applications that were written for Fastify. */
export const fastifyDialect: Dialect = {
  errors: {
    show: (error) => {
      if (error instanceof EspalierError) {
        const code = error.code.replace(/^ESP_/, 'FST_')
        const { statusCode = 500 } = error
        Object.assign(error, { code, name: 'FastifyError', statusCode })
      }
      return error
    },
    refuse: (message, cause) => new Error(message, cause === undefined ? undefined : { cause }),
    validationCode: 'FST_ERR_VALIDATION',
    deprecate: deprecateForFastify,
    wrapsForeign: false,
    exposesMessages: true,
    keepsStatus: true,
    answersFailedSerializer: true,
    cutsFailedRewrite: true,
    hijackEndsErrors: true,
    runsHooksUnrouted: false,
    // Applications compare the text of this payload, so the order of its fields matters.
    notFound: (message) => ({ message, error: 'Not Found', statusCode: 404 }),
    notFoundAgain: '404 Not Found',
  },
  boot: {
    refusesUnknown: false,
    falsyIsNone: true,
    checksEarly: false,
    // Tools for tracing wrap a hook in a function without named parameters.
    awaitsUnnamed: true,
    ordersByLoading: true,
    hooksSeeEarlier: false,
    optionsFromInside: true,
    namesBySource: true,
    shadowsDecorators: true,
    namesLateDecorations: true,
    refusesEmptyPath: true,
    readyGivesServer: true,
    refusesEarlyReads: false,
    isThenable: true,
  },
  validation: {
    strictFirst: false,
    checksVocabulary: false,
    absentBody: 'null',
    givesNullToCustom: true,
    refusesOtherTypes: false,
  },
  methods: {
    all: ['TRACE', 'QUERY'],
    validatesAll: true,
    leavesUntyped: true,
    readsUnrouted: true,
  },
  reply: {
    withCharset: /^application\/json\b/i,
    truncatesStatus: true,
    allowsResetContent: true,
    sendsEmptyLength: true,
    keepsTypeUnmodified: true,
    typesStreams: false,
    streamsIterables: false,
    refusesUndeclared: false,
    exactNumbers: false,
    allowsNothing: true,
    ignoresHookResults: true,
    throwsInHandler: true,
    deprecatesSyncTrailers: true,
    trailerSeparator: ' ',
    announcesClose: false,
    marksDeclared: false,
  },
}
