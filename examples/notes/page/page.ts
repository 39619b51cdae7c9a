// The page. All that it knows of the server is its contract.
import { client, ClientError, UndeclaredResponse } from 'espalier/client'
import type { Api } from './api.ts'
import { field, find, item, say } from './elements.ts'

const api = client<Api>('')

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
let next: string | undefined
/** How many lists were asked for. */
let lists = 0
/** The note in the editor. A new one has none. */
let open: { id: number; version: number } | undefined
/** Ends the stream of changes. */
let session: AbortController | undefined

/** Runs what a person has asked for, and says what went wrong. */
async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof UndeclaredResponse) say(`The server answered with ${error.statusCode}`)
    else if (error instanceof ClientError) say(`No connection (${error.code})`)
    else throw error
  }
}

// --- Who is it?

/** There is no session, or it has ended. */
function askWho(message: string): void {
  session?.abort()
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
  void follow(session.signal)
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

function show(notes: readonly { id: number; title: string }[]): HTMLLIElement[] {
  return notes.map(({ id, title }) => {
    const entry = button(title, () => edit(id))
    entry.setAttribute('aria-current', String(id === open?.id))
    return item(entry)
  })
}

/** Shows the first page, or adds the next one. */
async function list(after?: string): Promise<void> {
  const asked = ++lists
  const q = search.value.trim() || undefined
  const response = await api('GET /notes', { query: { q, tag, after } })
  if (response.statusCode === 401) return askWho(response.json().message)
  if (!response.ok) return void say(response.json().message)
  if (asked !== lists) return // an older answer, which came late
  const page = response.json()
  const notes = find(HTMLElement, 'notes')
  if (after === undefined) notes.replaceChildren(...show(page.notes))
  else notes.append(...show(page.notes))
  next = page.next
  find(HTMLElement, 'more').hidden = next === undefined
}

async function listTags(): Promise<void> {
  const response = await api('GET /tags')
  if (!response.ok) return
  const buttons = response.json().map(({ name, notes }) => {
    const made = button(`${name} (${notes})`, async () => {
      tag = tag === name ? undefined : name
      await Promise.all([list(), listTags()])
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
        await Promise.all([list(), listTags()])
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
  const response = await api('GET /notes/:id', { params: { id } })
  if (!response.ok) return void say(response.json().message)
  const note = response.json()
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
  await list()
}

async function save(): Promise<void> {
  const body = {
    title: title.value,
    text: text.value,
    tags: tags.value.split(/\s+/).filter(Boolean),
  }
  const response = open
    ? await api('PATCH /notes/:id', {
        params: { id: open.id },
        headers: { 'if-match': `"${open.version}"` },
        body,
      })
    : await api('POST /notes', { body })
  if (!response.ok) return void say(response.json().message) // 412: somebody else has changed it
  await edit(response.json().id)
  say('Saved')
}

async function remove(): Promise<void> {
  if (!open) return
  const response = await api('DELETE /notes/:id', { params: { id: open.id } })
  if (response.ok) close('Deleted')
  else say(response.json().message)
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
search.addEventListener('input', () => void attempt(() => list()))
picker.addEventListener('change', () => {
  const file = picker.files?.[0]
  if (file) void attempt(() => attach(file))
})
find(HTMLElement, 'sign-out').addEventListener('click', () => void attempt(leave))
find(HTMLElement, 'new').addEventListener('click', compose)
find(HTMLElement, 'more').addEventListener('click', () => void attempt(() => list(next)))
find(HTMLElement, 'delete').addEventListener('click', () => void attempt(remove))

void attempt(begin)
