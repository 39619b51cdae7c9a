/** Options of routes that plugins read in an `onRoute` hook. Plugins declare them here.
 *  @example
 *  declare module 'espalier' {
 *    interface AddedRouteOptions { readonly websocket?: boolean }
 *  } */
export interface AddedRouteOptions {}
