import type { Routed, RouteKey } from '../route/route-entry.ts'
import type { Saying } from '../types/checks.ts'
import type { Difference, Differs } from './difference.ts'
import type { TypesOfRoute } from './route-of.ts'

/** The parts of a request. */
export type RequestPart = 'params' | 'query' | 'headers' | 'body'

/** Claims about one route. */
export interface RouteTests<in out App extends Routed, in out Key extends RouteKey<App>> {
  /** What a caller sends as a part of the request; `undefined` is among it where the part may be
   *  left out. */
  takes<Part extends RequestPart>(
    part: Part,
  ): TypeTests<SentAs<TypesOfRoute<App, Key>['request'], Part>, `the sent ${Part}`>
  /** What the handler reads of a part of the request, once it is validated. */
  reads<Part extends RequestPart>(
    part: Part,
  ): TypeTests<TypesOfRoute<App, Key>[Part], `the ${Part}`>
  /** What `json()` gives a caller for a status, as `RouteOf` has it in `responses`. */
  replies<Status extends keyof TypesOfRoute<App, Key>['responses'] & number>(
    status: Status,
  ): TypeTests<TypesOfRoute<App, Key>['responses'][Status], `reply ${Status}`>
  /** Claims that a caller cannot send this value as a part of the request. Fields that the type
   *  does not name make no difference, as they make none in the type of a variable.
   *  @example expectRoute(app, 'POST /users').rejects('body', { name: 1 }) */
  rejects<Part extends RequestPart, const Value>(
    part: Part,
    value: Value & Refused<Value, SentAs<TypesOfRoute<App, Key>['request'], Part>, Part>,
  ): void
  /** Boots the server, and asks it for the route. It is the one claim that is checked at run time:
   *  types do not know what a plugin declares when it loads.
   *  @throws (the promise rejects) an AssertionError if the server has no such route */
  exists(): Promise<void>
}

/** Claims about one type. The constraint of a type argument has the message, since it is reported
 *  on the line of the argument. */
export interface TypeTests<in out Found, in out Subject extends string> {
  /** Claims that it is this type. `any` equals nothing else. An intersection of objects equals the
   *  object that it is. */
  toEqualTypeOf<Expected extends Unless<Difference<Found, Expected, Subject>>>(
    this: IfBottom<Expected, Unless<Difference<Found, Expected, Subject>>>,
  ): void
  /** Claims that it is assignable to this type. */
  toExtend<Expected extends Unless<Misfit<Found, Expected, Subject>>>(
    this: IfBottom<Expected, Unless<Misfit<Found, Expected, Subject>>>,
  ): void
}

type Unless<Differences> = [Differences] extends [never] ? unknown : Differences

/** `any` and `never` fulfil all constraints. */
type IfBottom<Expected, Check> = 0 extends 1 & Expected
  ? Check
  : [Expected] extends [never]
    ? Check
    : unknown

type Misfit<Found, Expected, Subject extends string> = [Found] extends [Expected]
  ? never
  : Differs<`${Subject} does not fit`, { expected: Expected; found: Found }>

type SentAs<Request, Part extends string> = Part extends keyof Request ? Request[Part] : undefined

type Refused<Value, Sent, Part extends string> = [Mutable<Value>] extends [Sent]
  ? Saying<`The route takes this value as ${Part}`>
  : unknown

/** The literal type of a value is readonly, and what a caller sends need not be. */
type Mutable<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
  : Value
