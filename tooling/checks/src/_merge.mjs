// node _merge.mjs target.ts source.ts [source.ts…] : moves the code of sources to the end of target, mends imports everywhere under packages/*/src or apps/*/src of the same package
import { parseSync } from "oxc-parser"
import { readFileSync, writeFileSync, rmSync } from "node:fs"
import { dirname, posix } from "node:path"
import { execSync } from "node:child_process"
const [target, ...sources] = process.argv.slice(2)
const pkg = /^((?:packages|apps)\/[^/]+)\//.exec(target)[1]
const rel = (from, to) => { const r = posix.relative(dirname(from), to); return r.startsWith(".") ? r : "./" + r }
function parse(path, text) {
  const { module, program } = parseSync(path, text)
  const imports = module.staticImports.map((i) => {
    const src = i.moduleRequest.value
    const abs = src.startsWith(".") ? posix.join(dirname(path), src) : src
    const whole = text.slice(i.start, i.end)
    const allType = /^import type\b/.test(whole)
    const names = i.entries.map((e) => ({ name: e.importName.kind === "NamespaceObject" ? "*" : e.importName.kind === "Default" ? "default" : e.importName.name, local: e.localName.value, type: e.isType || allType }))
    return { start: i.start, end: i.end, abs, names, bare: i.entries.length === 0 }
  })
  return { imports, program }
}
for (const source of sources) {
  const st = readFileSync(source, "utf8"), tt = readFileSync(target, "utf8")
  const s = parse(source, st), t = parse(target, tt)
  const end = s.imports.length ? Math.max(...s.imports.map((i) => i.end)) : 0
  let body = st.slice(end)
  // keep comments before the imports
  const pre = s.imports.length ? st.slice(0, Math.min(...s.imports.map((i) => i.start))).trim() : ""
  const exported = [...body.matchAll(/^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm)].map((m) => m[1])
  const files = execSync(`git ls-files '${pkg}/src/*.ts' '${pkg}/src/**/*.ts'`, { encoding: "utf8" }).trim().split("\n").filter((f) => f !== source && f !== target)
  const usedElsewhere = new Set()
  for (const f of new Set(files)) {
    let x; try { x = readFileSync(f, "utf8") } catch { continue }
    const re = new RegExp(`(["'])${rel(f, source).replaceAll(".", "\\.").replaceAll("/", "\\/")}\\1`, "g")
    if (!re.test(x)) continue
    const p = parse(f, x)
    for (const i of p.imports) if (i.abs === source) for (const n of i.names) usedElsewhere.add(n.name)
    for (const m of x.matchAll(new RegExp(`export \\{([^}]*)\\} from "${rel(f, source)}"`, "g"))) for (const n of m[1].split(",")) usedElsewhere.add(n.replace(/\btype\b/, "").trim().split(" ")[0])
    for (const m of x.matchAll(new RegExp(`export type \\{([^}]*)\\} from "${rel(f, source)}"`, "g"))) for (const n of m[1].split(",")) usedElsewhere.add(n.trim().split(" ")[0])
    x = x.replaceAll(`"${rel(f, source)}"`, `"${rel(f, target)}"`)
    writeFileSync(f, x)
  }
  for (const name of exported) if (!usedElsewhere.has(name)) body = body.replace(new RegExp(`^export ((?:async )?(?:function\\*?|const|interface|type|class) ${name}\\b)`, "m"), "$1")
  const merged = new Map()
  for (const [from, list] of [[target, t.imports], [source, s.imports]]) for (const i of list) {
    if (i.abs === source || i.abs === target) continue
    const m = merged.get(i.abs) ?? new Map(); merged.set(i.abs, m)
    for (const n of i.names) { const k = n.local; const old = m.get(k); m.set(k, { ...n, type: n.type && (old?.type ?? true) }) }
  }
  const spec = (abs) => (abs.startsWith("packages/") || abs.startsWith("apps/") ? rel(target, abs) : abs)
  const order = (a) => (a.startsWith("node:") ? 0 : a.startsWith("packages/") || a.startsWith("apps/") ? 2 : 1)
  const lines = [...merged].sort(([a], [b]) => order(a) - order(b) || (spec(a) < spec(b) ? -1 : 1)).flatMap(([abs, names]) => {
    const all = [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const ns = all.filter((n) => n.name === "*").map((n) => `import ${n.type ? "type " : ""}* as ${n.local} from "${spec(abs)}"`)
    const df = all.filter((n) => n.name === "default").map((n) => `import ${n.type ? "type " : ""}${n.local} from "${spec(abs)}"`)
    const rest = all.filter((n) => n.name !== "*" && n.name !== "default")
    const one = (n) => (n.name === n.local ? n.name : `${n.name} as ${n.local}`)
    const r = rest.length === 0 ? [] : [rest.every((n) => n.type) ? `import type { ${rest.map(one).join(", ")} } from "${spec(abs)}"` : `import { ${rest.map((n) => (n.type ? "type " : "") + one(n)).join(", ")} } from "${spec(abs)}"`]
    return [...ns, ...df, ...r]
  })
  const tend = t.imports.length ? Math.max(...t.imports.map((i) => i.end)) : 0
  const tpre = t.imports.length ? tt.slice(0, Math.min(...t.imports.map((i) => i.start))) : ""
  writeFileSync(target, `${tpre}${lines.join("\n")}\n${t.imports.length ? tt.slice(tend).replace(/^\s*\n/, "\n") : "\n" + tt}\n${pre ? pre + "\n" : ""}${body.trimStart().replace(/^\n+/, "")}`)
  rmSync(source)
}
