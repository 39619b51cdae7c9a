/** Runs a test while stderr is kept, and gives its result with what was written there. */
export async function silenced<Result>(run: () => Promise<Result>): Promise<[Result, string]> {
  const { write } = process.stderr
  let text = ''
  process.stderr.write = (chunk) => {
    text += String(chunk)
    return true
  }
  try {
    return [await run(), text]
  } finally {
    process.stderr.write = write
  }
}
