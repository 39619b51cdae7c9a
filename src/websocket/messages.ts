import { parse as parseJson } from 'secure-json-parse'
import type { RouteRegistration } from '../route/declaration.ts'
import { SchemaCompiler } from '../route/schemas/compiler.ts'
import type { Serializer, ValidationError, ValidatorFunction } from '../schema/compiler-types.ts'
import type { Host } from '../server/host.ts'
import {
  type Refusal as Refused,
  runValidator,
  type ValidationOutcome,
} from '../validation/run-validator.ts'
import type { ReadNumbers } from '../validation/body-numbers.ts'
import type { Secrets } from '../validation/secrets.ts'
import { createValidationError } from '../validation/validation-error.ts'

/** The schemas of the messages of one route. */
export interface MessageSchemas {
  readonly receive?: unknown
  readonly send?: unknown
}

/** A message as `ws` gives it. */
export interface Frame {
  readonly data: Buffer
  readonly isBinary: boolean
}

/** What a message says, or why it is refused. */
export type ReadMessage = { readonly value: unknown } | { readonly refusal: Refusal }

export interface Refusal {
  readonly error: ValidationError
  /** The code that closes the socket (RFC 6455, section 7.4.1). */
  readonly closeCode: 1003 | 1007
}

/** Reads and writes the messages of one route. */
export class Messages {
  readonly #host: Host
  readonly #registration: RouteRegistration
  readonly #receive: unknown
  readonly #validate: ValidatorFunction | undefined
  readonly #readNumbers: ReadNumbers | undefined
  readonly #serialize: Serializer | undefined
  /** The sensitive values of received messages, if there are some. */
  readonly #secrets: Secrets[] = []

  /** @throws ESP_ERR_SCH_* for a schema that cannot be compiled */
  constructor({ receive, send }: MessageSchemas, registration: RouteRegistration, host: Host) {
    this.#host = host
    this.#registration = registration
    this.#receive = receive
    const { method, url, context } = registration
    if (receive !== undefined) {
      const reader = this.#compilerOf('receive')
      this.#validate = reader.validator(receive, 'body', undefined, this.#secrets)
      this.#readNumbers = reader.numberReader([receive])
    }
    if (send !== undefined) {
      const writer = this.#compilerOf('send')
      const schema = writer.read(send, `The schema 'send' of ${method} ${url} in ${context.path}`)
      this.#serialize = writer.serializer({ schema, httpStatus: 'default' })
    }
  }

  #compilerOf(word: string): SchemaCompiler {
    const { method, url, context } = this.#registration
    const name = `'${word}' of ${method} ${url} in ${context.path}`
    return new SchemaCompiler(this.#registration, name, this.#host.compilers, this.#host.dialect)
  }

  /** The data of a message to send. @throws for a message that does not fit */
  write(message: unknown): string | Uint8Array {
    return this.#serialize === undefined ? (message as string) : this.#serialize(message)
  }

  read(frame: Frame): ReadMessage | Promise<ReadMessage> {
    const validate = this.#validate
    if (validate === undefined) return { value: frame.isBinary ? frame.data : String(frame.data) }
    if (frame.isBinary) {
      const error = { message: 'message is binary, not JSON' }
      return this.#refuse({ error }, frame.data, 1003)
    }
    const text = String(frame.data)
    let value: unknown
    try {
      const { onProtoPoisoning, onConstructorPoisoning } = this.#host.options
      const actions = { protoAction: onProtoPoisoning, constructorAction: onConstructorPoisoning }
      const parse = (json: string): unknown => parseJson(json, actions)
      value = this.#readNumbers === undefined ? parse(text) : this.#readNumbers(text, parse)
    } catch (cause) {
      // Its reason quotes the text.
      const reason = this.#secrets.length > 0 ? '' : `: ${(cause as Error).message}`
      const error = { message: `message is not JSON${reason}` }
      return this.#refuse({ error }, text)
    }
    const outcome = runValidator(validate, value)
    return outcome instanceof Promise
      ? outcome.then((later) => this.#judge(value, later))
      : this.#judge(value, outcome)
  }

  #judge(value: unknown, outcome: ValidationOutcome | undefined): ReadMessage {
    if (outcome === undefined) return { value }
    return 'error' in outcome ? this.#refuse(outcome, value) : outcome
  }

  #refuse(refusal: Refused, value: unknown, closeCode: Refusal['closeCode'] = 1007): ReadMessage {
    const { context, declaration } = this.#registration
    const rules = {
      subject: 'message',
      server: context.objects.server,
      place: context.path,
      formatter: declaration.schemaErrorFormatter ?? context.resolve('schemaErrorFormatter'),
      policy: this.#host.dialect.errors,
      bundle: (given: unknown) => this.#compilerOf('receive').bundle(given, 'body'),
    }
    const schema = this.#receive
    const error = createValidationError({ part: 'body', schema, data: value, refusal, rules })
    return { refusal: { error, closeCode } }
  }
}
