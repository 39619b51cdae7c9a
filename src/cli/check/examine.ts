import type { Host } from '../../server/host.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { nearMiss } from '../../errors/near-miss.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import { conversions } from './kinds/conversions.ts'
import { lists } from './kinds/lists.ts'
import { objects } from './kinds/objects.ts'
import { replies } from './kinds/replies.ts'
import { type Recheck, slowPatterns } from './kinds/slow-pattern.ts'
import { texts } from './kinds/texts.ts'
import { unions } from './kinds/unions.ts'
import type { Kind } from './kind.ts'
import { type Place, Places, type Silence } from './places.ts'
import { Probe, type Shown } from './probe.ts'
import { showUndeclared, undeclaredStatus } from './statuses.ts'
import { NotExaminable, type Subject } from './subject.ts'
import { subjectsOf, type Unexamined } from './subjects.ts'

/** A hazard at one place of a schema, with the input that shows it. */
export interface Hazard extends Shown {
  readonly kind: string
  readonly route: string
  /** The part: `body`, `querystring`, `response 200`. */
  readonly part: string
  /** The place of the value, as a JSON pointer. */
  readonly pointer: string
  readonly sentence: string
  readonly remedy: string
}

/** What was found in an application. */
export interface Findings {
  readonly hazards: readonly Hazard[]
  /** How many hazards are meant, as their schemas say. */
  readonly meant: number
  readonly unexamined: readonly Unexamined[]
  /** Names in `meant` that name no hazard there. */
  readonly needless: readonly Needless[]
}

export interface Needless {
  readonly kind: string
  readonly route: string
  readonly part: string
  readonly pointer: string
}

/** Examines all schemas of an application that has booted.
 *  @param recheck finds slow patterns. Undefined where it is not installed
 *  @throws UsageError for a kind in `meant` that does not exist */
export function examine(host: Host, recheck: Recheck | undefined): Findings {
  const examiner = new Examiner(host, recheck)
  for (const registrations of routesOf(host)) examiner.route(registrations)
  return examiner.findings()
}

/** The registrations of each route. One for several methods or URLs is one route. */
function routesOf(host: Host): RouteRegistration[][] {
  const routes = new Map<unknown, RouteRegistration[]>()
  for (const registration of host.routes.registrations()) {
    const { declaration } = registration
    routes.set(declaration, [...(routes.get(declaration) ?? []), registration])
  }
  return [...routes.values()]
}

/** All kinds but that of statuses, which no schema has. */
const kindsWith = (recheck: Recheck | undefined): readonly Kind[] => [
  ...[...conversions, ...objects, ...unions, ...texts],
  ...[slowPatterns(recheck), ...lists, ...replies],
]

/** The names that `meant` may have. */
export const kindNames: readonly string[] = [
  ...kindsWith(undefined).map(({ name }) => name),
  undeclaredStatus.name,
]

class Examiner {
  readonly #host: Host
  readonly #kinds: readonly Kind[]
  readonly #hazards: Hazard[] = []
  readonly #unexamined: Unexamined[] = []
  readonly #silences = new Map<string, Needless & { isNeeded: boolean }>()
  /** The responses of scopes that were examined. */
  readonly #scopes = { usual: new Set<unknown>(), strict: new Set<unknown>() }
  readonly #seesSlow: boolean
  #meant = 0

  constructor(host: Host, recheck: Recheck | undefined) {
    this.#host = host
    this.#seesSlow = recheck !== undefined
    this.#kinds = kindsWith(recheck)
  }

