import type TypeScript from 'typescript'
import { UsageError } from '../../errors/usage-error.ts'
import { type Description, nothing } from './described.ts'
import type { TypedRoutes } from './program.ts'
import {
  block,
  comment,
  declaration,
  inBrackets,
  type Member,
  memberName,
  quoted,
  unionOf,
} from './text.ts'

/** An object type whose members are being printed. */
interface Open {
  readonly type: TypeScript.Type
  readonly stem: string
  /** Its name, once it has been met inside of itself. */
  name?: string
}

/** The members of `FetchBody`, which the compiler shows one by one. */
const bodies = ['AnyBlob', 'AnySearchParams', 'AnyStream', 'AnyWebStream']
const allBodies = [...bodies, 'ArrayBuffer', 'ArrayBufferView']
const deepest = 60

/** Writes types as text that refers to nothing outside of the contract. A shared schema, an
 *  interface and a type that contains itself are declared once, by name. */
export class TypePrinter {
  /** By name. */
  readonly declarations: Map<string, string> = new Map()
  /** Types that `espalier/client` has. */
  readonly imports: Set<string> = new Set()
  readonly #typescript: TypedRoutes['typescript']
  readonly #program: TypeScript.Program
  readonly #checker: TypeScript.TypeChecker
  readonly #open: Open[] = []
  readonly #names = new Map<TypeScript.Type, string>()

  constructor({ typescript, program, checker }: TypedRoutes) {
    this.#typescript = typescript
    this.#program = program
    this.#checker = checker
  }

  /** @param isOptional whether the type is that of a property that may be absent
   *  @throws UsageError for a type without an end */
  print(type: TypeScript.Type, description: Description, isOptional = false): string {
    const { TypeFlags } = this.#typescript
    if (type.isUnion()) return this.#union(type, description, isOptional)
    if (type.isIntersection()) return this.#intersection(type, description)
    if (type.flags & TypeFlags.Object) return this.#object(type, description)
    if (type.isStringLiteral()) return quoted(type.value)
    // An enum is no part of a contract, but its values are.
    if (type.isNumberLiteral()) return String(type.value)
    return type.flags & TypeFlags.Any ? 'unknown' : this.#shown(type)
  }

