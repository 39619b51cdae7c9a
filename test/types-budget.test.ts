import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import type * as typescript from 'typescript'
import {
  type Budget,
  budgetFile,
  instantiationsOf,
  measureBudget,
  measureClient,
  measureEmitted,
  measureResponses,
} from '../bench/types/budget.ts'
import { contractOf, emitContract } from '../bench/types/frameworks/emitted.ts'
import { espalierContract } from '../bench/types/frameworks/espalier.ts'
import { upTo } from '../bench/types/application.ts'
import { withOwnFolder, writeApplication, writeProject } from '../bench/types/generate.ts'
import { declarationBytes } from '../bench/types/measure.ts'

// What the types of the built package cost the compiler, against the figures that are kept.
const tolerance = 0.05
const fixedLimit = 5000
const kept = JSON.parse(readFileSync(budgetFile, 'utf8')) as Budget
let measured: Budget

before(() => {
  measured = measureBudget()
})

function assertWithin(name: 'server' | 'client' | 'emitted'): void {
  const [now, then] = [measured[name], kept[name]]
  const growth = `${now} instantiations a route, ${then} are kept in bench/types/budget.json`
  assert.ok(now > 0 && now <= then * (1 + tolerance), `${growth}. ${renewal}`)
}

const renewal = 'Where the growth is worth it: npm run renew -- budget'

test('a route of an application of 200 costs what it did, with 5 % to spare', () => {
  assertWithin('server')
})

test('so does a route with a typed call of it', () => {
  assertWithin('client')
})

test('and a call through an emitted contract', () => {
  assertWithin('emitted')
})

for (const routes of [1000, 2000]) {
  test(`a call through a contract of ${routes} routes costs no more`, () => {
    const large = measureEmitted(routes)
    assert.ok(large > 0 && large <= measured.emitted, `${large}, ${measured.emitted} with 200`)
  })
}

test('what is measured is what espalier contract emit writes', () => {
  assert.equal(contractOf(upTo(21)), emitContract(upTo(21)))
})

// Each call looked at all plugins, so that an application of 800 cost 2 % more a route, and each larger one more.
test('it costs no more in an application twice as large', () => {
  const large = measureClient(400)
  assert.ok(large > 0 && large <= measured.client, `${large} of 400, ${measured.client} of 200`)
})

test('the routes of a scope that declares a response cost 3 % more at most', () => {
  const answering = measureResponses()
  assert.ok(
    answering > 0 && answering <= measured.server * 1.03,
    `${answering}, ${measured.server} without`,
  )
})

/** What the compiler does to know the type of the first response in a file of calls, as an editor asks it. */
function askedForOne(routes: number): number {
  const ts = createRequire(import.meta.url)('typescript-5.9') as typeof typescript
  return withOwnFolder((root) => {
    const folder = writeApplication(root, espalierContract, { routes, client: true })
    const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (name) => ts.sys.readFile(name))
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    const program = ts.createProgram(fileNames, options)
    const checker = program.getTypeChecker()
    const file = program.getSourceFile(fileNames.find((name) => name.endsWith('client.ts')) ?? '')
    const find = (node: typescript.Node): typescript.Node | undefined =>
      ts.isVariableDeclaration(node) && node.name.getText() === 'response'
        ? node.name
        : ts.forEachChild(node, find)
    const name = file && find(file)
    assert.ok(name)
    assert.ok(checker.getTypeAtLocation(name).getProperty('statusCode'))
    return program.getInstantiationCount()
  })
}

// Of `typeof app` all handlers are checked before an editor can say what a call gives.
test('a call of a contract looks at its own route, whatever else the contract has', () => {
  assert.equal(askedForOne(100), askedForOne(1))
})

test('importing the framework into an empty file costs next to nothing', () => {
  assert.ok(measured.fixed < fixedLimit, `${measured.fixed} instantiations`)
})

// A schema was looked for behind the type that is expected: half a million instantiations, three seconds.
for (const view of ['Input', 'Output', 'Payload', 'Received']) {
  test(`${view} of a function's type parameter is cheap where another type is expected`, () => {
    const main = `import { t, type ${view} } from 'espalier'
declare function view<const Schema>(schema: Schema): ${view}<Schema>
export const page: object = view(t.Object({ page: t.Integer(), q: t.Optional(t.String()) }))
`
    const instantiations = withOwnFolder((folder) =>
      instantiationsOf(writeProject(folder, { main })),
    )
    assert.ok(instantiations < fixedLimit, `${instantiations} instantiations`)
  })
}

// A response was looked for behind a type with `json()`, through all that schemas may be: 5 million instantiations (TS2589), half a minute.
for (const response of ['', '{ schema: { response: { 200: { n: t.Integer() } } } },']) {
  const routes = response === '' ? 'no response is declared' : 'one is'
  test(`a call is cheap where what it gives is expected to have json(), and ${routes}`, () => {
    const main = `import espalier, { t } from 'espalier'
import { client, type ResponseOf } from 'espalier/client'
const app = espalier().get('/r', ${response} () => ({ n: 1 }))
const api = client<typeof app>('')
declare function check(response: { statusCode: number; json(): unknown }): void
check(await app.inject('GET /r'))
check(await app.inject('/r'))
check(await api('GET /r'))
export const load = (): Promise<ResponseOf<typeof app, 'GET /r'>> => api('GET /r')
void t
`
    const instantiations = withOwnFolder((folder) =>
      instantiationsOf(writeProject(folder, { main })),
    )
    assert.ok(instantiations < 2 * fixedLimit, `${instantiations} instantiations`)
  })
}

// TypeBox 1 tells the type of a schema by a long conditional type. For schemas that were not known yet the payloads of all
// statuses were compared: 1.4 million instantiations, where Fastify's own types cost 127,000. These cost 86,800.
test('a route under a type provider costs no more than with the types of Fastify', () => {
  const main = `import fastify, { type FastifyTypeProvider } from 'espalier/fastify'
import Type, { type Static, type TSchema } from 'typebox'
interface TypeBoxTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}
const body = Type.Object({ name: Type.String() })
const response = { 201: { id: Type.Number() } }
fastify()
  .withTypeProvider<TypeBoxTypeProvider>()
  .post('/', { schema: { body, response } }, (request, reply) => {
    void reply.code(201)
    return { id: request.body.name.length }
  })
`
  const instantiations = withOwnFolder((folder) => instantiationsOf(writeProject(folder, { main })))
  assert.ok(instantiations < 100_000, `${instantiations} instantiations`)
})

// Each route wrote all shared schemas of its scope: with 20 of them a hundred routes were more than the compiler writes (TS7056).
test('shared schemas are written once into a declaration file, not with each route', () => {
  const schemas = Array.from({ length: 20 }, (_, at) => `s${at}`)
  const routes = Array.from({ length: 100 }, (_, at) => [at, schemas[at % 20]] as const)
  const fields = Array.from({ length: 10 }, (_, at) => `field${at}: t.String()`).join()
  const main = `import espalier, { t } from 'espalier'
export const build = () => espalier()
  ${schemas.map((id) => `.addSchema(t.Object({ ${fields} }, { $id: '${id}' }))`).join('\n  ')}
  ${routes.map(([at, id]) => `.post('/r${at}', { schema: { body: t.Ref('${id}#') } }, ({ body }) => body.field0)`).join('\n  ')}
`
  const bytes = withOwnFolder((folder) => declarationBytes('5.9', writeProject(folder, { main })))
  assert.ok(bytes < 300 * (schemas.length + routes.length), `${bytes} bytes`)
})
