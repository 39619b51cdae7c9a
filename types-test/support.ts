// What the type tests share. No test by itself: its name does not end with `.test-d.ts`.

/** Whether two types are the same, as every compiler sees it; `any` is the same as nothing else. */
export type Equal<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false

/** Shows an intersection of objects as one object. */
export type Flat<Type> = { [Key in keyof Type]: Type[Key] }

/** Says whether the type of a value is `any`: `expectType<false>(isAny(request))`. */
export declare function isAny<Value>(value: Value): 0 extends 1 & Value ? true : false
