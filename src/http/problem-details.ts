import { phraseOf } from './status.ts'

/** The content type of problem details (RFC 9457, 3). */
export const problemJson = 'application/problem+json'

/** What a problem says beside its status. */
interface ProblemFacts {
  /** What the client may know of this very error. */
  readonly detail?: string | undefined
  readonly code?: string | undefined
  readonly issues?: unknown
}

/** The payload of an error as problem details (RFC 9457, 3.1). Its type is `about:blank`, which is
 *  left out: the title is the phrase of the status then (4.2.1). `code` and `issues` are
 *  extensions. */
export interface ProblemDetails extends ProblemFacts {
  readonly title: string
  readonly status: number
}

export function toProblem(status: number, facts: ProblemFacts): ProblemDetails {
  const title = phraseOf(status)
  const given = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { title, status, ...Object.fromEntries(given) }
}
