import type { OpenApiDocument } from './types.ts'

export function toVersion30(document: OpenApiDocument): OpenApiDocument {
  return document
}
