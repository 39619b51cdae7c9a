// The schemas of servers that validate with zod.
import { z } from 'zod'

const address = z.object({
  street: z.string(),
  city: z.string(),
  zip: z.string(),
  country: z.string(),
})

/** The body of the route of orders. */
export const zodOrder = z.object({
  customer: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address,
    billing: address,
  }),
  lines: z
    .array(
      z.object({
        sku: z.string(),
        title: z.string(),
        quantity: z.int().min(1),
        cents: z.int(),
        tags: z.array(z.string()),
      }),
    )
    .min(1),
  express: z.boolean(),
  note: z.string().optional(),
})

/** The schemas of a route that is like no other. */
export const ownZod = (n) => ({
  param: z.object({ id: z.coerce.number().int() }),
  query: z.object({
    [`page${n}`]: z.coerce.number().int(),
    size: z.coerce.number().int().optional(),
    q: z.string().optional(),
  }),
  json: z.object({
    [`title${n}`]: z.string(),
    count: z.int(),
    done: z.boolean(),
    note: z.string(),
    tags: z.array(z.string()),
    place: z.object({ [`city${n}`]: z.string(), zip: z.int() }),
  }),
})
