// The routes of an application, written by `espalier contract emit`.
/* eslint-disable */
import type { AnyFormData, Emitted, FetchBody } from 'espalier/client'

export interface Api extends Emitted<Routes> {}

export interface Routes {
  /** What happens to my notes, as it happens */
  'GET /changes': {
    request: {}
    responses: {
      200: { bytes: true; events: { change: 'created' | 'deleted' | 'updated'; note: number } | { change: 'open' } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      500: { json: { message: string } }
    }
  }
  /** Is it alive? */
  'GET /health/live': {
    request: {}
    responses: { 200: { json: { status: 'ok' } }; 400: { json: { message: string } }; 500: { json: { message: string } } }
  }
  /** Can it work? */
  'GET /health/ready': {
    request: {}
    responses: {
      200: { json: { status: 'ok' } }
      400: { json: { message: string } }
      500: { json: { message: string } }
      503: { json: { statusCode: 503; code: 'NotReady'; error: string; message: string } }
    }
  }
  /** List and search */
  'GET /notes': {
    request: {
      query?: { q?: string | undefined; tag?: string | undefined; after?: string | undefined; limit?: `${number}` | number | undefined } | undefined
    }
    responses: {
      200: { json: { notes: { id: number; title: string; tags: string[]; version: number; updatedAt: string }[]; next?: string } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      500: { json: { message: string } }
    }
  }
  /** Write a note */
  'POST /notes': {
    request: { body: { title: string; text?: string | undefined; tags?: string[] | undefined } }
    responses: {
      201: { json: { text: string; id: number; title: string; tags: string[]; version: number; updatedAt: string } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      500: { json: { message: string } }
    }
  }
  /** Delete a note and its files */
  'DELETE /notes/:id': {
    request: { params: { id: `${number}` | number }; body?: unknown }
    responses: {
      204: {}
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: NoteNotFound }
      500: { json: { message: string } }
    }
  }
  /** Read a note */
  'GET /notes/:id': {
    request: { params: { id: `${number}` | number } }
    responses: {
      200: {
        json: {
          attachments: { id: string; name: string; type: string; size: number }[]
          text: string
          id: number
          title: string
          tags: string[]
          version: number
          updatedAt: string
        }
      }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: NoteNotFound }
      500: { json: { message: string } }
    }
  }
  /** Change a note, if nobody else has changed it meanwhile */
  'PATCH /notes/:id': {
    request: {
      params: { id: `${number}` | number }
      headers: { 'if-match': string } & { [name: string]: boolean | number | string | undefined }
      body: { title?: string | undefined; text?: string | undefined; tags?: string[] | undefined }
    }
    responses: {
      200: { json: { text: string; id: number; title: string; tags: string[]; version: number; updatedAt: string } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: NoteNotFound }
      412: { json: NoteChanged }
      500: { json: { message: string } }
    }
  }
  /** Attach a file */
  'POST /notes/:id/attachments': {
    request: {
      params: { id: `${number}` | number }
      headers: { [name: string]: boolean | number | string | undefined } & { 'Content-Type': 'multipart/form-data' | `multipart/form-data;${string}` } | { [name: string]: boolean | number | string | undefined } & { 'content-type': 'multipart/form-data' | `multipart/form-data;${string}` }
      body: AnyFormData | FetchBody | string | { file: File }
    }
    responses: {
      201: { json: { id: string; name: string; type: string; size: number } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: NoteNotFound }
      413: { json: { message: string } }
      500: { json: { message: string } }
    }
  }
  /** Remove a file */
  'DELETE /notes/:id/attachments/:attachment': {
    request: { params: { id: `${number}` | number; attachment: string }; body?: unknown }
    responses: {
      204: {}
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: AttachmentNotFound }
      500: { json: { message: string } }
    }
  }
  /** Download a file */
  'GET /notes/:id/attachments/:attachment': {
    request: { params: { id: `${number}` | number; attachment: string } }
    responses: {
      200: { bytes: true }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      404: { json: AttachmentNotFound }
      500: { json: { message: string } }
    }
  }
  'GET /presence': {
    request: {}
    responses: {
      '2xx': { json: unknown }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      500: { json: { message: string } }
    }
    websocket: { send: { doing: string }; receive: { people: { name: string; doing: string }[] } }
  }
  /** Sign out */
  'DELETE /session': { request: {}; responses: { 204: {}; 400: { json: { message: string } }; 500: { json: { message: string } } } }
  /** Who am I? Without a session: 204 */
  'GET /session': {
    request: {}
    responses: {
      200: { json: { id: number; name: string } }
      204: {}
      400: { json: { message: string } }
      500: { json: { message: string } }
    }
  }
  /** Sign in */
  'POST /session': {
    request: { body: { name: string; password: string } }
    responses: {
      200: { json: { id: number; name: string } }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      429: { json: { message: string } }
      500: { json: { message: string } }
    }
  }
  /** All tags, and how many notes have them */
  'GET /tags': {
    request: {}
    responses: {
      200: { json: { name: string; notes: number }[] }
      400: { json: { message: string } }
      401: { json: Unauthorized }
      500: { json: { message: string } }
    }
  }
  /** Sign up */
  'POST /users': {
    request: { body: { name: string; password: string } }
    responses: {
      201: { json: { id: number; name: string } }
      400: { json: { message: string } }
      409: { json: NameTaken }
      429: { json: { message: string } }
      500: { json: { message: string } }
    }
  }
}

export interface AttachmentNotFound { statusCode: 404; code: 'AttachmentNotFound'; error: string; message: string; attachment: string }

export interface NameTaken { statusCode: 409; code: 'NameTaken'; error: string; message: string }

export interface NoteChanged { statusCode: 412; code: 'NoteChanged'; error: string; message: string; version: number }

export interface NoteNotFound { statusCode: 404; code: 'NoteNotFound'; error: string; message: string; note: number }

export interface Unauthorized { statusCode: 401; code: 'Unauthorized'; error: string; message: string }
