import { isObject } from './objects.ts'

/** Whether a value can be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value['then'] === 'function'
}

/** Handles the rejection of a promise that nothing awaits, which would end the process. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) value.then(undefined, () => undefined)
}
