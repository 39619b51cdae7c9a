/** The parameters of a path as find-my-way reads it. Values are strings until a schema says more.
 *  @example
 *  type Params = PathParams<'/users/:id/files/*'> // { id: string; '*': string }
 *  type Maybe = PathParams<'/users/:id?'> // { id?: string }
 *  type Two = PathParams<'/at/:hour(^\\d+)h:minute'> // { hour: string; minute: string } */
export type PathParams<Path extends string, Name = NameIn<Path>> = string extends Path
  ? { [name: string]: string }
  : [OptionalName<Name>] extends [never]
    ? { [Key in Name & string]: string }
    : {
        [
          Key in keyof (Record<Exclude<Name, `${string}?`> & string, 1> & {
            [Key in OptionalName<Name> & string]?: 1
          })
        ]: string
      }

/** The names of the parameters of a path.
 *  @example type Names = ParamName<'/:user/:post?'> // 'user' | 'post' */
export type ParamName<Path extends string> = WithoutMark<NameIn<Path>>

type WithoutMark<Name> = Name extends `${infer Clean}?` ? Clean : Name
type OptionalName<Name> = Name extends `${infer Clean}?` ? Clean : never

/** All names with their `?`. Each step takes one colon; `::` stands for a colon itself. */
type NameIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Literal}`
    ? NameIn<Literal>
    : FirstName<Rest> | NameIn<AfterName<Rest, FirstName<Rest>>>
  : Path extends `${string}*`
    ? '*'
    : never

/** A name ends at the first of these characters: the path is cut at each of them in turn. */
type FirstName<Path extends string> = Cut<Cut<Cut<Cut<Path, '('>, '/'>, '-'>, '.'>

type Cut<Path extends string, Stop extends string> = Path extends `${infer Head}${Stop}${string}`
  ? Head
  : Path

type AfterName<Path extends string, Name extends string> = Path extends `${Name}${infer Rest}`
  ? Rest extends `(${string}`
    ? AfterPattern<Rest>
    : Rest
  : ''

/** What follows the regular expression of a parameter. Depth is a tuple as long as the number of
 *  parentheses that are open; escaped ones are not told apart. */
type AfterPattern<
  Path extends string,
  Depth extends 0[] = [],
> = Path extends `${infer Head})${infer Tail}`
  ? Opened<Head, Depth> extends [0, ...infer Left extends 0[]]
    ? Left extends []
      ? Tail
      : AfterPattern<Tail, Left>
    : Tail
  : ''

type Opened<Path extends string, Depth extends 0[]> = Path extends `${string}(${infer Tail}`
  ? Opened<Tail, [0, ...Depth]>
  : Depth
