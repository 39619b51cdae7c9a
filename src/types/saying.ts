/** A sentence that a type is asked for where it is wrong. Nothing is of this type: a text could be among what is right, or be
 *  reduced to never beside what has nothing in common with it. */
export interface Saying<_Sentence> {
  readonly [said]: never
}
declare const said: unique symbol
