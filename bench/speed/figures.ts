// Medians, ratios, and tables of markdown.

export const median = (values: readonly number[]): number => quantile(values, 0.5)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN]
  return low + (high - low) * (at - Math.floor(at))
}

export interface Ratio {
  /** The median of the ratios of all rounds. */
  readonly ratio: number
  /** Half of what lies between the quartiles. */
  readonly spread: number
}

/** Compares two peers round by round. */
export function ratioOf(values: readonly number[], bases: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (bases[round] ?? NaN))
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2
  return { ratio: median(ratios), spread }
}

/** A table whose first column is text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A number with so many digits behind the point; a dash for none. */
export const digits = (value: number | undefined, count = 0): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(count)
