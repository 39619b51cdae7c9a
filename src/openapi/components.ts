import { isPlainObject } from '../types/objects.ts'
import { closed } from './closed.ts'
import { type Component, type Direction, Link } from './link.ts'
import type { SchemaObject } from './types.ts'

/** A component in one direction: what gets a name. */
interface Variant {
  readonly component: Component
  readonly direction: Direction
  /** A text that two variants share if they and all that they refer to are the same. */
  readonly signature: string
}

/** The components of a document. They get their names at the end, so that names do not depend on
 *  the order in which they were found. */
export class Components {
  readonly #components: Component[] = []
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, SchemaObject>()
  readonly #place: string

  /** @param place the pointer to the object that has the schemas */
  constructor(place: string = '#/components/schemas') {
    this.#place = place
  }

  add(wanted: Omit<Component, 'id'>): Component {
    const component = { ...wanted, id: this.#components.length }
    this.#components.push(component)
    return component
  }

  /** Names all components. Components that are equal, with all that they refer to, get one name.
   *  One whose schemas for input and output differ gets two: `Box` and `BoxInput`. If different
   *  ones ask for one name, each gets the name of its scope: `users.Box`. */
  name(): void {
    const stems = new Map<string, Variant[]>()
    for (const component of this.#components) {
      for (const direction of ['output', 'input'] as const) {
        if (component.drafts[direction] === undefined) continue
        const variant = { component, direction, signature: sign(new Link(component, direction)) }
        stems.set(component.stem, [...(stems.get(component.stem) ?? []), variant])
      }
    }
    const taken = new Map<string, string>()
    for (const stem of [...stems.keys()].sort()) this.#nameAlike(stem, stems.get(stem) ?? [], taken)
  }

  /** Replaces the links of a draft by references, and keeps what they lead to. */
  render(draft: object): object {
    // cast: an object stays an object
    return this.#render(draft) as object
  }

  /** The schemas that rendered drafts refer to, by name. */
  schemas(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #nameAlike(stem: string, variants: readonly Variant[], taken: Map<string, string>): void {
    if (isNameable(variants)) {
      this.#give(stem, variants, taken)
      return
    }
    for (const scope of new Set(variants.map(({ component }) => component.scope))) {
      const own = variants.filter(({ component }) => component.scope === scope)
      // A scope whose name has no letter that is allowed has an empty one.
      this.#give(scope === '' ? stem : `${scope}.${stem}`, own, taken)
    }
  }

  /** Gives names to the variants of one stem. A number is added to a name that is taken. */
  #give(stem: string, variants: readonly Variant[], taken: Map<string, string>): void {
    const outputs = new Set(variants.filter(isOutput).map(({ signature }) => signature))
    for (const { signature, direction } of variants) {
      const differs = direction === 'input' && outputs.size > 0 && !outputs.has(signature)
      const wanted = differs ? `${stem}Input` : stem
      let name = wanted
      for (let count = 2; (taken.get(name) ?? signature) !== signature; count++) {
        name = `${wanted}${count}`
      }
      taken.set(name, signature)
      // The variants of equal text in other scopes keep the name that the first one got.
      for (const each of variants) {
        if (each.signature === signature) this.#names.set(keyOf(each), name)
      }
    }
  }

