// What bundles for workers leave out. The package imports it as `#parts`, in whose place they have
// `parts-for-workers.ts`.
export {
  adaptHttp2,
  chainRequest,
  injectRequest,
  listenUntil,
  noteQueued,
  readListen,
  Transport,
} from './server/transport/node-only.ts'
export {
  checkVocabulary,
  closeRequest,
  closeSchema,
  compileForNull,
  createAjv,
  createDefaultsComputer,
  createStrictAjv,
  createStrictFirst,
  explainIgnoredDefault,
  extendAjv,
  extendKeywords,
  formatsCode,
  limitErrors,
  markValuesOfText,
  refuseUncomputed,
  suggestWord,
  usualDefaults,
} from './validation/making.ts'
