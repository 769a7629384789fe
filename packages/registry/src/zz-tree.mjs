import { openRegistry } from "./index.ts"
import { createTransport, parseFilePath } from "@assay/storage"
import { setTimeout } from "node:timers/promises"
import { mkdtempSync, rmSync } from "node:fs"
import { randomBytes, randomUUID } from "node:crypto"
const base = mkdtempSync("/tmp/doors/tree-")
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
const registry = await openRegistry({ database: { kind: "sqlite", file: base + "/r.db" }, defaultStorage: { type: "local", path: base + "/storage" }, allowedLocalRoots: [], encryptionKeys: [{ name: "first", key: randomBytes(32) }], now: Date.now, newId: (prefix) => `${prefix}-${randomUUID()}`, randomBytes, transport: createTransport(), random: Math.random, sleep: (ms, signal) => setTimeout(ms, undefined, { signal }), log: console })
const r = registry.as(() => false, "ada")
await registry.filesets.create("default", { name: "rows" })
const folder = join(base, "storage/filesets/default/rows")
for (let i = 0; i < 30000; i++) { const d = join(folder, `f${i % 100}`); if (i < 100) mkdirSync(d, { recursive: true }); writeFileSync(join(d, `file-${i}.txt`), `text ${i}`) }
const cpu = () => { const c = process.cpuUsage(); return (c.user + c.system) / 1e3 }
async function timed(name, f) { const t = performance.now(), c = cpu(); const x = await f(); console.log(name, "wall", (performance.now() - t).toFixed(0), "cpu", (cpu() - c).toFixed(0)); return x }
const rev = await timed("first", () => r.revisions.get("default", "rows"))
const all=[]; for(let i=0;i<30000;i+=1000){const run=await rev.files.runAt(i); all.push(...run.files.slice(i-run.from,i-run.from+1000))}
if (process.argv[2]==="digests") { for(let i=0;i<all.length;i+=500) await r.revisions.digests("default","rows",all.slice(i,i+500)); console.log("digests known") }
for (let k = 0; k < 6; k++) {
  await timed("write", () => r.files.write("default", "rows", parseFilePath(`f5/new-${k}.txt`), new Blob(["x" + k]).stream()))
  await timed("get", () => r.revisions.get("default", "rows"))
}
await registry.close(); rmSync(base, {recursive:true})
