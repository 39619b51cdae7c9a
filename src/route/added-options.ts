/** The options that plugins add to routes: an `onRoute` hook of theirs reads them. None is known to begin with.
 *  @example
 *  declare module 'espalier' {
 *    interface AddedRouteOptions { readonly websocket?: boolean }
 *  } */

export interface AddedRouteOptions {}
