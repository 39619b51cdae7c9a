// What clients may call, without the type of the application.
import type { Contract } from 'espalier/client'
import type { byId, ping } from './listed.js'
interface Routes {
  'GET /listed/:id': typeof byId
  'GET /listed/ping': typeof ping
  'POST /listed/ping': typeof ping
}
export interface Listed extends Contract<Routes> {}
