// The part of `shared.mjs` that the harness reads.
export interface Order {
  readonly customer: object
  readonly lines: readonly { readonly quantity: number; readonly cents: number }[]
}
export const sentOrder: Order
export function accept<Sent>(order: Sent): Sent & { readonly id: number; readonly total: number }
export const items: readonly object[]
export const chunks: readonly string[]
export function ownAnswer(route: number, id: number): object
export function ownRequest(route: number): {
  readonly method: 'POST'
  readonly path: string
  readonly body: string
}
