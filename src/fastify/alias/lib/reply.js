import { Reply } from 'espalier/fastify/lib'

export { Reply as default, Reply as 'module.exports' }
