// The page. All that it knows of the server is its contract.
import {
  InfiniteQueryObserver,
  MutationCache,
  MutationObserver,
  QueryCache,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import { client, ClientError, UndeclaredResponse, type CallMiddleware } from 'espalier/client'
import { queries } from 'espalier/query'
import type { Api } from './api.ts'
import { field, find, item, replace, say } from './elements.ts'
import { move, useKeys } from './keys.ts'

/** Statuses of a proxy whose server does not answer. */
const away = [502, 503, 504]

/** Shows whether the server answers. The stream of changes tries again and again, so this also tells when it is back. */
const tellConnection: CallMiddleware = async (request, next) => {
  const offline = find(HTMLElement, 'offline')
  try {
    const response = await next(request)
    offline.hidden = !away.includes(response.statusCode)
    return response
  } catch (error) {
    if (error instanceof ClientError && error.code === 'ESP_ERR_CLIENT_NETWORK')
      offline.hidden = false
    throw error
  }
}

const api = client<Api>('', { use: [tellConnection] })
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
const list = find(HTMLElement, 'notes')
const article = find(HTMLElement, 'note')
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
/** What was written when the editor was filled, or when it was saved. */
let saved = ''
/** Notes that have changed, and that the list does not show yet. */
const fresh = new Set<number>()
/** Ends the session on this page. */
let session: AbortController | undefined

/** Says what went wrong. */
function fail(error: unknown): void {
  if (error instanceof UndeclaredResponse)
    say(`The server answered with ${error.statusCode}. Try again later.`)
  else if (!(error instanceof ClientError)) throw error
  else if (find(HTMLElement, 'offline').hidden) say(error.message)
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
  close(message)
  signIn.hidden = false
  main.hidden = true
  find(HTMLElement, 'user').hidden = true
}

async function begin(): Promise<void> {
  const response = await api('GET /session')
  if (!response.ok) return say(response.json().message)
  if (response.statusCode === 204) return askWho('')
  find(HTMLElement, 'name').textContent = response.json().name
  find(HTMLElement, 'user').hidden = false
  signIn.hidden = true
  main.hidden = false
  say('')
  session = new AbortController()
  const { signal } = session
  notes = observeNotes()
  counts = observeTags()
  signal.addEventListener('abort', notes.subscribe(show))
  signal.addEventListener('abort', counts.subscribe(showTags))
  useKeys({ compose, save: () => editor.requestSubmit(), back }, signal)
  void follow(signal)
}

async function enter(isNew: boolean): Promise<void> {
  const body = { name: field(signIn, 'name').value, password: field(signIn, 'password').value }
  const response = await api(isNew ? 'POST /users' : 'POST /session', { body })
  if (response.statusCode === 429)
    return say(`Too many attempts. Try again in ${response.headers['retry-after']} seconds.`)
  if (!response.ok) return say(response.json().message)
  signIn.reset()
  await begin()
}

async function leave(): Promise<void> {
  if (!mayLeave()) return
  await api('DELETE /session')
  clear(false)
  location.reload() // nothing stays for whoever comes next
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
type Pages = Result<ReturnType<typeof observeNotes>>

let shown: Pages['data']

function show({ data, hasNextPage }: Pages): void {
  if (data === undefined || data === shown) return // the answer is on its way, or is shown
  const refused = data.pages.find((page) => !page.ok)
  if (refused) return refuse(refused)
  shown = data
  const found = data.pages.flatMap((page) => (page.ok ? page.body.notes : []))
  const items = found.map(({ id, title, tags }) => {
    const entry = button(title, () => edit(id))
    entry.id = `note-${id}`
    const small = document.createElement('small')
    small.textContent = tags.join(', ')
    entry.append(small)
    if (fresh.delete(id)) entry.animate([{ backgroundColor: 'var(--fresh)' }, {}], 2000)
    return item(entry)
  })
  replace(list, items)
  mark()
  const isSearch = search.value !== '' || tag !== undefined
  const none = isSearch
    ? 'No note matches. Clear the search to see all.'
    : 'No notes yet. Write the first one.'
  find(HTMLElement, 'empty').textContent = items.length === 0 ? none : ''
  find(HTMLElement, 'more').hidden = !hasNextPage
}

/** Marks the note that is open. */
function mark(): void {
  for (const entry of list.querySelectorAll('button'))
    entry.ariaCurrent = String(entry.id === `note-${open?.id}`)
}

/** Another search, or another tag. */
function choose(): void {
  notes?.setOptions(notesWanted())
  if (counts) showTags(counts.getCurrentResult())
}

function showTags({ data }: Result<ReturnType<typeof observeTags>>): void {
  if (!data?.ok) return
  const buttons = data.body.map(({ name, notes }) => {
    const made = button(`${name} (${notes})`, async () => {
      tag = tag === name ? undefined : name
      choose()
    })
    made.id = `tag-${name}`
    made.ariaPressed = String(tag === name)
    return made
  })
  replace(find(HTMLElement, 'tags'), buttons)
}

/** Follows what happens, here and elsewhere. After a connection that was cut, the stream says `open` again. */
async function follow(signal: AbortSignal): Promise<void> {
  await attempt(async () => {
    try {
      const response = await api('GET /changes', {}, { signal })
      if (response.statusCode === 401) return askWho(response.json().message)
      if (!response.ok) return say(response.json().message)
      for await (const change of response.events({ reconnect: { after: away } })) {
        if (change.change !== 'open') fresh.add(change.note)
        await Promise.all([
          cache.invalidateQueries({ queryKey: query.key('GET /notes') }),
          cache.invalidateQueries({ queryKey: query.key('GET /tags') }),
        ])
        if (change.change !== 'open' && change.note !== open?.id) continue
        if (change.change !== 'deleted') await attempt(refresh)
        else if (!isChanged()) close('The note was deleted')
        else {
          open = undefined
          say('The note was deleted meanwhile. Save yours as a new one, or close it.')
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
}

// --- The editor

const written = () => ({
  title: title.value,
  text: text.value,
  tags: tags.value.split(/\s+/).filter(Boolean),
})
const isChanged = () => JSON.stringify(written()) !== saved

const size = new Intl.NumberFormat('en', {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
})

/** Asks before what was written is lost. */
const mayLeave = () => !isChanged() || confirm('Leave the note without saving it?')

/** An empty editor. */
function clear(isOpen: boolean): void {
  open = undefined
  editor.reset()
  saved = JSON.stringify(written())
  article.hidden = !isOpen
  find(HTMLElement, 'files').hidden = true
  find(HTMLElement, 'delete').hidden = true
  mark()
}

function close(message: string): void {
  clear(false)
  say(message)
}

function compose(): void {
  if (!mayLeave()) return
  clear(true)
  title.focus()
}

function leaveNote(): void {
  if (!mayLeave()) return
  move(0)
  close('')
}

/** Leaves the search, or the note. */
function back(): void {
  if (document.activeElement !== search && !article.hidden) return leaveNote()
  search.value = ''
  search.blur()
  tag = undefined
  choose()
  move(0)
}

const read = (id: number) =>
  cache.fetchQuery(query.queryOptions('GET /notes/:id', { params: { id } }))

async function edit(id: number): Promise<void> {
  if (!mayLeave()) return
  const answer = await read(id)
  if (!answer.ok) return refuse(answer)
  clear(true)
  fill(answer.body)
  article.focus()
}

/** Reads the note that is open again. */
async function refresh(): Promise<void> {
  const id = open?.id
  if (id === undefined) return
  const answer = await read(id)
  if (id !== open?.id) return // another one has been opened
  if (answer.ok) fill(answer.body)
  else refuse(answer)
}

/** Fills the editor. What somebody is writing stays. */
function fill(note: Extract<Awaited<ReturnType<typeof read>>, { ok: true }>['body']): void {
  const { id, version } = note
  if (!isChanged()) {
    open = { id, version }
    title.value = note.title
    text.value = note.text
    tags.value = note.tags.join(' ')
    saved = JSON.stringify(written())
  }
  const files = note.attachments.map((file) => {
    const params = { id, attachment: file.id }
    const get = button(`${file.name} (${size.format(file.size)})`, () =>
      download(params, file.name),
    )
    const remove = button('×', async () => {
      await api('DELETE /notes/:id/attachments/:attachment', { params })
      await refresh()
    })
    remove.ariaLabel = `Remove ${file.name}`
    return item(get, remove)
  })
  replace(find(HTMLElement, 'attachments'), files)
  find(HTMLElement, 'files').hidden = false
  find(HTMLElement, 'delete').hidden = false
  mark()
}

const creation = new MutationObserver(cache, query.mutationOptions('POST /notes'))
const change = new MutationObserver(cache, query.mutationOptions('PATCH /notes/:id'))
const deletion = new MutationObserver(cache, query.mutationOptions('DELETE /notes/:id'))

async function save(): Promise<void> {
  if (creation.getCurrentResult().isPending) return
  const body = written()
  const id = open?.id
  const answer = open
    ? await change.mutate({
        params: { id: open.id },
        headers: { 'if-match': `"${open.version}"` },
        body,
      })
    : await creation.mutate({ body })
  if (id !== open?.id) return // another one has been opened
  if (answer.statusCode === 412 && open) {
    open.version = answer.body.version
    return say('Somebody else has changed the note meanwhile. Save again to keep yours.')
  }
  if (!answer.ok) return refuse(answer)
  open = { id: answer.body.id, version: answer.body.version }
  saved = JSON.stringify(body)
  await refresh()
  say('Saved')
}

async function remove(): Promise<void> {
  if (!open || !confirm('Delete the note and its files?')) return
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
  picker.value = ''
  if (response.statusCode === 413) return say('The file is too large. Attach one of up to 10 MB.')
  if (!response.ok) return say(response.json().message)
  await refresh()
}

async function download(params: { id: number; attachment: string }, name: string): Promise<void> {
  const response = await api('GET /notes/:id/attachments/:attachment', { params })
  if (!response.ok) return say(response.json().message)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([await response.bytes()]))
  link.download = name
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
editor.addEventListener('input', () => say(''))
search.addEventListener('input', choose)
picker.addEventListener('change', () => {
  const file = picker.files?.[0]
  if (file) void attempt(() => attach(file))
})
window.addEventListener('beforeunload', (event) => isChanged() && event.preventDefault())
find(HTMLElement, 'choose').addEventListener('click', () => picker.click())
find(HTMLElement, 'sign-out').addEventListener('click', () => void attempt(leave))
find(HTMLElement, 'new').addEventListener('click', compose)
find(HTMLElement, 'close').addEventListener('click', leaveNote)
find(HTMLElement, 'more').addEventListener('click', () => void notes?.fetchNextPage())
find(HTMLElement, 'delete').addEventListener('click', () => void attempt(remove))

clear(false)
void attempt(begin)
