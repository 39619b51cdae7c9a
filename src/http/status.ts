import { STATUS_CODES } from 'node:http'

/** The reason phrase of a status (RFC 9110, 15); `Unknown` for other numbers. */
export function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown'
}

/** Whether a value is a status of HTTP: an integer from 100 to 599. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599
}

/** Whether a status is 2xx (RFC 9110, 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Whether a reply of this status has no content (RFC 9110, 6.4.1 and 15.3.6).
 *  @param rules whether a reply of status 205 may have content all the same */
export function isBodyless(
  status: number,
  rules: { readonly allowsResetContent: boolean },
): boolean {
  if (status === 205) return !rules.allowsResetContent
  return status === 204 || status === 304 || status < 200
}
