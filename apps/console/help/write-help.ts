import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { COLOUR_STYLE } from "@assay/reports"
import { escaped, renderHelp, type HelpText } from "./help-text.ts"

/** A file below `/help`. */
export interface HelpFile {
  readonly name: string
  readonly text: string
}

/** The folders that the server has, with their titles. Decisions and the contract are for those who change the program. */
const GROUPS: readonly (readonly [folder: string, title: string])[] = [
  ["start", "Start here"],
  ["guides", "Guides"],
  ["concepts", "Concepts"],
  ["reference", "Reference"],
]

interface Page extends HelpText {
  /** The path below the folder of the documentation. */
  readonly path: string
  readonly address: string
  readonly group: string
}

/** Renders the documentation as pages that need no script, with their style, and a list of pages and headings. */
export function writeHelp(folder: string): readonly HelpFile[] {
  const paths = GROUPS.flatMap(([group]) =>
    readdirSync(join(folder, group), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .toSorted()
      .map((name) => ({ group, path: `${group}/${name.replaceAll("\\", "/")}` })),
  )
  const known = new Map(paths.map(({ path }) => [path, addressOf(path)]))
  known.set("README.md", "/help")
  const read = (path: string) => renderHelp(readFileSync(join(folder, path), "utf8"), path, (link) => known.get(link))
  const pages = paths.map(({ group, path }): Page => ({ ...read(path), path, group, address: addressOf(path) }))
  const home: Page = { ...read("README.md"), path: "README.md", group: "", address: "/help" }
  const entries = pages.flatMap(({ title, address, headings }) => [
    { title, address, part: "" },
    ...headings.map(({ text, id }) => ({ title, address: `${address}#${encodeURIComponent(id)}`, part: text })),
  ])
  return [
    ...[home, ...pages].map((page) => ({ name: nameOf(page.address), text: pageOf(page, pages) })),
    { name: "help/help.css", text: COLOUR_STYLE + STYLE },
    { name: "help/pages.json", text: JSON.stringify(entries) },
  ]
}

function addressOf(path: string): string {
  return `/help/${path.replace(/\.md$/u, "")}`
}

function nameOf(address: string): string {
  return address === "/help" ? "help/index.html" : `${address.slice(1)}.html`
}

function pageOf(page: Page, pages: readonly Page[]): string {
  const groups = GROUPS.map(([group, title]) => {
    const items = pages
      .filter((one) => one.group === group)
      .map(({ address, title: name }) => {
        const current = address === page.address ? ' aria-current="page"' : ""
        return `<li><a href="${escaped(address)}"${current}>${escaped(name)}</a></li>`
      })
    return `<details${group === page.group || page.group === "" ? " open" : ""}><summary>${title}</summary><ul>${items.join("")}</ul></details>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Assay</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/help/help.css">
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header><a href="/"><img src="/icon.svg" alt="" width="22" height="22"> Assay</a> <a href="/help">Help</a> <a href="/docs">API</a></header>
<nav aria-label="Documentation">${groups.join("")}</nav>
<main id="main">${page.html}</main>
</body>
</html>
`
}

const STYLE = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; display: grid;
  grid-template: auto 1fr / 270px minmax(0, 1fr); min-height: 100vh; }
header { grid-column: 1 / -1; display: flex; gap: 20px; align-items: center; padding: 10px 20px; background: var(--card); border-bottom: 1px solid var(--line); }
header a { display: flex; gap: 8px; align-items: center; color: var(--ink); text-decoration: none; }
header a:first-child { font-weight: 700; }
nav { padding: 16px 20px; font-size: 14px; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0 0 12px; padding: 0; }
nav summary { cursor: pointer; font-weight: 650; padding: 4px 0; }
nav li a { display: block; padding: 3px 0 3px 14px; color: var(--ink); text-decoration: none; }
nav li a:hover { text-decoration: underline; }
nav li a[aria-current] { color: var(--accent); font-weight: 650; }
main { padding: 20px 32px 64px; max-width: 900px; width: 100%; overflow-wrap: anywhere; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -.01em; } h2 { font-size: 21px; margin: 36px 0 8px; } h3 { font-size: 17px; margin: 26px 0 6px; }
:target { scroll-margin-top: 16px; } h2:target, h3:target { box-shadow: -12px 0 0 var(--paper), -15px 0 0 var(--accent); }
a { color: var(--accent); } code { font: 13.5px/1.5 ui-monospace, Menlo, monospace; background: var(--tint); padding: 1px 5px; border-radius: 4px; }
pre { background: var(--tint); padding: 12px 14px; border-radius: 8px; overflow-x: auto; } pre code { background: none; padding: 0; overflow-wrap: normal; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 14.5px; overflow-wrap: normal; } th { text-align: left; } th, td { padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.skip { position: absolute; left: -9999px; } .skip:focus { left: 8px; top: 8px; background: var(--card); padding: 8px; z-index: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 800px) { body { display: block; } nav { border: 0; border-bottom: 1px solid var(--line); } main { padding: 8px 16px 48px; } }
`
