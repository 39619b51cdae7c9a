import { symbols as names } from 'espalier/fastify/lib'

const symbols = { ...names }
export { symbols as default, symbols as 'module.exports' }
