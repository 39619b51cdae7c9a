// The search of the site. It is in the browser, and finds a part of a page also by the words of other frameworks.
import type { DefaultTheme } from 'vitepress'

/** What people who come from Express, NestJS, tRPC, Elysia or Hono call what a page, or a heading in it, is about. */
const alsoCalled: Record<string, string> = {
  authentication: 'login, passport, guards, roles, permissions, RBAC, current user',
  clients: 'RPC, Eden, treaty, hc, caller, SDK, axios, fetch wrapper, createCaller',
  'command-line': 'CLI, scaffold, generator, nest new, create app, codegen',
  configuration: 'dotenv, .env, process.env, ConfigModule, settings',
  'context-tree#plugins':
    'dependency injection, provider, service, module, container, IoC, Router, DI',
  'context-tree#what-belongs-to-a-context':
    'decorator, decorate, app.locals, singleton, state, app.set',
  contracts: 'DTO, AppRouter, ts-rest, shared types, API contract',
  'cookies-and-sessions': 'express-session, cookie-parser, sign in, remember me',
  'cors-helmet-rate-limit': 'throttler, throttling, cross-origin, CSP',
  database: 'ORM, Prisma, Drizzle, Kysely, TypeORM, repository, SQL, Mongo',
  'deploy#docker': 'Dockerfile, container image, Kubernetes, fly.io, HEALTHCHECK',
  'errors#errors-as-values':
    'error type, typed error, error class, HttpException, TRPCError, throw',
  'errors#seterrorhandler': 'exception filter, error middleware, onError',
  forms: 'multer, multipart, file upload, FormData, form data',
  'graceful-shutdown': 'SIGTERM, shutdown hooks, onModuleDestroy, stop the server',
  hooks: 'middleware, interceptor, beforeHandle, afterHandle, app.use, next, filter',
  limits: 'roadmap, not supported, missing features',
  logging: 'morgan, winston, access log, logger',
  mcp: 'AI, agent, LLM, tool calling',
  monorepo: 'workspaces, turborepo, pnpm, nx',
  observability: 'Prometheus, tracing, health check, Sentry, Terminus',
  openapi: 'swagger, redoc, API docs, SwaggerModule',
  pagination: 'infinite scroll, offset, limit, pages',
  'plugins-of-fastify#middleware-of-express': 'app.use, connect, express plugin',
  'plugins-of-fastify#static-files': 'express.static, serveStatic, assets, SPA, front end',
  query: 'react-query, useQuery, useMutation, React, Vue',
  replies: 'res.json, res.send, c.json, status code, return a response, redirect',
  'replies#what-is-serialized': 'hide password, ClassSerializerInterceptor, output, exclude fields',
  'replies#what-a-scope-may-answer': 'error type, addResponses, errors of hooks',
  'request-and-reply': 'req, res, c.req, ctx, context object, body, query',
  'request-lifecycle#derive-add-to-the-request':
    'guard, CanActivate, resolve, request.user, res.locals, c.set, createContext, middleware',
  'routes-in-files': 'controller, router, express.Router, route group, autoload',
  schemas: 'DTO, model, class-validator, class-transformer',
  serverless: 'Lambda, Vercel, edge functions',
  streams: 'SSE, EventSource, subscription, async iterator, realtime, live updates',
  'streams#text-such-as-csv': 'CSV, download, export',
  testing: 'supertest, e2e, mock, request(app), jest, createCaller',
  'unions-and-coercion': 'parse a number, string to number, convert, cast',
  validation: 'ValidationPipe, pipe, express-validator, sanitize, 422, validate a header',
  versioning: 'v1, v2, API version, deprecate',
  websocket: 'socket.io, gateway, ws, realtime, live updates',
}

const used = new Set<string>()
/** The first heading of each page. */
const firsts = new Map<string, string>()

/** The words of a section, as `/hooks.html#forms`. */
function wordsOf(section: string): string | undefined {
  const [page = '', heading = ''] = section.replace(/^.*\//, '').split('.html#')
  const first = firsts.get(page) ?? heading
  firsts.set(page, first)
  const name = heading === first ? page : `${page}#${heading}`
  used.add(name)
  return alsoCalled[name]
}

/** Words of a heading that is not there would be lost. */
export function checkNames(): void {
  const lost = Object.keys(alsoCalled).filter((name) => !used.has(name))
  if (lost.length > 0) throw new Error(`docs/.vitepress/search.ts: no page has ${lost.join(', ')}`)
}

/** A page for the search: its blocks as text, without colours and types. */
const renderPlain: DefaultTheme.LocalSearchOptions['_render'] = (source, env, md) => {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return md.render(source, env)
  } finally {
    md.options.highlight = highlight
  }
}

/** To the title and the text of a section comes what it is also called. */
const fields = {
  fields: ['title', 'titles', 'text', 'also'],
  extractField: (section: Record<string, string>, field: string) =>
    field === 'also' ? wordsOf(section['id'] ?? '') : section[field],
}

export const search = {
  provider: 'local' as const,
  options: {
    _render: renderPlain,
    miniSearch: {
      options: fields,
      searchOptions: { boost: { title: 4, also: 8, text: 2, titles: 1 } },
    },
  },
}
