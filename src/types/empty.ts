/** The type of an object of which nothing is known, and where a record starts before it grows. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it disappears in intersections
export type Empty = {}