  findings(): Findings {
    const needless = [...this.#silences.values()]
      .filter(({ isNeeded }) => !isNeeded)
      .map(({ isNeeded: _isNeeded, ...each }) => each)
    return {
      hazards: this.#hazards.sort((a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind)),
      meant: this.#meant,
      unexamined: this.#unexamined,
      needless,
    }
  }

  /** @param registrations those of the methods of one route */
  route(registrations: readonly RouteRegistration[]): void {
    const methods = new Set(registrations.map(({ method }) => method))
    const [first] = registrations
    const name = `${[...methods].join()} ${first?.url ?? ''}`
    const parts = new Set<string>()
    const silences: Silence[] = []
    for (const registration of registrations) {
      for (const found of subjectsOf(this.#host, registration, name, this.#scopes)) {
        const key = `${found.route} ${found.part}`
        if (parts.has(key)) continue
        parts.add(key)
        if ('reason' in found) this.#unexamined.push(found)
        else silences.push(...this.#subject(found))
      }
    }
    const shown = first && showUndeclared(this.#host, first)
    if (shown === undefined) return
    const at = { ...undeclaredStatus, route: name, part: 'response', pointer: '' }
    this.#add({ ...shown, ...at, kind: at.name }, silences)
  }

  /** @returns what the whole schema says is meant */
  #subject(subject: Subject): readonly Silence[] {
    const places = new Places(subject)
    const seen: Silence[] = []
    let ofRoot: readonly Silence[] = []
    const unexamined = this.#unexamined.length
    try {
      for (const place of places.all()) {
        const probe = new Probe(subject, place, places.samples)
        const { silences, keys, base, reason } = place
        for (const silence of silences) this.#note(silence, probe)
        seen.push(...silences)
        if (keys.length === 0 && subject.isReply) ofRoot = silences
        const isShown = this.#probe(probe, place)
        if (base === undefined && reason !== undefined && !isShown)
          this.#leave(subject, `no value is found that fits${at(probe.pointer)}: ${reason}`)
      }
      if (places.isCut) this.#leave(subject, 'it is too large to look at all of it')
    } catch (error) {
      if (!(error instanceof NotExaminable)) throw error
      this.#leave(subject, error.message)
    }
    // Nobody knows what the rest would have shown.
    if (this.#unexamined.length > unexamined) for (const silence of seen) this.#need(silence)
    return ofRoot
  }

  #leave({ route, part }: Subject, reason: string): void {
    this.#unexamined.push({ route, part, reason })
  }

  /** @returns whether there is a hazard */
  #probe(probe: Probe, place: Place): boolean {
    const { subject, pointer } = probe
    const { route, part, isReply, isForeign } = subject
    let isShown = false
    for (const each of this.#kinds) {
      const { name: kind, sentence, remedy, of, needsNoValue } = each
      if (of !== 'both' && (of === 'reply') !== isReply) continue
      if (place.base === undefined && needsNoValue !== true) continue
      const shown = each.probe(probe)
      if (shown === undefined) continue
      isShown = true
      const what = { sentence, ...shown, remedy: isForeign ? ofLibrary : remedy }
      this.#add({ kind, route, part, pointer, ...what }, place.silences)
    }
    return isShown
  }

  #add(hazard: Hazard, silences: readonly Silence[]): void {
    const { kind, route, part, pointer, sentence, input, result, remedy } = hazard
    const silent = silences.filter(({ names }) => names.includes(kind))
    for (const silence of silent) this.#need(silence, kind)
    if (silent.length > 0) this.#meant++
    else this.#hazards.push({ kind, route, part, pointer, sentence, input, result, remedy })
  }

  /** @throws UsageError */
  #note({ names, schema }: Silence, { subject, pointer }: Probe): void {
    const { route, part } = subject
    for (const kind of names) {
      if (!kindNames.includes(kind)) {
        const near = nearMiss(kind, kindNames)
        const meant = near === undefined ? '' : `Is '${near}' meant? `
        throw new UsageError(
          `There is no hazard '${kind}': 'meant' names it in ${part} of ${route}${at(pointer)}`,
          `${meant}There are: ${kindNames.join(', ')}`,
        )
      }
      const key = JSON.stringify([schema, kind])
      const isNeeded = kind === 'slow-pattern' && !this.#seesSlow
      const silence = this.#silences.get(key) ?? { kind, route, part, pointer, isNeeded }
      this.#silences.set(key, silence)
    }
  }

  /** Notes that a silence is needed.
   *  @param only the kind that it silences. @default all that it names */
  #need({ names, schema }: Silence, only?: string): void {
    for (const kind of only === undefined ? names : [only]) {
      const known = this.#silences.get(JSON.stringify([schema, kind]))
      if (known !== undefined) known.isNeeded = true
    }
  }
}

const ofLibrary = 'Change the schema as its library does it: strict mode does not reach it'

const at = (pointer: string): string => (pointer === '' ? '' : ` at ${pointer}`)
