import { t, type Output } from 'espalier'

export const User = t.Object({ id: t.Integer(), email: t.String() })

export type User = Output<typeof User>
