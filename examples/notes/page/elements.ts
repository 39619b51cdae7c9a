// What both pages need of the document.

/** The element of an id, which index.html has. */
export function find<Kind extends HTMLElement>(kind: new () => Kind, id: string): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} '${id}'`)
}

/** A field of a form. */
export function field(form: HTMLFormElement, name: string): HTMLInputElement | HTMLTextAreaElement {
  const element = form.elements.namedItem(name)
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element
  throw new Error(`The form has no field '${name}'`)
}

export function item(...children: (Node | string)[]): HTMLLIElement {
  const made = document.createElement('li')
  made.append(...children)
  return made
}

/** Gives an element other children. The focus stays at what has the same id. */
export function replace(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const focused = document.activeElement?.id
  parent.replaceChildren(...children)
  if (focused) document.getElementById(focused)?.focus()
}

/** Says what happened. */
export function say(message: string): void {
  find(HTMLElement, 'status').textContent = message
}
