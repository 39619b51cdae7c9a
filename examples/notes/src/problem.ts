import { t } from 'espalier'

/** What every answer has that is no success. */
export const Problem = t.Object({ message: t.String() })
