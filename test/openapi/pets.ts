import type { OpenApiDocument, SchemaObject } from '../../src/openapi/types.ts'

const ok = { description: 'Done' }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } as const
const pet = { $ref: '#/components/schemas/Pet' }
const list = { type: 'array', items: pet }
const json = (schema: SchemaObject) => ({ content: { 'application/json': { schema } } })

/** A document that was written by hand: the page is tested without what makes documents. */
export const pets: OpenApiDocument = {
  openapi: '3.1.1',
  info: { title: 'Pets', version: '1.0.0', description: 'Pets and their shop.' },
  tags: [{ name: 'pets', description: 'All pets' }, { name: 'shop' }],
  paths: {
    '/api/pets': {
      get: { tags: ['pets'], summary: 'List pets', responses: { 200: { ...ok, ...json(list) } } },
      post: {
        tags: ['pets'],
        summary: 'Add a pet',
        requestBody: json(pet),
        responses: { 201: { ...ok, ...json(pet) } },
      },
    },
    '/api/pets/{id}': {
      get: {
        tags: ['pets'],
        summary: 'Find a pet',
        parameters: [id],
        responses: { 200: { ...ok, ...json(pet) }, 404: { description: 'There is none' } },
      },
      put: { tags: ['pets'], summary: 'Change a pet', parameters: [id], responses: { 200: ok } },
      delete: { tags: ['pets'], summary: 'Delete a pet', parameters: [id], responses: { 204: ok } },
    },
    '/api/hours': { get: { tags: ['shop'], summary: 'Open hours', responses: { 200: ok } } },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string', examples: ['Rex'] } },
      },
    },
  },
}