  #render(draft: unknown): unknown {
    if (draft instanceof Link) {
      const name = this.#nameOf(draft)
      return `${this.#place}/${name}`
    }
    if (Array.isArray(draft)) return draft.map((item) => this.#render(item))
    if (!isPlainObject(draft)) return draft
    const entries = Object.entries(closed(draft)).map(([key, value]) => [key, this.#render(value)])
    return withDiscriminator(Object.fromEntries(entries) as Record<string, unknown>, draft)
  }

  #nameOf(link: Link): string {
    const name = this.#names.get(keyOf(link)) ?? link.component.stem
    if (!this.#schemas.has(name)) {
      // A recursive schema refers to itself.
      this.#schemas.set(name, {})
      this.#schemas.set(name, this.#render(link.draft) as SchemaObject)
    }
    return name
  }
}

/** The text of a variant and of all that it leads to. Links are numbers in it, in the order in
 *  which they are met. */
function sign(first: Link): string {
  const links = [first]
  const numbers = new Map([[keyOf(first), 0]])
  const write = (value: unknown): unknown => {
    if (value instanceof Link) {
      const known = numbers.get(keyOf(value))
      if (known !== undefined) return `#${known}`
      numbers.set(keyOf(value), links.length)
      links.push(value)
      return `#${links.length - 1}`
    }
    if (Array.isArray(value)) return value.map(write)
    if (!isPlainObject(value)) return value
    const shown = closed(value)
    const keys = Object.keys(shown).sort()
    return Object.fromEntries(keys.map((key) => [key, write(shown[key])]))
  }
  const texts: string[] = []
  // The list grows while it is read.
  for (const link of links) texts.push(JSON.stringify([link.component.stem, write(link.draft)]))
  return texts.join('\n')
}

/** Whether one name, or one name for each direction, is enough. */
function isNameable(variants: readonly Variant[]): boolean {
  const count = (some: readonly Variant[]): number =>
    new Set(some.map(({ signature }) => signature)).size
  const outputs = variants.filter(isOutput)
  return count(outputs) <= 1 && count(variants.filter((each) => !isOutput(each))) <= 1
}

function isOutput({ direction }: Variant): boolean {
  return direction === 'output'
}

function keyOf({ component, direction }: Pick<Variant, 'component' | 'direction'>): string {
  return `${component.id} ${direction}`
}

/** Gives alternatives that are components, and that texts tell apart, a discriminator. Without the
 *  names of components OpenAPI can say nothing of it. */
function withDiscriminator(
  schema: Record<string, unknown>,
  draft: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keyword = draft['oneOf'] === undefined ? 'anyOf' : 'oneOf'
  const members = listOf(draft[keyword])
  const links = members.map((member) => (isPlainObject(member) ? member['$ref'] : undefined))
  // What is written for OpenAPI, as callbacks are, has no links.
  if (members.length < 2 || links.some((link) => typeof link === 'string')) return schema
  const { discriminator: given, ...rest } = schema
  if (!links.every((link) => link instanceof Link)) return rest
  const wanted = isPlainObject(given) ? given['propertyName'] : undefined
  const texts = links.map(({ draft: target }) => textsOf(target, wanted))
  const propertyName = [...(texts[0]?.keys() ?? [])].find((name) => {
    const values = texts.flatMap((each) => each.get(name) ?? [])
    return texts.every((each) => each.has(name)) && new Set(values).size === values.length
  })
  if (propertyName === undefined) return rest
  const references = listOf(schema[keyword]).map((member) =>
    isPlainObject(member) ? member['$ref'] : undefined,
  )
  const entries = texts.flatMap((each, index) =>
    (each.get(propertyName) ?? []).map((text) => [text, references[index]] as const),
  )
  return { ...rest, discriminator: { propertyName, mapping: Object.fromEntries(entries) } }
}

/** The items of a list; none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The texts that required properties of a schema may have, where only some are taken.
 *  @param wanted the only property that counts, required or not */
function textsOf(draft: unknown, wanted: unknown): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  if (!isPlainObject(draft) || !isPlainObject(draft['properties'])) return found
  const required = listOf(draft['required'])
  for (const [name, schema] of Object.entries(draft['properties'])) {
    if (wanted === undefined ? !required.includes(name) : name !== wanted) continue
    if (!isPlainObject(schema)) continue
    const values = 'const' in schema ? [schema['const']] : listOf(schema['enum'])
    const texts = values.filter((value) => typeof value === 'string')
    if (texts.length > 0 && texts.length === values.length) found.set(name, texts)
  }
  return found
}
