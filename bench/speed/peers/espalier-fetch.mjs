import { create, createOwn } from './espalier.mjs'

// A server of Bun.
const portOf = ({ fetch }) => globalThis.Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }).port

export const start = async (options) => portOf(await create(options))
export const startOwn = (options) => portOf(createOwn(options))
