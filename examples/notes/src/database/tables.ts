// The tables, as the migrations make them. The types of all queries follow from here.
import { integer, pgTable, pgView, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const users = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  password: text().notNull(),
})

export const sessions = pgTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const presence = pgTable('presence', {
  id: uuid().primaryKey(),
  userId: integer('user_id').notNull(),
  doing: text().notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
})

export const notes = pgTable('notes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  owner: integer().notNull(),
  title: text().notNull(),
  text: text().notNull(),
  tags: text().array().notNull(),
  version: integer().notNull().default(1),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})

/** A view: how many notes of an owner have a tag. */
export const tags = pgView('tags', {
  owner: integer().notNull(),
  name: text().notNull(),
  notes: integer().notNull(),
}).existing()

export const attachments = pgTable('attachments', {
  id: uuid().primaryKey(),
  note: integer().notNull(),
  name: text().notNull(),
  type: text().notNull(),
  size: integer().notNull(),
})
