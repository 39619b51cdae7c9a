// What the keyboard does: index.html tells of it.
import { find } from './elements.ts'

export interface Actions {
  readonly compose: () => void
  readonly save: () => void
  /** Leaves the search, or the note. */
  readonly back: () => void
}

/** Leads so many entries down, from the one that has the focus or is open. */
export function move(entries: number): void {
  const all = [...find(HTMLElement, 'notes').querySelectorAll('button')]
  const focused = all.findIndex((entry) => entry === document.activeElement)
  const open = all.findIndex((entry) => entry.ariaCurrent === 'true')
  all[Math.max(0, (focused === -1 ? open : focused) + entries)]?.focus()
}

/** Listens to the keys until a session ends. */
export function useKeys({ compose, save, back }: Actions, signal: AbortSignal): void {
  const search = find(HTMLInputElement, 'search')
  const keys: Partial<Record<string, () => void>> = {
    n: compose,
    '/': () => search.focus(),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: back,
    'Ctrl+Enter': save,
  }
  const press = (event: KeyboardEvent): void => {
    const { target } = event
    const key = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.key}`
    const isField = target instanceof HTMLElement && target.matches('input, textarea')
    // In a field letters are text, and arrows move in it. The search has one line.
    const isText = key.length === 1 || (target !== search && key.startsWith('Arrow'))
    const act = isField && isText ? undefined : keys[key]
    if (!act) return
    event.preventDefault()
    act()
  }
  document.addEventListener('keydown', press, { signal })
}
