import { t } from 'espalier'

/** The body of every answer that is no success. */
export const Problem = t.Object({ message: t.String() })
