/** Whether a result is a promise in any case. What is `any`, or never comes, is not known to be one, and what can
 *  be awaited besides, as a reply, is none. */
export type IsPromise<Result> = 0 extends 1 & Result
  ? false
  : [Result] extends [never]
    ? false
    : [Result] extends [Promise<unknown>]
      ? true
      : false
