import { Value } from '@sinclair/typebox/value'
import type { Output, TSchema } from 'espalier'

/** What PGlite and the driver of PostgreSQL have in common. */
export interface Connection {
  query(text: string, values: unknown[]): Promise<unknown[]>
  /** Runs a statement, or without values several. */
  run(text: string, values: unknown[]): Promise<void>
}

export interface Driver extends Connection {
  /** Commits when the work is done. Rolls back if it throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export class Session {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Gives the rows of a statement. A row that does not fit the schema is an error. */
  async query<Row extends TSchema>(
    row: Row,
    text: string,
    values: unknown[] = [],
  ): Promise<Output<Row>[]> {
    const found = await this.#connection.query(text, values)
    return found.map((each) => Value.Decode(row, each))
  }

  /** The same for a statement that always gives a row. */
  async queryOne<Row extends TSchema>(
    row: Row,
    text: string,
    values: unknown[] = [],
  ): Promise<Output<Row>> {
    const [found] = await this.#connection.query(text, values)
    return Value.Decode(row, found)
  }

  /** Runs a statement, or without values several. */
  run(text: string, values: unknown[] = []): Promise<void> {
    return this.#connection.run(text, values)
  }
}

export class Database extends Session {
  readonly #driver: Driver

  constructor(driver: Driver) {
    super(driver)
    this.#driver = driver
  }

  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#driver.transaction((connection) => work(new Session(connection)))
  }

  close(): Promise<void> {
    return this.#driver.close()
  }
}
