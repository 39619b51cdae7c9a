import type TypeScript from 'typescript'
import type { JsonObject } from '../../types/objects.ts'
import { type Description, describeRoute, nothing, type RouteDescription } from './described.ts'
import { TypePrinter } from './printer.ts'
import type { TypedRoute, TypedRoutes } from './program.ts'
import { block, comment, type Member, quoted, unionOf } from './text.ts'

/** Writes the contract of an application.
 *  @param document its OpenAPI document, which gives comments and names
 *  @throws UsageError */
export function contractText(types: TypedRoutes, document: JsonObject): string {
  const writer = new ContractWriter(types)
  const members = types.routes.map((route) => writer.member(route, document))
  return writer.file(members)
}

class ContractWriter {
  readonly #checker: TypeScript.TypeChecker
  readonly #printer: TypePrinter

  constructor(types: TypedRoutes) {
    this.#checker = types.checker
    this.#printer = new TypePrinter(types)
  }

  member({ key, request, response, messages }: TypedRoute, document: JsonObject): Member {
    const description = describeRoute(document, key)
    const members: Member[] = [
      { name: 'request', text: this.#request(request, description), words: [] },
      { name: 'responses', text: this.#responses(response, description, key), words: [] },
    ]
    if (messages) members.push({ name: 'websocket', text: this.#messages(messages), words: [] })
    return { name: quoted(key), text: block(members), words: description.words }
  }

  /** Messages that are text or bytes have no schema, and are left out. */
  #messages(type: TypeScript.Type): string {
    const own = ['send', 'receive'].flatMap((name) => {
      const message = this.#memberOf(type, name)
      const text = message === undefined ? 'undefined' : this.#printer.print(message, nothing)
      return text === 'undefined' ? [] : [{ name, text, words: [] }]
    })
    return block(own)
  }

  file(members: readonly Member[]): string {
    const { declarations, imports } = this.#printer
    const names = ['Emitted', ...imports].sort().join(', ')
    const declared = [...declarations].sort(([one], [other]) => (one < other ? -1 : 1))
    const lines = members.map(({ name, text, words }) => `${comment(words)}${name}: ${text}`)
    return [
      '// The routes of an application, written by `espalier contract emit`.',
      '/* eslint-disable */',
      `import type { ${names} } from 'espalier/client'\n`,
      'export interface Api extends Emitted<Routes> {}\n',
      `export interface Routes {\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`,
      ...declared.map(([, text]) => `\n${text}`),
      '',
    ].join('\n')
  }

  /** What may be sent to any route is left out: headers, and all parts of one without schemas. */
  #request(type: TypeScript.Type, description: RouteDescription): string {
    const each = type.isUnion() ? type.types : [type]
    const texts = each.map((one) => {
      const parts = this.#checker.getPropertiesOfType(one)
      const isOpen = parts.every(isFree)
      const own = parts.filter((part) => !isOpen && !(part.name === 'headers' && isFree(part)))
      return block(
        own.map((part) => {
          const { name, text } = this.#printer.member(part, description.part(part.name))
          return { name, text, words: [] }
        }),
      )
    })
    return unionOf(texts)
  }

  #responses(type: TypeScript.Type, description: RouteDescription, key: string): string {
    const each = (type.isUnion() ? type.types : [type]).map((one) => ({
      one,
      codes: this.#codes(one),
    }))
    const entries = each.flatMap(({ one, codes }) => {
      const status = statusKey(codes)
      const text = key.startsWith('HEAD ') ? '{}' : this.#body(one, description.response(status))
      return status === '' ? [] : [{ name: status, text, words: [] }]
    })
    return block(entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
  }

  #codes(type: TypeScript.Type): readonly number[] {
    const codes = this.#memberOf(type, 'statusCode')
    const each = codes?.isUnion() ? codes.types : codes ? [codes] : []
    return each.flatMap((code) => (code.isNumberLiteral() ? [code.value] : []))
  }

  /** What can be read of a response, as its methods say. */
  #body(type: TypeScript.Type, description: Description): string {
    const json = this.#returned(type, 'json')
    const items = this.#itemsOf(this.#returned(type, 'events'))
    const members: [string, string | undefined][] = [
      ['json', json && this.#printer.print(json, description)],
      ['bytes', json || !type.getProperty('bytes') ? undefined : 'true'],
      ['form', type.getProperty('formData') && 'true'],
      [
        type.getProperty('messages') ? 'events' : 'lines',
        items && this.#printer.print(items, description),
      ],
    ]
    return block(
      members.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text, words: [] }])),
    )
  }

  #memberOf(type: TypeScript.Type, name: string): TypeScript.Type | undefined {
    const symbol = this.#checker.getPropertyOfType(type, name)
    return symbol && this.#checker.getTypeOfSymbol(symbol)
  }

  #returned(type: TypeScript.Type, method: string): TypeScript.Type | undefined {
    const member = this.#memberOf(type, method)
    const [signature] = member?.getCallSignatures() ?? []
    return signature?.getReturnType()
  }

  #itemsOf(type: TypeScript.Type | undefined): TypeScript.Type | undefined {
    // cast: the iterator of a library
    return type && this.#checker.getTypeArguments(type as TypeScript.TypeReference)[0]
  }
}

/** Whether a part of the input is that of any route. */
function isFree({ declarations = [] }: TypeScript.Symbol): boolean {
  const free = declarations.filter(({ parent }) => {
    // cast: members of interfaces have their interface as parent
    const { name } = parent as Partial<TypeScript.InterfaceDeclaration>
    return name?.text === 'RouteInput'
  })
  return free.length > 0 && free.length === declarations.length
}

/** The key of one or several codes: the code, its class, or `default`. */
function statusKey(codes: readonly number[]): string {
  const [first, second] = codes
  if (first === undefined || second === undefined) return String(first ?? '')
  const classes = new Set(codes.map((code) => Math.floor(code / 100)))
  return classes.size === 1 ? quoted(`${[...classes].join()}xx`) : 'default'
}
