import { createTRPCClient, httpLink } from '@trpc/client'
import { initTRPC, TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { z } from 'zod'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

const t = initTRPC.create()
const User = z.object({ id: z.int(), name: z.string() })
const input = z.object({ id: z.int(), limit: z.int().optional() })
const shown = t.procedure.input(input).output(User)
const app = t.router({
  user: shown.query(({ input }) => {
    const user = find(input.id)
    if (!user) throw new TRPCError({ code: 'NOT_FOUND', message: 'no such user' })
    return user
  }),
  users: t.procedure.output(z.array(User)).query(() => users),
  add: t.procedure
    .input(z.object({ name: z.string() }))
    .output(User)
    .mutation(({ input }) => ({ id: 2, name: input.name })),
})

async function text(path: string) {
  const req = new Request(`http://localhost/${path}`)
  return (await fetchRequestHandler({ endpoint: '', req, router: app })).text()
}
export const one = (): Promise<string> => text(`user?input=${encodeURIComponent('{"id":1}')}`)
export const list = (): Promise<string> => text('users')
const client = createTRPCClient<typeof app>({ links: [httpLink({ url: '' })] })

// mistake: field
export const field = () => shown.query(() => ({ id: 1 }))
// mistake: type
export const type = () => shown.query(() => ({ id: '1', name: 'Ada' }))
// mistake: nothing
export const nothing = () => shown.query(({ input }) => find(input.id))
// mistake: status
export const status = () =>
  shown.query(() => {
    throw new TRPCError({ code: 'FORBIDDEN' })
  })
// mistake: error
export const error = () =>
  shown.query(() => {
    throw new TRPCError({ code: 'NOT_FOUND', cause: { text: 'no' } })
  })
// mistake: parameter
export const parameter = () =>
  shown.query(({ input }) => {
    input.id.toUpperCase()
    return { id: 1, name: 'Ada' }
  })
// mistake: query
export const query = () =>
  shown.query(({ input }) => {
    console.log(input.limt)
    return { id: 1, name: 'Ada' }
  })
// mistake: scope
const members = t.procedure.use(({ next }) => next({ ctx: { user: 'Ada' } }))
export const scope = () => [
  members.query(({ ctx }) => ctx.user),
  t.procedure.query(({ ctx }) => ctx.user),
]
// mistake: input
export const wrong = () => client.add.mutate({ nam: 'Ada' })
// mistake: output
export const output = async () => {
  console.log((await client.users.query())[0]?.nam)
}
