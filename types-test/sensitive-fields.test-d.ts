// A value that `t.Sensitive` marks: the handler reads it, and replies with it only where it is revealed.
import { expectError, expectType } from 'tsd'
import { z } from 'zod'
import espalier, { httpError, t } from '../src/index.ts'
import type { Input, Output, Payload, Received } from '../src/schema/index.ts'

const Token = t.Sensitive(t.String({ minLength: 8 }))
const User = t.Object(
  {
    name: t.String(),
    password: Token,
    pin: t.Optional(t.Sensitive(t.Integer())),
    hint: t.Sensitive(t.Optional(t.String())),
    role: t.Sensitive(t.String({ default: 'guest' })),
  },
  { $id: 'user' },
)

// A request has the plain types, with the modifiers of fields and their defaults.
interface Read {
  name: string
  password: string
  pin?: number
  hint?: string
  role: string
}
expectType<Read>({} as Output<typeof User>)
expectType<{ name: string; password: string; pin?: number; hint?: string; role?: string }>(
  {} as Input<typeof User>,
)
expectType<string>({} as Output<typeof Token>)

const app = espalier().addSchema(User)
const name = 'a'
const password = 'b'

app.post('/', { schema: { body: User } }, ({ body }) => {
  expectType<string>(body.password)
  expectType<number | undefined>(body.pin)
  return { name: body.name }
})

// A pointer leads into it, and references inside of it are checked.
const Paid = t.Object({ card: t.Sensitive(t.Object({ number: t.Integer() })) }, { $id: 'paid' })
app
  .addSchema(Paid)
  .post(
    '/',
    { schema: { body: { one: t.Ref('paid#/properties/card/properties/number') } } },
    (request) => {
      expectType<number>(request.body.one)
      return null
    },
  )
expectError(
  app.post('/', { schema: { body: t.Object({ one: t.Sensitive(t.Ref('usr')) }) } }, () => null),
)

// A reply has none, wherever it stands.
expectError(app.get('/', { schema: { response: { 200: User } } }, () => ({ name, password })))
expectError(app.get('/', { schema: { response: { 200: User } } }, () => ({ name })))
expectError(app.get('/', { schema: { response: { 200: Token } } }, () => password))
expectError(
  app.get('/', { schema: { response: { 200: t.Array(t.Ref('user')) } } }, () => [
    { name, password },
  ]),
)
expectError(
  app.get('/', { schema: { response: { 200: t.Union([User, t.Null()]) } } }, () => ({
    name,
    password,
  })),
)
expectError(app.get('/', { schema: { response: { 200: t.Partial(User) } } }, () => ({ password })))
expectError(
  app.get('/', { schema: { response: { 200: t.Composite([User, t.Object({})]) } } }, () => ({
    name,
    password,
  })),
)
expectError(
  app.get('/', { schema: { response: { 200: { token: Token } } } }, () => ({ token: password })),
)
app.get('/', { schema: { response: { 200: t.Null(), 404: User } } }, (_request, reply) => {
  expectError(reply.code(404).send({ name, password }))
  return null
})
const Taken = httpError('Taken', 409, { password: Token })
expectError(new Taken({ password }))

// It is left out as TypeBox leaves out.
app.post(
  '/',
  { schema: { body: User, response: { 200: t.Omit(User, ['password', 'pin', 'hint', 'role']) } } },
  ({ body }) => body,
)
app.post(
  '/',
  { schema: { body: User, response: { 200: t.Pick(User, ['name']) } } },
  ({ body }) => ({
    name: body.name,
  }),
)

// A response reveals it by its name.
const Shown = t.Reveal(User, ['password', 'pin', 'hint'])
expectError<Payload<typeof Shown>>({ name, password, role: '' })
expectType<string>({} as Received<typeof Shown>['password'])
app.get('/', { schema: { response: { 200: t.Object({ token: t.Reveal(Token) }) } } }, () => ({
  token: password,
}))
const Pair = t.Object({
  name: t.String(),
  password: Token,
  pin: t.Optional(t.Sensitive(t.Integer())),
})
const Both = t.Reveal(Pair, ['password', 'pin'])
expectType<{ name: string; password: string; pin?: number }>({} as Received<typeof Both>)
app.post('/', { schema: { body: Pair, response: { 200: Both } } }, ({ body }) => body)
expectError(
  app.post(
    '/',
    { schema: { body: Pair, response: { 200: t.Reveal(Pair, ['pin']) } } },
    ({ body }) => body,
  ),
)
expectType<number | undefined>({} as Received<typeof Both>['pin'])
const later = t.Object({ pin: t.Reveal(t.Optional(t.Sensitive(t.Integer()))) })
expectType<{ pin?: number }>({} as Output<typeof later>)

// Only what is sensitive can be revealed.
expectError(t.Reveal(User, ['name']))
expectError(t.Reveal(User, ['pasword']))
expectError(t.Reveal(User))
expectError(t.Reveal(t.String()))
expectError(t.Reveal(t.Ref('user')))

// A schema of a validation library keeps its type.
const Form = t.Sensitive(z.object({ password: z.string() }))
app.post('/', { schema: { body: Form } }, ({ body }) => {
  expectType<{ password: string }>(body)
  return null
})
expectError(t.Object({ password: t.Sensitive(z.string()) }))
