// The routes of an application, written by `espalier contract emit`.
/* eslint-disable */
import type { Emitted } from 'espalier/client'

export interface Api extends Emitted<Routes> {}

export interface Routes {
  'GET /api/tasks': { request: {}; responses: { 200: { json: Task[] } } }
  'POST /api/tasks': { request: { body: { title: string } }; responses: { 201: { json: Task }; 409: { json: Taken } } }
  'PATCH /api/tasks/:id': {
    request: { params: { id: `${number}` | number }; body: { isDone: boolean } }
    responses: { 200: { json: Task }; 404: { json: NotFound } }
  }
  'GET /health/live': { request: {}; responses: { '2xx': { json: string } } }
}

export interface NotFound { statusCode: 404; code: 'NotFound'; error: string; message: string }

export interface Taken { statusCode: 409; code: 'Taken'; error: string; message: string }

export interface Task { id: number; title: string; isDone: boolean }
