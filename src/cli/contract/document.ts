import type TypeScript from 'typescript'
import { UsageError } from '../../errors/usage-error.ts'
import { documentPaths } from '../../openapi/paths.ts'
import type { JsonObject } from '../../types/objects.ts'

type Compiler = typeof TypeScript
type TypeNode = TypeScript.TypeNode
type Members = ReadonlyMap<string, Member>

interface Member {
  readonly type: TypeNode
  readonly isOptional: boolean
}

/** Reads a contract as an OpenAPI document, so that it can be compared as documents are. Formats
 *  and limits are no part of types.
 *  @param source the file, for messages
 *  @throws UsageError for a file that is no contract */
export function documentOfContract(typescript: Compiler, text: string, source: string): JsonObject {
  const file = typescript.createSourceFile(source, text, typescript.ScriptTarget.Latest, true)
  const declared = new Map<string, TypeNode | TypeScript.InterfaceDeclaration>()
  for (const statement of file.statements) {
    if (typescript.isTypeAliasDeclaration(statement)) {
      declared.set(statement.name.text, statement.type)
    } else if (typescript.isInterfaceDeclaration(statement)) {
      declared.set(statement.name.text, statement)
    }
  }
  const routes = declared.get('Routes')
  if (routes === undefined) {
    throw new UsageError(
      `'${source}' is no contract: it declares no 'Routes'`,
      'Name a file that was written by: espalier contract emit',
    )
  }
  return new ContractReader(typescript, declared).document(routes)
}

class ContractReader {
  readonly #typescript: Compiler
  readonly #declared: ReadonlyMap<string, TypeNode | TypeScript.InterfaceDeclaration>

  constructor(
    typescript: Compiler,
    declared: ReadonlyMap<string, TypeNode | TypeScript.InterfaceDeclaration>,
  ) {
    this.#typescript = typescript
    this.#declared = declared
  }

