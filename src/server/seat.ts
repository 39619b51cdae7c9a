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

/** The seat of a server that may still be changed. */
export function open(server: object, call: string): Seat {
  const seat = seatOf(server)
  seat.host.assertBooting(call, seat.context)
  return seat
}

/** The seat of a server that may still be changed, or is becoming ready. */
export function openLate(server: object, call: string): Seat {
  return seatOf(server).host.isOpenStill ? seatOf(server) : open(server, call)
}

/** The server itself, where a method was called on what `register` returned: a method's result is
 *  never thenable, so that it can be returned from an async function. */
export function plain<Face extends object>(server: Face): Face {
  // cast: a seat is taken by the server that it is for
  return seatOf(server).context.faces.server as Face
}

/** The server as `register` returns it: chainable at once, or awaited until all that was registered
 *  so far has loaded. In Fastify's dialect it is the server itself. */
export function awaitable<Face extends object>(server: Face): Face {
  return seatOf(server).host.dialect.boot.isThenable ? plain(server) : promised(server)
}

/** The server as a promise, which what wants one takes it for: it asks for `then` and `catch`. */
export function promised<Face extends object>(server: Face): Face {
  const { host } = seatOf(server)
  const itself = plain(server)
  const then = (
    fulfilled?: ((server: Face) => unknown) | null,
    rejected?: ((error: unknown) => unknown) | null,
  ): Promise<unknown> =>
    host.boot
      .loaded()
      .then(() => itself)
      .then(fulfilled, rejected)
  const caught = (rejected: (error: unknown) => unknown) => then(undefined, rejected)
  return Object.create(itself, { then: { value: then }, catch: { value: caught } }) as Face
}
