// node _move.mjs folder file… : git mv files into folder, mending relative imports of the package (and of the file)
import { readFileSync, writeFileSync, mkdirSync } from "node:fs"
import { posix, dirname } from "node:path"
import { execSync } from "node:child_process"
const [folder, ...files] = process.argv.slice(2)
const pkg = /^((?:packages|apps|tooling)\/[^/]+)\//.exec(files[0])[1]
const to = new Map(files.map((f) => [f, posix.join(folder, posix.basename(f))]))
const all = [...new Set(execSync(`git ls-files -co --exclude-standard '${pkg}/src/*.ts' '${pkg}/src/**/*.ts'`, { encoding: "utf8" }).trim().split("\n"))]
const rel = (from, t) => { const r = posix.relative(dirname(from), t); return r.startsWith(".") ? r : "./" + r }
mkdirSync(folder, { recursive: true })
for (const f of all) {
  let x; try { x = readFileSync(f, "utf8") } catch { continue }
  const me = to.get(f) ?? f
  const y = x.replace(/((?:from|import)\s*\(?\s*|new URL\(\s*)"(\.{1,2}\/[^"]+)"/g, (m, a, spec) => {
    const abs = posix.join(dirname(f), spec)
    const target = to.get(abs) ?? abs
    if (me === f && target === abs) return m
    return `${a}"${rel(me, target)}"`
  })
  if (y !== x) writeFileSync(f, y)
}
for (const [a, b] of to) { try { execSync(`git mv '${a}' '${b}'`) } catch { execSync(`mv '${a}' '${b}'`) } }
