import type { Host, ServerContext } from './host.ts'

/** The node of the tree behind a server that a user holds. */
export interface Seat {
  readonly host: Host
  readonly context: ServerContext
}

const seats = new WeakMap<object, Seat>()

/** Puts a server on its node. */
export function takeSeat(server: object, seat: Seat): void {
  seats.set(server, seat)
}

/** The node of a server, or of an object that inherits from one, as what `register` returns does. */
export function seatOf(server: object): Seat {
  for (
    let at: object | null = server;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const seat = seats.get(at)
    if (seat !== undefined) return seat
  }
  throw new TypeError('this method was called on what is no server')
}
