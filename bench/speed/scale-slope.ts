// How fast a heap grows.

/** The heap after so many requests. */
export interface Point {
  readonly requests: number
  readonly heap: number
}

/** What is said of a heap that grew over many requests. */
export interface Growth {
  readonly points: readonly Point[]
  /** Bytes for a request: the slope of the straight line through the points of the second half. */
  readonly slope: number
  /** Whether the slope is more than noise. */
  readonly grows: boolean
}

/** Less than so many bytes for a request is noise. */
const leastSlope = 0.1
/** The line has to rise by so many bytes in the second half: less is noise. */
const leastRise = 100_000

export function growthOf(points: readonly Point[]): Growth {
  const half = points.slice(-Math.ceil((points.length + 1) / 2))
  const slope = slopeOf(half)
  const rise = slope * ((half.at(-1)?.requests ?? 0) - (half[0]?.requests ?? 0))
  return { points, slope, grows: slope >= leastSlope && rise >= leastRise }
}

/** By least squares. */
function slopeOf(points: readonly Point[]): number {
  const mean = (of: keyof Point) => points.reduce((sum, at) => sum + at[of], 0) / points.length
  const [x, y] = [mean('requests'), mean('heap')]
  const sum = (term: (dx: number, dy: number) => number) =>
    points.reduce((total, at) => total + term(at.requests - x, at.heap - y), 0)
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx)
}

/** Cells of a table: the heap before and after, in MB, and bytes for a request, or `none`. */
export function growthCells({ points, slope, grows }: Growth): string[] {
  const mega = (point: Point | undefined) => ((point?.heap ?? NaN) / 1e6).toFixed(2)
  return [mega(points[0]), mega(points.at(-1)), grows ? slope.toFixed(2) : 'none']
}

export const growthHead = ['heap before, MB', 'heap after, MB', 'growth, bytes a request']
