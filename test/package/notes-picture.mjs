// Draws what the README of examples/notes shows: one person's notes in two windows, of which one has just changed them.
// The type is that of the machine.
import { writeFileSync } from 'node:fs'
import { Buffer } from 'node:buffer'

/** The last one stands first in the list. */
const notes = [
  { title: 'Books to borrow', tags: 'reading to-do' },
  { title: 'What the talk is about', tags: 'work' },
  { title: 'Train to Ghent', tags: 'travel' },
  { title: 'Bread, third try', tags: 'kitchen' },
  {
    title: 'Espalier for the pear tree',
    text: [
      'The south wall has sun from ten on.\n',
      '– three wires, 40 cm apart',
      '– tie the shoots down in August, while they bend',
      '– cut above the second leaf in winter\n',
      'The neighbour lends her ladder until Sunday.',
    ].join('\n'),
    tags: 'garden to-do',
  },
]

async function write(page, { title, text = '', tags }) {
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.keyboard.type(title)
  await page.getByLabel('Text').fill(text)
  await page.getByRole('textbox', { name: 'Tags' }).fill(tags)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
}

/** @param file of WebP */
export async function drawNotes(browser, url, file) {
  const account = await browser.newContext()
  const data = { name: 'ada', password: 'correct horse' }
  await account.request.post(`${url}/users`, { data })
  const storageState = await account.storageState()
  const open = async (viewport, colorScheme) => {
    const options = { viewport, colorScheme, storageState, deviceScaleFactor: 2 }
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(url)
    await page.getByText('No notes yet.').waitFor()
    return page
  }
  const desk = await open({ width: 1000, height: 670 }, 'light')
  const phone = await open({ width: 330, height: 580 }, 'dark')
  for (const note of notes) await write(desk, note)
  await desk.getByLabel('Tags').last().blur()
  await phone.getByText(notes.at(-1).title).waitFor()
  const pictures = await Promise.all([desk, phone].map((page) => page.screenshot()))
  const [wide, narrow] = pictures.map((picture) => picture.toString('base64'))

  const options = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
  const table = await (await browser.newContext(options)).newPage()
  await table.setContent(`<style>
    body { background: linear-gradient(160deg, #dbe8dc, #aecbb8) }
    img { position: absolute; border-radius: 12px; box-shadow: 0 12px 32px #0004 }
    </style>
    <img src="data:image/png;base64,${wide}" width="1000" style="left: 60px; top: 50px">
    <img src="data:image/png;base64,${narrow}" width="330" style="right: 50px; bottom: 50px">`)
  const session = await table.context().newCDPSession(table)
  const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  writeFileSync(file, Buffer.from(shot.data, 'base64'))
}
