import { t } from 'espalier'

/** The framework's own errors have these fields too. */
export const Problem = t.Object({ message: t.String() })
