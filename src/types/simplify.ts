/** Shows an intersection of objects as one object.
 *  @example type Point = Simplify<{ x: number } & { y: number }> // { x: number; y: number } */
export type Simplify<Type> = { [Key in keyof Type]: Type[Key] }
