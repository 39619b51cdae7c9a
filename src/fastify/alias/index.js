export * from 'espalier/fastify'
export { default } from 'espalier/fastify'
