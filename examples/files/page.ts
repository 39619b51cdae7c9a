// The page. All that it knows of the server is a type.
import { client, ClientError, UndeclaredResponse } from 'espalier/client'
import type { App } from './app.ts'

const api = client<App>('')
const find = (id: string) => document.querySelector<HTMLElement>(`#${id}`) ?? document.body
const form = document.querySelector('form')
const name = document.querySelector<HTMLInputElement>('input[name=user]')
const picker = document.querySelector<HTMLInputElement>('input[type=file]')
const say = (text: string) => (find('status').textContent = text)

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

/** The session has ended. */
function askForName({ message }: { message: string }): void {
  document.body.dataset['session'] = 'none'
  say(message)
}

async function list(): Promise<void> {
  const response = await api('GET /files')
  if (response.statusCode === 401) return askForName(response.json())
  const items = response.json().map(({ name, size }) => {
    const button = document.createElement('button')
    button.textContent = `${name} (${size} bytes)`
    button.onclick = () => attempt(() => download(name))
    const item = document.createElement('li')
    item.append(button)
    return item
  })
  find('files').replaceChildren(...items)
}

async function upload(file: File): Promise<void> {
  const response = await api('POST /files', {
    headers: { 'content-type': 'multipart/form-data' },
    body: { file },
  })
  if (response.statusCode === 201) say(`Kept ${response.json().name}`)
  else if (response.statusCode === 401) askForName(response.json())
  else say(response.json().message) // 413: too large; 507: the disk is full; 400
}

async function download(name: string): Promise<void> {
  const response = await api('GET /files/:name', { params: { name } })
  if (response.statusCode === 401) return askForName(response.json())
  if (!response.ok) return void say(response.json().message)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([await response.bytes()]))
  link.download = name
  link.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Follows what happens to the files. A connection that is cut ends the loop by an error. */
async function follow(): Promise<void> {
  const response = await api('GET /changes')
  if (response.statusCode === 401) return askForName(response.json())
  document.body.dataset['session'] = 'open'
  await list()
  for await (const { change, file } of response.events()) {
    say(`${file.name} was ${change}`)
    await list()
  }
  say('The server has closed')
}

form?.addEventListener('submit', (submitted) => {
  submitted.preventDefault()
  void attempt(async () => {
    await api('POST /session', { body: { user: name?.value ?? '' } })
    say('')
    await follow()
  })
})
picker?.addEventListener('change', () => {
  const file = picker.files?.[0]
  if (file) void attempt(() => upload(file))
})
void attempt(follow)
