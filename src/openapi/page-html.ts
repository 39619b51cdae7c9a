import type { UserInterface } from './page-files.ts'

/** What the HTML of a page is made of. */
export interface PageContent {
  readonly title: string
  /** The URL of a file of the page, relative to the page. */
  readonly file: (name: string) => string
  /** The URL of the document, relative to the page. */
  readonly document: string
  /** The user's options for the user interface. They are JSON. */
  readonly configuration: Readonly<Record<string, unknown>>
}

/** Makes the HTML of a page. It has no inline script, style or event handler: the options of the
 *  user interface stand in an attribute, where its script finds them. */
export function renderPage(ui: UserInterface, content: PageContent): string {
  const { head, body } = parts[ui](content)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(content.title)}</title>
    <link rel="icon" href="data:,">${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`
}

const parts = { scalar: scalarParts, 'swagger-ui': swaggerParts }

/** The options that keep Scalar from asking other hosts: fonts, telemetry, the services of its
 *  maker. The button of its client leads there too. */
const scalarDefaults = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
}

function scalarParts({ document, file, configuration }: PageContent) {
  const options = attribute({ url: document, ...scalarDefaults, ...configuration })
  const place = `<script id="api-reference" type="application/json" ${options}></script>`
  return { head: '', body: `${place}\n    ${script(file('scalar.js'))}` }
}

/** `validatorUrl` is a service elsewhere. */
const swaggerDefaults = { deepLinking: true, filter: true, validatorUrl: null }

function swaggerParts({ document, file, configuration }: PageContent) {
  const options = attribute({ url: document, ...swaggerDefaults, ...configuration })
  const scripts = ['swagger-ui-bundle.js', 'swagger-start.js'].map((name) => script(file(name)))
  return {
    head: `\n    <link rel="stylesheet" href="${escapeHtml(file('swagger-ui.css'))}">`,
    body: [`<div id="swagger-ui" ${options}></div>`, ...scripts].join('\n    '),
  }
}

const script = (url: string) => `<script src="${escapeHtml(url)}"></script>`

/** Scalar decodes `&quot;` in the attribute once more, so no text may contain it. */
function attribute(options: object): string {
  const json = JSON.stringify(options).replaceAll('&', '\\u0026')
  return `data-configuration="${escapeHtml(json)}"`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
