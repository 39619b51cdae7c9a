// A NestJS application with what such applications use. It answers requests of its own over HTTP, and prints what it answered
// as a line of JSON. `../nest.mjs` compiles and runs it on Fastify and on Espalier.
import 'reflect-metadata'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import {
  Body,
  Catch,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  Inject,
  Injectable,
  Ip,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Redirect,
  Req,
  Res,
  Sse,
  StreamableFile,
  UploadedFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Version,
  VersioningType,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  FastifyAdapter,
  RouteConfig,
  RouteConstraints,
  RouteSchema,
} from '@nestjs/platform-fastify'
import { FileInterceptor } from '@nestjs/platform-fastify/multipart'
import Reply from 'fastify/lib/reply.js'
import symbols from 'fastify/lib/symbols.js'
import { interval, map, take } from 'rxjs'

@Injectable()
class Users {
  find(id: number) {
    return id === 7 ? { id, name: 'Ada' } : undefined
  }
}

class Known {
  canActivate(context: any) {
    const request = context.switchToHttp().getRequest()
    request.user = request.headers.authorization
    return request.user === 'Bearer s3cret'
  }
}

class Wrapped {
  intercept(context: any, next: any) {
    context.switchToHttp().getResponse().header('x-wrapped', 'yes')
    return next.handle().pipe(map((data) => ({ data })))
  }
}

class Trimmed {
  transform(value: any) {
    if (typeof value?.name !== 'string') throw new HttpException({ wrong: 'name' }, 422)
    return { name: value.name.trim() }
  }
}

class Teapot extends Error {}

@Catch(Teapot)
class TeapotFilter {
  catch(error: Error, host: any) {
    const reply = host.switchToHttp().getResponse()
    reply.code(418).type('text/plain').send(`filtered: ${error.message}`)
  }
}

@Controller('users')
class UsersController {
  constructor(@Inject(Users) private readonly users: Users) {}

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number, @Query('full') full?: string) {
    const user = this.users.find(id)
    if (user === undefined) throw new NotFoundException('no such user')
    return full === undefined ? user.name : user
  }

  @Post()
  @UsePipes(Trimmed)
  add(@Body() body: object) {
    return body
  }

  @Put(':id')
  @HttpCode(202)
  @UseGuards(Known)
  change(@Body() body: object, @Req() request: any) {
    return { ...body, by: request.user }
  }

  @Delete(':id')
  @HttpCode(204)
  remove() {}

  @Get(':id/guarded')
  @UseGuards(Known)
  @UseInterceptors(Wrapped)
  guarded(@Headers('authorization') key: string) {
    return key
  }
}

@Controller('replies')
class RepliesController {
  @Get('redirect')
  @Redirect('/users/7', 301)
  redirect() {}

  @Get('own')
  own(@Res() reply: any) {
    reply
      .header('x-own', '1')
      .code(203)
      .send({ own: reply instanceof Reply })
  }

  @Get('passed')
  @Header('cache-control', 'no-store')
  passed(@Res({ passthrough: true }) reply: any) {
    reply.status(201)
    return { sent: reply.sent, cached: reply.getHeader('cache-control') }
  }

  @Get('serialized')
  serialized(@Res() reply: any) {
    const before = reply[symbols.kReplySerializer]
    reply.serializer(JSON.stringify)
    reply.type('application/x-own').send({ before, kind: typeof reply[symbols.kReplySerializer] })
  }

  @Get('file')
  file() {
    return new StreamableFile(Readable.from(['a', 'b']), {
      type: 'text/csv',
      disposition: 'attachment; filename="a.csv"',
      length: 2,
    })
  }

  @Get('broken-file')
  brokenFile() {
    const stream = new Readable({ read: () => stream.destroy(new Error('disk')) })
    return new StreamableFile(stream)
  }

  @Get('bytes')
  bytes(@Res() reply: any) {
    reply.type('application/octet-stream').send(Buffer.from([1, 2, 3]))
  }

  @Sse('events')
  events() {
    return interval(5).pipe(
      take(3),
      map((id) => ({ id: String(id), type: 'tick', data: { id } })),
    )
  }

  @Get('teapot')
  @UseFilters(TeapotFilter)
  teapot() {
    throw new Teapot('short')
  }

  @Get('crash')
  crash() {
    throw new Error('secret')
  }

  @Get('forbidden')
  forbidden() {
    throw new ForbiddenException({ reason: 'no', code: 1 })
  }

  @Get('nothing')
  nothing() {}

  @Get('null')
  null() {
    return null
  }

  @Get('ip')
  ip(@Ip() ip: string) {
    return typeof ip
  }
}

@Controller('routes')
class RoutesController {
  @Post('schema')
  @RouteSchema({
    body: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    response: { 201: { type: 'object', properties: { n: { type: 'integer' } } } },
  })
  schema(@Body() body: { n: number }) {
    return { n: body.n + 1, more: true }
  }

  @Get('config')
  @RouteConfig({ role: 'admin' })
  config(@Req() request: any) {
    const { config, server, errorHandler } = request[symbols.kRouteContext]
    const isSame = server[symbols.kErrorHandler].func === errorHandler.func
    return {
      role: config.role,
      url: request.routeOptions.url,
      isSame,
      of: typeof errorHandler.func,
    }
  }

  @Get('constrained')
  @RouteConstraints({ host: 'own.example' })
  constrained() {
    return 'by host'
  }