  #shown(type: TypeScript.Type): string {
    const { NoTruncation } = this.#typescript.TypeFormatFlags
    return this.#checker.typeToString(type, undefined, NoTruncation)
  }

  #union({ types }: TypeScript.UnionType, description: Description, isOptional: boolean): string {
    const { TypeFlags } = this.#typescript
    const areBodies = bodies.every((name) => types.some((each) => nameOf(each) === name))
    const own = types.filter((each) => !(areBodies && allBodies.includes(nameOf(each))))
    const present = own.filter((each) => !(isOptional && this.#isAbsence(each)))
    const objects = present.filter(({ flags }) => flags & TypeFlags.Object)
    const texts = present.map((each) => {
      const names = objects.length < 2 ? [] : each.getProperties().map(({ name }) => name)
      return this.print(each, objects.length < 2 ? description : description.member(names))
    })
    return unionOf(areBodies ? [...texts, this.#ofClient('FetchBody')] : texts)
  }

  /** Whether it says that a property is absent. A project may tell that from `undefined`. */
  #isAbsence(type: TypeScript.Type): boolean {
    const isUndefined = Boolean(type.flags & this.#typescript.TypeFlags.Undefined)
    const isExact = this.#program.getCompilerOptions().exactOptionalPropertyTypes === true
    return isUndefined && !(isExact && type === this.#checker.getUndefinedType())
  }

  #intersection(type: TypeScript.IntersectionType, description: Description): string {
    const areObjects = type.types.every(({ flags }) => flags & this.#typescript.TypeFlags.Object)
    // An index signature of one part does not speak of the members of another.
    const isIndexed = this.#checker.getIndexInfosOfType(type).length > 0
    if (areObjects && !isIndexed) return this.#object(type, description)
    const texts = type.types.map((each) => inBrackets(this.print(each, description)))
    return [...new Set(texts)].filter((text) => text !== '{}').join(' & ') || '{}'
  }

  #object(type: TypeScript.Type, description: Description): string {
    const known = this.#list(type, description) ?? this.#global(type) ?? this.#names.get(type)
    if (known !== undefined) return known
    const open = this.#open.find((each) => this.#isSame(each.type, type))
    if (open !== undefined) return (open.name ??= this.#free(open.stem))
    if (this.#open.length > deepest) {
      throw new UsageError(
        'A type of the contract goes on without an end',
        'Declare the recursion by t.Recursive, or by a shared schema',
      )
    }
    const stem = description.name ?? this.#interfaceName(type)
    const entry: Open = { type, stem: stem ?? 'Recurring' }
    this.#open.push(entry)
    const whole = description.behind()
    const text = this.#members(type, whole)
    this.#open.pop()
    const name = entry.name ?? (stem === undefined ? undefined : this.#free(stem, text))
    return name === undefined ? text : this.#declare(type, name, text, whole.words)
  }

  #declare(type: TypeScript.Type, name: string, text: string, words: readonly string[]): string {
    const own = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
    const [known = name] =
      [...this.declarations].find(([other, declared]) =>
        declared.endsWith(declaration(other, text.replaceAll(own, other))),
      ) ?? []
    this.#names.set(type, known)
    if (known === name) {
      this.declarations.set(name, `${comment(words)}${declaration(name, text)}`)
    }
    return known
  }

  /** Whether a type contains itself there. The compiler may make a new type for each level, so two
   *  with the same members are compared. */
  #isSame(above: TypeScript.Type, type: TypeScript.Type): boolean {
    if (above === type) return true
    const [names, others] = [above, type].map((each) =>
      each
        .getProperties()
        .map(({ name, flags }) => `${name} ${flags & this.#typescript.SymbolFlags.Optional}`),
    )
    if (names?.join() !== others?.join()) return false
    const checker = this.#checker
    return checker.isTypeAssignableTo(above, type) && checker.isTypeAssignableTo(type, above)
  }

  /** Arrays and tuples. */
  #list(type: TypeScript.Type, description: Description): string | undefined {
    const isTuple = this.#checker.isTupleType(type)
    if (!isTuple && !this.#checker.isArrayType(type)) return undefined
    // cast: lists are references, and the target of a tuple has its flags
    const reference = type as TypeScript.TypeReference
    const items = this.#checker.getTypeArguments(reference)
    if (!isTuple) {
      const text = items[0] === undefined ? 'unknown' : this.print(items[0], description.item(0))
      return `${nameOf(type) === 'ReadonlyArray' ? 'readonly ' : ''}${inBrackets(text)}[]`
    }
    const { elementFlags, readonly } = reference.target as TypeScript.TupleType
    const { Rest, Optional, Required } = this.#typescript.ElementFlags
    const texts = items.map((each, index) => {
      const flags = elementFlags[index] ?? Required
      const text = inBrackets(this.print(each, description.item(index), Boolean(flags & Optional)))
      return flags & Rest ? `...${text}[]` : flags & Optional ? `${text}?` : text
    })
    return `${readonly ? 'readonly ' : ''}[${texts.join(', ')}]`
  }

  /** A type that all projects have, or that the client exports. */
  #global(type: TypeScript.Type): string | undefined {
    const symbol = type.getSymbol()
    if (symbol === undefined || symbol.name.startsWith('__')) return undefined
    if (symbol.name === 'AnyFormData') return this.#ofClient(symbol.name)
    const files = symbol.declarations?.map((each) => each.getSourceFile()) ?? []
    const isOfLibrary = files.some((file) => this.#program.isSourceFileDefaultLibrary(file))
    const isOfWeb = webTypes.includes(this.#checker.getFullyQualifiedName(symbol))
    if (!isOfLibrary && !isOfWeb) return undefined
    // cast: an interface or a class of a library
    const given = this.#checker.getTypeArguments(type as TypeScript.TypeReference)
    const texts = given.map((each) => this.print(each, nothing))
    return texts.length === 0 ? symbol.name : `${symbol.name}<${texts.join(', ')}>`
  }

  #members(type: TypeScript.Type, description: Description): string {
    const checker = this.#checker
    const { SignatureKind } = this.#typescript
    if (checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return this.#shown(type)
    const indexes = checker.getIndexInfosOfType(type).map(({ keyType, type: value }) => {
      const text = this.print(value, nothing)
      return { name: `[name: ${this.print(keyType, nothing)}]`, text, words: [] }
    })
    const named = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__@'))
    const members = named.map((symbol) => this.member(symbol, description.property(symbol.name)))
    return block([...members, ...indexes])
  }

  /** A member of an object type. */
  member(symbol: TypeScript.Symbol, description: Description): Member {
    const isOptional = Boolean(symbol.flags & this.#typescript.SymbolFlags.Optional)
    const text = this.print(this.#checker.getTypeOfSymbol(symbol), description, isOptional)
    const name = memberName(symbol.name)
    return { name: isOptional ? `${name}?` : name, text, words: description.words }
  }

  /** The name of an interface that is no library's. */
  #interfaceName(type: TypeScript.Type): string | undefined {
    const symbol = type.getSymbol()
    if (!symbol || !(symbol.flags & this.#typescript.SymbolFlags.Interface)) return undefined
    // cast: an interface
    const given = this.#checker.getTypeArguments(type as TypeScript.TypeReference)
    return given.length === 0 ? symbol.name : undefined
  }

  /** A name that stands for nothing else than a text. */
  #free(wanted: string, text?: string): string {
    const stem = wanted.replaceAll(/[^\p{L}\p{N}_$]+/gu, '_').replace(/^(?=\d)/, '_')
    const isTaken = (name: string): boolean => {
      const known = this.declarations.get(name)
      if (known !== undefined) return text === undefined || !known.endsWith(declaration(name, text))
      return this.#open.some((each) => each.name === name)
    }
    let name = stem
    for (let count = 2; isTaken(name) || reserved.includes(name); count++) name = `${stem}${count}`
    return name
  }

  #ofClient(name: string): string {
    this.imports.add(name)
    return name
  }
}

/** Global types of browsers. A server may have them from the types of Node. */
const webTypes = ['global.Blob', 'global.File']

/** Names that the file has besides. */
const reserved = ['Api', 'Routes', 'Emitted', 'FetchBody', 'AnyFormData']

const nameOf = (type: TypeScript.Type): string => type.getSymbol()?.name ?? ''
