// A file that does not import the framework itself.
import { app, secure, verbs } from './exported.js'
export const getMe = (token: string) => app.inject('GET /me', { headers: { authorization: token } })
export const getUrl = async () => app.inject({ method: 'GET', url: '/me' })
export const cookiesOf = async () => (await app.inject('/me')).cookies
export const more = secure.get('/more', () => 1)
export const made = verbs.mkcol('/x', () => 1)
