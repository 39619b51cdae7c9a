import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { espalier } from './frameworks/espalier.ts'
import { peers, withPeer } from './peers.ts'
import { withOwnFolder, writeApplication } from './generate.ts'
import { pluginOf } from './application.ts'
const require = createRequire(import.meta.url)
const ts = require('typescript-5.9')
const remember = (find:any) => { const m = new Map(); return (n:any) => { let f = m.get(n); if (f!==undefined) return f; f = find(n); m.set(n,f); return f } }
function startService(folder:string, path:string) {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (name:any) => ts.sys.readFile(name))
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const edited = { text: '', version: 0 }
  const readFile = remember((name:any) => ts.sys.readFile(name))
  const snapshot = remember((name:any) => ts.ScriptSnapshot.fromString(readFile(name) ?? ''))
  const fileExists = remember((name:any) => ts.sys.fileExists(name))
  const service = ts.createLanguageService({ fileExists, readFile,
    directoryExists: remember((name:any) => ts.sys.directoryExists(name)),
    realpath: remember((name:any) => ts.sys.realpath?.(name) ?? name),
    useCaseSensitiveFileNames: () => true, getCurrentDirectory: () => folder, getCompilationSettings: () => options,
    getDefaultLibFileName: (given:any) => ts.getDefaultLibFilePath(given), getScriptFileNames: () => fileNames,
    getScriptVersion: (name:any) => (name === path ? String(edited.version) : '0'),
    getScriptSnapshot: (name:any) => name === path ? ts.ScriptSnapshot.fromString(edited.text) : fileExists(name) ? snapshot(name) : undefined })
  return { service, edited }
}
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
function ask(path:string, folder:string, at:(s:string)=>number, text:string, expected:string) {
  const { service, edited } = startService(folder, path)
  const source = readFileSync(path, 'utf8'), i = at(source)
  if (i < 0) throw new Error('no anchor '+path)
  const [before, after] = [source.slice(0,i), source.slice(i)]
  const t:number[] = []; let ok = false
  for (let run=0; run<30; run++) { edited.text = `${before}${text};/* ${run} */${after}`; edited.version++
    const c = cpu(); const a = service.getCompletionsAtPosition(path, (before+text).length, {}); t.push(cpu()-c); ok = !!a?.entries.some((e:any)=>e.name===expected) }
  service.dispose(); t.splice(0,10); t.sort((a,b)=>a-b); return `${t[10]!.toFixed(0)}${ok?'':'?'}`
}
const show = (root:string, f:any) => {
  const out:string[] = [f.name]
  for (const n of [1, 200]) for (const r of n===1?[0]:[0,199]) {
    const folder = writeApplication(root, f, { routes: n, client: !!f.client })
    out.push('body '+ask(`${folder}/plugin-${pluginOf(r)}.ts`, folder, s=>s.indexOf(`if (id > ${r})`), 'body.', `title${r}`))
    if (f.client) { const v = /data/.test(f.client([0])) ? 'data.user.' : f.name==='tRPC' ? "('user' in response ? response : never).user." : 'response.'
      out.push('call '+ask(`${folder}/client.ts`, folder, s=>{ const a=s.indexOf(`function call${r}()`); const b=s.indexOf('\n  })', a); return s.indexOf('\n', b+2)+1 }, v, f.name==='Espalier'?'statusCode':f.name.startsWith('Hono')?'status':'name')) }
  }
  console.log(out.join(' | '))
}
withOwnFolder(root => show(root, espalier))
for (const p of peers) withPeer(p, root => show(root, p))
