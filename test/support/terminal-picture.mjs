// Draws what a terminal showed as a picture that moves: an SVG without a script, as GitHub shows it. Who has asked for
// less movement sees the last screen.

const columns = 96
const rows = 24
const lineHeight = 19
const charWidth = 8
const padding = 18
/** How long things take to show, in seconds. */
const perLetter = 0.035
const perLine = 0.06
const afterCommand = 0.5
const afterOutput = 1.6
const atTheEnd = 6

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A line in parts of the width of the terminal. */
const wrapped = (line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? ['']

/**
 * @param steps what was typed and what was printed: `{ type: 'npm test', print: '…' }`. A step that only has `note` says
 *   in a line what comes.
 * @param title what a reader hears who does not see it
 */
export function drawTerminal(steps, title) {
  const lines = []
  let time = 0.5
  for (const { note, type, print = '' } of steps) {
    if (note !== undefined) {
      if (lines.length > 0) lines.push({ text: '', kind: 'printed', at: time, takes: 0 })
      lines.push({ text: `# ${note}`, kind: 'note', at: time, takes: 0 })
      time += 1.2
    }
    if (type !== undefined) {
      const takes = type.length * perLetter
      lines.push({ text: `$ ${type}`, kind: 'typed', at: time, takes })
      time += takes + afterCommand
    }
    const printed = print.trimEnd() === '' ? [] : print.trimEnd().split('\n').flatMap(wrapped)
    for (const text of printed) {
      lines.push({ text, kind: 'printed', at: time, takes: 0 })
      time += perLine
    }
    time += afterOutput
  }
  const total = time + atTheEnd
  const percent = (seconds) => `${((seconds / total) * 100).toFixed(2)}%`
  const width = columns * charWidth + 2 * padding
  const height = rows * lineHeight + 2 * padding + 20

  const rules = []
  const drawn = lines.map(({ text, kind, at, takes }, index) => {
    const y = padding + 20 + (index + 1) * lineHeight - 5
    rules.push(`@keyframes l${index}{0%{opacity:0}${percent(at)},100%{opacity:1}}`)
    const line = `<text class="${kind}" x="${padding}" y="${y}" style="animation-name:l${index}">${escaped(text)}</text>`
    if (takes === 0) return line
    const length = (text.length + 1) * charWidth
    rules.push(
      `@keyframes c${index}{0%,${percent(at)}{transform:translateX(0);animation-timing-function:steps(${text.length})}${percent(at + takes)},100%{transform:translateX(${length}px)}}`,
    )
    const cover = `<rect class="cover" x="${padding + 2 * charWidth}" y="${y - lineHeight + 6}" width="${length}" height="${lineHeight}" style="animation-name:c${index}"/>`
    return line + cover
  })
  // The screen follows its last line.
  const scrolls = lines.flatMap(({ at }, index) =>
    index < rows
      ? []
      : [`${percent(at)}{transform:translateY(${-(index + 1 - rows) * lineHeight}px)}`],
  )
  const end = `translateY(${-Math.max(0, lines.length - rows) * lineHeight}px)`
  rules.push(`@keyframes scroll{0%{transform:none}${scrolls.join('')}100%{transform:${end}}}`)

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text{font:13px/1 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee4;white-space:pre}
.typed{fill:#fff;font-weight:600}.note{fill:#7ee2a8}.cover{fill:#14191f}
text,.cover,.screen{animation-duration:${total.toFixed(1)}s;animation-iteration-count:infinite;animation-fill-mode:both}
text,.screen{animation-timing-function:step-end}.screen{animation-name:scroll}
${rules.join('\n')}
@media (prefers-reduced-motion:reduce){text,.cover,.screen{animation:none!important}.cover{display:none}.screen{transform:${end}}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#14191f"/>
<circle cx="20" cy="17" r="5" fill="#ff5f57"/><circle cx="38" cy="17" r="5" fill="#febc2e"/><circle cx="56" cy="17" r="5" fill="#28c840"/>
<svg y="30" width="${width}" height="${height - 36}" viewBox="0 30 ${width} ${height - 36}"><g class="screen">
${drawn.join('\n')}
</g></svg>
</svg>
`
}
