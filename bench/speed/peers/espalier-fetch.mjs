import { create, createOwn } from './espalier.mjs'

export { createOwn }

const { Bun, Deno } = globalThis
const settings = { port: 0, hostname: '127.0.0.1' }

// A server of Bun or Deno.
const portOf = ({ fetch }) =>
  Bun
    ? Bun.serve({ ...settings, fetch }).port
    : Deno.serve({ ...settings, onListen() {} }, fetch).addr.port

export const start = async (options) => portOf(await create(options))
export const startOwn = (options) => portOf(createOwn(options))
