// Counts the checks of a script, and tells of each. `end()` prints the plain line `N passed, N failed`.

const count = { passed: 0, failed: 0 }

export function pass() {
  count.passed++
}

export function fail(title, reason) {
  count.failed++
  console.log(`✖ ${title}\n${reason.trimEnd().replaceAll(/^/gm, '    ')}`)
}

/** Runs one check. It fails with what it throws. */
export async function check(title, body) {
  const begin = performance.now()
  try {
    await body()
    pass()
    console.log(`✔ ${title} (${((performance.now() - begin) / 1000).toFixed(1)} s)`)
  } catch (error) {
    fail(title, String(error.message))
  }
}

/** How many checks have passed so far. */
export const passed = () => count.passed

/** Without a check that passed, the script has failed. */
export function end() {
  console.log(`${count.passed} passed, ${count.failed} failed`)
  process.exitCode = count.passed > 0 && count.failed === 0 ? 0 : 1
}
