/** Finds the word of a list that a misspelt word probably means. A third of its letters may be
 *  wrong, missing, too many, or swapped with a neighbour. Undefined where no word is that near. */
export function nearMiss(word: string, words: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const each of words) {
    const count = editDistance(word, each)
    if (count < least) [nearest, least] = [each, count]
  }
  return nearest
}

/** More names than these do not help a reader. */
const fewNames = 16

/** What to say of an unknown word: the known one that is near, or else which there are.
 *  @param seeAlso where the others stand, if there are many */
export function suggestion(word: unknown, words: Iterable<string>, seeAlso = ''): string {
  const near = typeof word === 'string' ? nearMiss(word, words) : undefined
  if (near !== undefined) return `Did you mean '${near}'?`
  const known = [...words]
  const some = known.slice(0, fewNames).join(', ') || 'none'
  const others = known.length - fewNames
  return others <= 0 ? `There are: ${some}` : `There are: ${some}, and ${others} others${seeAlso}`
}

/** The distance of Damerau and Levenshtein (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let at = 1; at <= from.length; at++) {
    const row = [at]
    for (let other = 1; other <= to.length; other++) {
      const isSame = from[at - 1] === to[other - 1]
      const changed = (last[other - 1] ?? 0) + (isSame ? 0 : 1)
      const oneMore = Math.min(last[other] ?? 0, row[other - 1] ?? 0) + 1
      const isSwap = from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1]
      const swapped = isSwap ? (beforeLast[other - 2] ?? 0) + 1 : Infinity
      row.push(Math.min(changed, oneMore, swapped))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[to.length] ?? 0
}
