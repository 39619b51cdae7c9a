import { errorCodes } from '../../errors/codes.ts'
import { describe } from '../../schema/values.ts'

/** Checks a schemaErrorFormatter. @throws ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN */
export function assertFormatter(given: unknown): void {
  const isAsync = typeof given === 'function' && given.constructor.name === 'AsyncFunction'
  if (typeof given === 'function' && !isAsync) return
  const found = isAsync ? 'async' : describe(given)
  throw new errorCodes.ESP_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN(found)
}