  document(routes: TypeNode | TypeScript.InterfaceDeclaration): JsonObject {
    const paths: Record<string, Record<string, unknown>> = {}
    for (const [key, { type }] of this.#members(routes)) {
      const [method = '', url = ''] = key.split(/ (.*)/s)
      const template = documentPaths(url).at(-1)?.template ?? url
      paths[template] = {
        ...paths[template],
        [method.toLowerCase()]: this.#operation(this.#members(type)),
      }
    }
    const schemas = [...this.#declared].map(([name, node]) => [name, this.#schema(node)] as const)
    return {
      openapi: '3.1.1',
      info: { title: 'Contract', version: '1' },
      paths,
      components: { schemas: Object.fromEntries(schemas) },
    }
  }

  #operation(route: Members): JsonObject {
    const request = this.#parts(route.get('request')?.type)
    const body = request.get('body')
    const responses = [...this.#parts(route.get('responses')?.type)].map(([status, { type }]) => [
      status,
      this.#response(this.#members(type)),
    ])
    return {
      parameters: ['params', 'query', 'headers'].flatMap((part) =>
        this.#parameters(part, request.get(part)),
      ),
      ...(body && {
        requestBody: {
          required: !body.isOptional,
          content: { 'application/json': { schema: this.#schema(body.type) } },
        },
      }),
      responses: Object.fromEntries(responses),
    }
  }

  /** Of several forms of a request, those parts that all have. */
  #parts(type: TypeNode | undefined): Members {
    if (type === undefined) return new Map()
    if (!this.#typescript.isUnionTypeNode(type)) return this.#members(type)
    const [first = new Map<string, Member>(), ...others] = type.types.map((each) =>
      this.#members(each),
    )
    return new Map([...first].filter(([name]) => others.every((other) => other.has(name))))
  }

  #parameters(part: string, member: Member | undefined): JsonObject[] {
    if (member === undefined) return []
    const place = { params: 'path', query: 'query', headers: 'header' }[part]
    return [...this.#parts(this.#present(member.type))].map(([name, { type, isOptional }]) => ({
      name,
      in: place,
      required: !isOptional && !member.isOptional,
      schema: this.#schema(type),
    }))
  }

  #response(body: Members): JsonObject {
    const media: readonly (readonly [string, string, string])[] = [
      ['json', 'application/json', 'schema'],
      ['events', 'text/event-stream', 'itemSchema'],
      ['lines', 'application/jsonl', 'itemSchema'],
      ['bytes', 'application/octet-stream', 'schema'],
      ['form', 'multipart/form-data', 'schema'],
    ]
    const content = media.flatMap(([name, type, word]) => {
      const member = body.get(name)
      const isMark = name === 'bytes' || name === 'form'
      return member ? [[type, { [word]: isMark ? {} : this.#schema(member.type) }]] : []
    })
    return { description: '', ...(content.length > 0 && { content: Object.fromEntries(content) }) }
  }

  /** Without `undefined`, which says that a member may be left out. */
  #present(type: TypeNode): TypeNode {
    const { SyntaxKind, isUnionTypeNode } = this.#typescript
    if (!isUnionTypeNode(type)) return type
    const own = type.types.filter(({ kind }) => kind !== SyntaxKind.UndefinedKeyword)
    return own.length === 1 && own[0] !== undefined ? own[0] : type
  }

  #members(node: TypeNode | TypeScript.InterfaceDeclaration): Members {
    const { isInterfaceDeclaration, isTypeLiteralNode, isPropertySignature } = this.#typescript
    const own = this.#behind(node)
    if (this.#typescript.isIntersectionTypeNode(own)) {
      return new Map(own.types.flatMap((each) => [...this.#members(each)]))
    }
    if (!isInterfaceDeclaration(own) && !isTypeLiteralNode(own)) return new Map()
    const members = own.members.filter((member) => isPropertySignature(member))
    return new Map(
      members.flatMap(({ name, type, questionToken }) =>
        type ? [[nameOf(name), { type, isOptional: questionToken !== undefined }] as const] : [],
      ),
    )
  }

  #behind(
    node: TypeNode | TypeScript.InterfaceDeclaration,
  ): TypeNode | TypeScript.InterfaceDeclaration {
    const { isTypeReferenceNode, isParenthesizedTypeNode } = this.#typescript
    if (!this.#typescript.isTypeNode(node)) return node
    if (isParenthesizedTypeNode(node)) return this.#behind(node.type)
    const found = isTypeReferenceNode(node) && this.#declared.get(node.typeName.getText())
    return found ? this.#behind(found) : node
  }

  #schema(node: TypeNode | TypeScript.InterfaceDeclaration): JsonObject {
    const ts = this.#typescript
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) return this.#object(node)
    if (ts.isParenthesizedTypeNode(node)) return this.#schema(node.type)
    if (ts.isUnionTypeNode(node)) return this.#union(node)
    if (ts.isIntersectionTypeNode(node))
      return { allOf: node.types.map((each) => this.#schema(each)) }
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#schema(node.elementType) }
    if (ts.isTupleTypeNode(node)) return this.#tuple(node)
    if (ts.isTypeOperatorNode(node)) return this.#schema(node.type)
    if (ts.isLiteralTypeNode(node)) return { const: literalOf(node.getText()) }
    if (ts.isTypeReferenceNode(node) && this.#declared.has(node.typeName.getText())) {
      return { $ref: `#/components/schemas/${node.typeName.getText()}` }
    }
    const text = node.getText()
    if (ts.isTemplateLiteralTypeNode(node)) return { type: 'string', pattern: text }
    if (['string', 'number', 'boolean'].includes(text)) return { type: text }
    if (text === 'bigint') return { type: 'integer' }
    return text === 'unknown' ? {} : { not: {}, title: text }
  }

  #union({ types }: TypeScript.UnionTypeNode): JsonObject {
    const own = types.filter(({ kind }) => kind !== this.#typescript.SyntaxKind.UndefinedKeyword)
    const schemas = own.map((each) => this.#schema(each))
    if (schemas.every((each) => 'const' in each))
      return { enum: schemas.map((each) => each['const']) }
    const [only = {}] = schemas
    return schemas.length === 1 ? only : { anyOf: schemas }
  }

  #tuple({ elements }: TypeScript.TupleTypeNode): JsonObject {
    const ts = this.#typescript
    const rest = elements.find((each) => ts.isRestTypeNode(each))
    const fixed = elements.filter((each) => each !== rest)
    const required = fixed.filter((each) => !ts.isOptionalTypeNode(each))
    const schemas = fixed.map((each) =>
      this.#schema(ts.isOptionalTypeNode(each) ? each.type : each),
    )
    return {
      type: 'array',
      prefixItems: schemas,
      minItems: required.length,
      ...(rest ? {} : { maxItems: fixed.length, items: false }),
    }
  }

  #object(node: TypeScript.TypeLiteralNode | TypeScript.InterfaceDeclaration): JsonObject {
    const members = this.#members(node)
    const index = node.members.find((member) =>
      this.#typescript.isIndexSignatureDeclaration(member),
    )
    const properties = [...members].map(([name, { type }]) => [name, this.#schema(type)])
    const required = [...members].filter(([, { isOptional }]) => !isOptional)
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
      ...(index?.type && { additionalProperties: this.#schema(index.type) }),
    }
  }
}

const nameOf = (name: TypeScript.PropertyName): string =>
  'text' in name ? name.text : name.getText()

/** The value of a literal: a string in single quotes, or JSON. */
function literalOf(text: string): unknown {
  if (!text.startsWith("'")) return /n$/.test(text) ? Number(text.slice(0, -1)) : JSON.parse(text)
  const inner = text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')
  return JSON.parse(`"${inner}"`)
}
