// The colours of code, on light and on dark. Each has a contrast of 4.5 or more on the ground of a block.
type Shade = 'light' | 'dark'

const ground = { light: '#f6f5ee', dark: '#171d19' }
const text = { light: '#222b25', dark: '#e0e6dd' }
const parts = [
  { scope: ['keyword.operator'], colour: text },
  {
    scope: ['keyword', 'storage', 'variable.language', 'entity.name.tag', 'keyword.operator.new'],
    colour: { light: '#17683c', dark: '#7fd3a2' },
  },
  {
    scope: ['constant', 'support.constant', 'markup.deleted'],
    colour: { light: '#84337a', dark: '#dda5d4' },
  },
  {
    scope: ['entity.name.type', 'support.type', 'support.class', 'entity.other.inherited-class'],
    colour: { light: '#0e6070', dark: '#7fc8d4' },
  },
  {
    scope: ['entity.name.function', 'support.function', 'entity.other.attribute-name'],
    colour: { light: '#3d4a9e', dark: '#aeb9f5' },
  },
  {
    scope: ['string', 'punctuation.definition.string', 'markup.inserted'],
    colour: { light: '#98450f', dark: '#ebb482' },
  },
  {
    scope: ['comment', 'punctuation.definition.comment'],
    colour: { light: '#666d63', dark: '#8c978d' },
  },
]

const themeOf = (type: Shade) => ({
  name: `espalier-${type}`,
  type,
  bg: ground[type],
  fg: text[type],
  settings: parts.map(({ scope, colour }) => ({ scope, settings: { foreground: colour[type] } })),
})

export const light = themeOf('light')
export const dark = themeOf('dark')
