import { deprecateForFastify } from '../errors/deprecations.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import type { Dialect } from './dialect.ts'

/** The way of Fastify 4.24, for applications that were written for it. */
export const fastifyDialect: Dialect = {
  errors: {
    show: (error) => {
      if (error instanceof EspalierError) {
        const code = error.code.replace(/^ESP_/, 'FST_')
        const stack = error.stack?.replace(/^ESP_/, 'FST_')
        Object.assign(error, { code, name: 'FastifyError', stack })
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
    // Some compare the text, so the order counts.
    notFound: (message) => ({ message, error: 'Not Found', statusCode: 404 }),
    notFoundAgain: '404 Not Found',
  },
  boot: {
    refusesUnknown: false,
    falsyIsNone: true,
    checksEarly: false,
    // One that is wrapped to be measured takes them all.
    awaitsUnnamed: true,
    ordersByLoading: true,
    optionsFromInside: true,
    namesBySource: true,
    shadowsDecorators: true,
    namesLateDecorations: true,
    refusesEmptyPath: true,
    readyGivesServer: true,
    isThenable: true,
  },
  validation: {
    keepsFitting: false,
    checksVocabulary: false,
    absentBody: 'null',
    givesNullToCustom: true,
    refusesOtherTypes: false,
    readsDescriptions: true,
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
    tellsEmptyLength: true,
    keepsTypeUnmodified: true,
    typesStreams: false,
    refusesUndeclared: false,
    allowsNothing: true,
    ignoresHookResults: true,
    throwsInHandler: true,
    deprecatesSyncTrailers: true,
    trailerSeparator: ' ',
    announcesClose: false,
  },
}
