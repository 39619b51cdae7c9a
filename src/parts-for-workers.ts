// What bundles for workers have in place of `parts.ts`. `Compilation` has refused to compile before
// anything here is called for a schema.
import { errorCodes } from './errors/codes.ts'

function refuse(call: string): never {
  const remedy = 'Answer requests by `app.fetch`'
  throw new errorCodes.ESP_ERR_FOR_WORKERS('server of Node', call, remedy)
}

/** The others are for requests over HTTP/2 and for compiling schemas. There are none. */
function unused(): void {}

/** Listens nowhere. */
class Transport {
  readonly origin = ''

  get server(): never {
    return refuse('app.server')
  }

  listen(): never {
    return refuse('app.listen')
  }

  addresses(): readonly [] {
    return []
  }

  announceClose(): void {}

  async close(): Promise<void> {}
}

const injectRequest = (): never => refuse('app.inject')
const readListen = (): never => refuse('app.listen')
export {
  Transport,
  injectRequest,
  injectRequest as chainRequest,
  readListen,
  readListen as listenUntil,
  unused as adaptHttp2,
  unused as noteQueued,
  unused as checkVocabulary,
  unused as closeRequest,
  unused as closeSchema,
  unused as compileForNull,
  unused as createAjv,
  unused as createDefaultsComputer,
  unused as createStrictAjv,
  unused as createStrictFirst,
  unused as explainIgnoredDefault,
  unused as extendAjv,
  unused as extendKeywords,
  unused as formatsCode,
  unused as limitErrors,
  unused as markValuesOfText,
  unused as refuseUncomputed,
  unused as suggestWord,
  unused as usualDefaults,
}
