/** Whether a schema describes what clients send, or what they receive. A field with a default may
 *  be missing in what they send, and is there in what they receive. */
export type Direction = 'input' | 'output'

/** A schema that gets a name in the document. */
export interface Component {
  /** Its place among the components of the document. */
  readonly id: number
  /** The name that it asks for. */
  readonly stem: string
  /** The name of the scope that it belongs to. */
  readonly scope: string
  /** By direction. The schema of a validation library is there in the direction of its use. */
  drafts: Partial<Record<Direction, unknown>>
  /** Whether a schema of a strict route refers to it as to a part of a value's schemas. */
  isPart?: boolean
}

/** A reference to a component in a draft of a schema. The component has no name yet. */
export class Link {
  readonly component: Component
  readonly direction: Direction

  constructor(component: Component, direction: Direction) {
    this.component = component
    this.direction = direction
  }

  get draft(): unknown {
    return this.component.drafts[this.direction]
  }
}
