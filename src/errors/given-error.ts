/** Whether an error was given to a callback: any value but undefined and null. */
export function isGivenError(error: unknown): error is NonNullable<unknown> {
  return error !== undefined && error !== null
}
