// Makes the picture that other sites show beside a link to the documentation: `npm run docs:card`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withChromium } from '../support/chromium.mjs'

const docs = resolve(import.meta.dirname, '../../docs')
await withChromium(async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.goto(pathToFileURL(resolve(docs, '.vitepress/card.html')).href)
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.screenshot({ path: resolve(docs, 'public/card.png') })
})
