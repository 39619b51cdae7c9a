// The page. All that it knows of the server is its contract.
import {
  InfiniteQueryObserver,
  MutationCache,
  MutationObserver,
  QueryCache,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import { client, ClientError, UndeclaredResponse } from 'espalier/client'
import { queries } from 'espalier/query'
import type { Api } from './api.ts'
import { field, find, item, say } from './elements.ts'

const api = client<Api>('')
const query = queries(api)
/** What the server has said. It is asked again when something has changed there. */
const cache = new QueryClient({
  queryCache: new QueryCache({ onError: fail }),
  mutationCache: new MutationCache({ onError: fail }),
})

function button(text: string, act: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.onclick = () => attempt(act)
  return made
}

const main = document.querySelector('main') ?? document.body
const signIn = find(HTMLFormElement, 'sign-in')
const editor = find(HTMLFormElement, 'editor')
const search = find(HTMLInputElement, 'search')
const picker = find(HTMLInputElement, 'attach')
const [title, text, tags] = [field(editor, 'title'), field(editor, 'text'), field(editor, 'tags')]

/** What the page shows. */
let tag: string | undefined
let notes: ReturnType<typeof observeNotes> | undefined
let counts: ReturnType<typeof observeTags> | undefined
/** The note in the editor. A new one has none. */
let open: { id: number; version: number } | undefined
/** Ends the session on this page. */
let session: AbortController | undefined

/** Says what went wrong. */
function fail(error: unknown): void {
  if (error instanceof UndeclaredResponse) say(`The server answered with ${error.statusCode}`)
  else if (error instanceof ClientError) say(`No connection (${error.code})`)
  else throw error
}

/** Runs what a person has asked for, and says what went wrong. */
async function attempt(act: () => Promise<void>): Promise<void> {
  await act().catch(fail)
}

/** Says why the server did not do it. */
function refuse({ statusCode, body }: { statusCode: number; body: { message: string } }): void {
  if (statusCode === 401) askWho(body.message)
  else say(body.message)
}

// --- Who is it?

/** There is no session, or it has ended. */
function askWho(message: string): void {
  session?.abort()
  cache.clear()
  open = undefined
  signIn.hidden = false
  main.hidden = true
  find(HTMLElement, 'user').hidden = true
  say(message)
}

async function begin(): Promise<void> {
  const response = await api('GET /me')
  if (response.statusCode === 401) return askWho('')
  if (!response.ok) return void say(response.json().message)
  find(HTMLElement, 'name').textContent = response.json().name
  find(HTMLElement, 'user').hidden = false
  signIn.hidden = true
  main.hidden = false
  editor.hidden = true
  say('')
  session = new AbortController()
  const { signal } = session
  notes = observeNotes()
  counts = observeTags()
  signal.addEventListener('abort', notes.subscribe(show))
  signal.addEventListener('abort', counts.subscribe(showTags))
  void follow(signal)
}

async function enter(isNew: boolean): Promise<void> {
  const body = { name: field(signIn, 'name').value, password: field(signIn, 'password').value }
  const response = await api(isNew ? 'POST /users' : 'POST /session', { body })
  if (!response.ok) return void say(response.json().message)
  signIn.reset()
  await begin()
}

async function leave(): Promise<void> {
  await api('DELETE /session')
  askWho('')
}

// --- The list

/** Pages of the notes that are searched for. Each search has a place of its own in the cache. */
const notesWanted = () => {
  const q = search.value.trim() || undefined
  const chosen = tag
  return query.infiniteOptions(
    'GET /notes',
    (after: string | undefined) => ({ query: { q, tag: chosen, after } }),
    {
      initialPageParam: undefined,
      getNextPageParam: ({ ok, body }) => (ok ? body.next : undefined),
    },
  )
}

const observeNotes = () => new InfiniteQueryObserver(cache, notesWanted())
const observeTags = () => new QueryObserver(cache, query.queryOptions('GET /tags'))

type Result<Observer extends { getCurrentResult(): unknown }> = ReturnType<
  Observer['getCurrentResult']
>

function show({ data, hasNextPage }: Result<ReturnType<typeof observeNotes>>): void {
  const pages = data?.pages ?? []
  const refused = pages.find((page) => !page.ok)
  if (refused) return refuse(refused)
  if (data === undefined) return // the answer is on its way
  const items = pages
    .flatMap((page) => (page.ok ? page.body.notes : []))
    .map(({ id, title }) => {
      const entry = button(title, () => edit(id))
      entry.setAttribute('aria-current', String(id === open?.id))
      return item(entry)
    })
  find(HTMLElement, 'notes').replaceChildren(...items)
  find(HTMLElement, 'more').hidden = !hasNextPage
}

function showAgain(): void {
  if (notes) show(notes.getCurrentResult())
  if (counts) showTags(counts.getCurrentResult())
}

/** Another search, or another tag. */
function choose(): void {
  notes?.setOptions(notesWanted())
  showAgain()
}

function showTags({ data }: Result<ReturnType<typeof observeTags>>): void {
  if (!data?.ok) return
  const buttons = data.body.map(({ name, notes }) => {
    const made = button(`${name} (${notes})`, async () => {
      tag = tag === name ? undefined : name
      choose()
    })
    made.setAttribute('aria-pressed', String(tag === name))
    return made
  })
  find(HTMLElement, 'tags').replaceChildren(...buttons)
}

/** Follows what happens, here and elsewhere. After a connection that was cut, the stream says `open` again. */
async function follow(signal: AbortSignal): Promise<void> {
  await attempt(async () => {
    try {
      const response = await api('GET /changes', {}, { signal })
      if (response.statusCode === 401) return askWho(response.json().message)
      if (!response.ok) return void say(response.json().message)
      for await (const change of response.events({ reconnect: true })) {
        await Promise.all([
          cache.invalidateQueries({ queryKey: query.key('GET /notes') }),
          cache.invalidateQueries({ queryKey: query.key('GET /tags') }),
        ])
        if (change.change === 'deleted' && change.note === open?.id) close('The note was deleted')
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
}

// --- The editor

function close(message: string): void {
  open = undefined
  editor.hidden = true
  say(message)
}

function compose(): void {
  open = undefined
  editor.reset()
  editor.hidden = false
  find(HTMLElement, 'files').hidden = true
  find(HTMLElement, 'delete').hidden = true
  title.focus()
}

async function edit(id: number): Promise<void> {
  const answer = await cache.fetchQuery(query.queryOptions('GET /notes/:id', { params: { id } }))
  if (!answer.ok) return refuse(answer)
  const note = answer.body
  open = { id, version: note.version }
  title.value = note.title
  text.value = note.text
  tags.value = note.tags.join(' ')
  const files = note.attachments.map((file) =>
    item(
      button(`${file.name} (${file.size} bytes)`, () => download(id, file)),
      button(`Remove ${file.name}`, async () => {
        await api('DELETE /notes/:id/attachments/:attachment', {
          params: { id, attachment: file.id },
        })
        await edit(id)
      }),
    ),
  )
  find(HTMLElement, 'attachments').replaceChildren(...files)
  find(HTMLElement, 'files').hidden = false
  find(HTMLElement, 'delete').hidden = false
  editor.hidden = false
  showAgain()
}

const creation = new MutationObserver(cache, query.mutationOptions('POST /notes'))
const change = new MutationObserver(cache, query.mutationOptions('PATCH /notes/:id'))
const deletion = new MutationObserver(cache, query.mutationOptions('DELETE /notes/:id'))

async function save(): Promise<void> {
  const body = {
    title: title.value,
    text: text.value,
    tags: tags.value.split(/\s+/).filter(Boolean),
  }
  const answer = open
    ? await change.mutate({
        params: { id: open.id },
        headers: { 'if-match': `"${open.version}"` },
        body,
      })
    : await creation.mutate({ body })
  if (!answer.ok) return refuse(answer) // 412: somebody else has changed it
  await edit(answer.body.id)
  say('Saved')
}

async function remove(): Promise<void> {
  if (!open) return
  const answer = await deletion.mutate({ params: { id: open.id } })
  if (answer.ok) close('Deleted')
  else refuse(answer)
}

async function attach(file: File): Promise<void> {
  if (!open) return
  const { id } = open
  const response = await api('POST /notes/:id/attachments', {
    params: { id },
    headers: { 'content-type': 'multipart/form-data' },
    body: { file },
  })
  if (!response.ok) return void say(response.json().message) // 413: it is too large
  picker.value = ''
  await edit(id)
}

async function download(id: number, file: { id: string; name: string }): Promise<void> {
  const response = await api('GET /notes/:id/attachments/:attachment', {
    params: { id, attachment: file.id },
  })
  if (!response.ok) return void say(response.json().message)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([await response.bytes()]))
  link.download = file.name
  link.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

// --- What people do

signIn.addEventListener('submit', (event) => {
  event.preventDefault()
  const isNew = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'up'
  void attempt(() => enter(isNew))
})
editor.addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(save)
})
search.addEventListener('input', choose)
picker.addEventListener('change', () => {
  const file = picker.files?.[0]
  if (file) void attempt(() => attach(file))
})
find(HTMLElement, 'sign-out').addEventListener('click', () => void attempt(leave))
find(HTMLElement, 'new').addEventListener('click', compose)
find(HTMLElement, 'more').addEventListener('click', () => void notes?.fetchNextPage())
find(HTMLElement, 'delete').addEventListener('click', () => void attempt(remove))

void attempt(begin)
