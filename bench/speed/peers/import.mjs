// Imports modules, and prints what that takes: `node import.mjs <module>…`.
const before = process.cpuUsage()
const begin = performance.now()
for (const name of process.argv.slice(2)) await import(name)
const time = performance.now() - begin
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ time, cpu: (user + system) / 1000 }))
