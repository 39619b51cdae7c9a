type Answers = Map<string, Map<unknown, boolean>>

let answers: Answers | undefined

/** Runs a function. Within it, `recall` knows whether a value fits a definition once a matcher has
 *  asked. A union inside of a value is asked at each level above it, too, so without that a
 *  recursive value would need time that grows with the square of its depth. All matchers that are
 *  asked meanwhile are of one bundle.
 *  @param remembers false where values may change while it runs */
export function withAnswers<Result>(remembers: boolean, run: () => Result): Result {
  const outer = answers
  answers = remembers ? new Map() : undefined
  try {
    return run()
  } finally {
    answers = outer
  }
}

/** Whether a value fits a definition. Undefined if that is not known.
 *  @param reference the reference to the definition */
export function recall(value: unknown, reference: string): boolean | undefined {
  return answers?.get(reference)?.get(value)
}

/** Keeps the answer for `recall`, and returns it. */
export function remember(value: unknown, reference: string, answer: boolean): boolean {
  if (answers === undefined || typeof value !== 'object') return answer
  const known = answers.get(reference) ?? new Map<unknown, boolean>()
  answers.set(reference, known.set(value, answer))
  return answer
}