  @Get('versioned')
  @Version('1')
  first() {
    return 'first'
  }

  @Get('versioned')
  @Version('2')
  second() {
    return 'second'
  }

  @Post('upload')
  @UseInterceptors(FileInterceptor('file'))
  upload(@UploadedFile() file: any, @Body() body: any) {
    return { name: file.originalname, size: file.size, note: body.note }
  }
}

/** Middleware of Connect, which gets what Node has. */
const middleware = {
  mark: (_request: any, response: any, next: () => void) => {
    response.setHeader('x-middleware', 'yes')
    next()
  },
  fail: () => {
    throw new ForbiddenException('by middleware')
  },
  reject: async () => {
    await Promise.resolve()
    throw new NotFoundException('by async middleware')
  },
  crash: (_request: any, _response: any, next: (error: Error) => void) => {
    next(new Error('secret of a middleware'))
  },
  end: (_request: any, response: any) => {
    response.statusCode = 202
    response.end('ended')
  },
}

@Module({
  controllers: [UsersController, RepliesController, RoutesController],
  providers: [Users],
})
class AppModule {
  configure(consumer: any) {
    consumer.apply(middleware.mark).forRoutes('users/*path', 'users')
    for (const name of ['fail', 'reject', 'crash', 'end'] as const) {
      consumer.apply(middleware[name]).forRoutes(`middleware/${name}`)
    }
  }
}

const prototype = Reply.prototype as any
prototype.answerTwice = function (value: string) {
  return this.send(value + value)
}

const app = await NestFactory.create(AppModule, new FastifyAdapter({ bodyLimit: 1000 }), {
  logger: false,
})
app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' })
app.enableCors({ origin: 'https://example.org', exposedHeaders: ['x-own'] })
const instance = app.getHttpAdapter().getInstance() as any
instance.get('/plain', (_request: any, reply: any) => reply.answerTwice('ha'))
const order: string[] = []
for (const hook of ['onRequest', 'onSend', 'onResponse']) {
  instance.addHook(hook, async (request: any) => {
    if (request.url.startsWith('/middleware')) order.push(`${hook} ${request.url}`)
  })
}
await app.listen(0, '127.0.0.1')
const origin = await app.getUrl()

const json = (body: unknown, more = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...more },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const form = new FormData()
form.set('note', 'mine')
form.set('file', new Blob(['abc']), 'a.txt')
const key = { authorization: 'Bearer s3cret' }

const requests: [path: string, init?: RequestInit][] = [
  ['/users/7'],
  ['/users/7?full'],
  ['/users/8'],
  ['/users/x'],
  ['/users/7', { method: 'HEAD' }],
  ['/users', json({ name: ' Ada ' })],
  ['/users', json({ name: 1 })],
  ['/users', json('{')],
  ['/users', json('{"__proto__": 1}')],
  ['/users', json({ name: 'x'.repeat(2000) })],
  ['/users', { method: 'POST', body: new URLSearchParams({ name: 'Eve ' }) }],
  ['/users', { method: 'POST', headers: { 'content-type': 'text/x' }, body: 'x' }],
  ['/users/7', { ...json({ a: 1 }, key), method: 'PUT' }],
  ['/users/7', { ...json({ a: 1 }), method: 'PUT' }],
  ['/users/7', { method: 'DELETE' }],
  ['/users/7/guarded'],
  ['/users/7/guarded', { headers: key }],
  ['/users/7', { headers: { origin: 'https://example.org' } }],
  [
    '/users/7',
    {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'PUT' },
    },
  ],
  ...[
    'redirect',
    'own',
    'passed',
    'serialized',
    'file',
    'broken-file',
    'bytes',
    'events',
    'teapot',
    'crash',
    'forbidden',
    'nothing',
    'null',
    'ip',
  ].map((name): [string] => [`/replies/${name}`]),
  ['/replies/file', { method: 'HEAD' }],
  ['/routes/schema', json({ n: '1' })],
  ['/routes/schema', json({})],
  ['/routes/config'],
  ['/routes/constrained'],
  ['/routes/versioned', { headers: { 'x-version': '1' } }],
  ['/routes/versioned', { headers: { 'x-version': '2' } }],
  ['/routes/versioned'],
  ['/routes/upload', { method: 'POST', body: form }],
  ...['fail', 'reject', 'crash', 'end', 'none'].map((name): [string] => [`/middleware/${name}`]),
  ['/plain'],
  ['/%zz'],
  ['/none', { method: 'POST' }],
]
/** Of no interest, or another each time. */
const left = new Set(['date', 'connection', 'keep-alive'])
const answers: [title: string, ...answer: unknown[]][] = []
for (const [path, init] of requests) {
  const response = await fetch(origin + path, { redirect: 'manual', ...init })
  const body = await response.text().catch((error: Error) => error.message)
  // The rest of this sentence is the framework's own.
  const told = body.replace(/(Body is not valid JSON)[^"]*/, '$1')
  const headers = [...response.headers].filter(
    ([name]) => !left.has(name) && (told === body || name !== 'content-length'),
  )
  answers.push([`${init?.method ?? 'GET'} ${path}`, response.status, headers, told])
}
await app.close()
answers.push(['hooks around middleware', order])
const { name } = createRequire(import.meta.url)('fastify/package.json') as { name: string }
console.log(JSON.stringify({ name, requests: answers }))
