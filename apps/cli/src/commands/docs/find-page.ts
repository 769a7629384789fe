import { readdirSync, readFileSync } from "node:fs"

/** A page of the documentation. */
export interface Page {
  /** Its path without `.md`, such as `guides/gates`. */
  readonly name: string
  readonly title: string
  readonly text: string
}

/** The folders of pages that are in the package, the most useful ones first. */
const FOLDERS = ["guides", "reference", "start", "concepts"]

/** Reads the pages below a folder of documentation, which is beside the packages in a clone and in the bundle. */
export function readPages(root: URL): readonly Page[] {
  return FOLDERS.flatMap((folder) => {
    const below = new URL(`${folder}/`, root)
    const names = readdirSync(below).filter((name) => name.endsWith(".md"))
    return names.toSorted().map((file) => {
      const text = readFileSync(new URL(file, below), "utf8")
      const name = `${folder}/${file.slice(0, -".md".length)}`
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
    })
  })
}

/** The page for a word, or the section of one, and other pages about it. */
export interface FoundPage {
  readonly page: Page
  /** Text of the page, or of the section whose heading has the word. */
  readonly text: string
  readonly others: readonly string[]
}

/** Finds the page that a word names: by its name, its title, a heading, or else the page that has it most often. */
export function findPage(pages: readonly Page[], word: string): FoundPage | undefined {
  const wanted = word.toLowerCase()
  const ranked = pages
    .map((page) => ({ page, section: sectionOf(page.text, wanted), rank: rankOf(page, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  const [best, ...others] = ranked
  if (best === undefined) return undefined
  const isWhole = best.rank >= TITLE || best.section === undefined
  return {
    page: best.page,
    text: isWhole ? best.page.text : (best.section ?? best.page.text),
    // A page that only has the word somewhere in its text is hardly about it.
    others: others
      .filter(({ rank }) => rank >= Math.min(PART, best.rank))
      .slice(0, MAX_OTHERS)
      .map(({ page }) => page.name),
  }
}

const MAX_OTHERS = 5
/** Ranks: the name of a page, its title, a whole heading, a part of one. The number of times in the text is below them. */
const NAME = 4_000_000
const PLURAL = 3_500_000
const TITLE = 3_000_000
const HEADING = 2_000_000
const PART = 1_000_000

function rankOf({ name, title, text }: Page, wanted: string): number {
  const [, own] = name.split("/")
  const times = text.toLowerCase().split(wanted).length - 1
  if (name === wanted || own === wanted) return NAME + times
  // Most pages are named in the plural.
  if (own === `${wanted}s` || `${own}s` === wanted) return PLURAL + times
  if (wordsOf(title).includes(wanted)) return TITLE + times
  const headings = headingsOf(text)
  if (headings.includes(wanted)) return HEADING + times
  return headings.some((heading) => heading.includes(wanted)) ? PART + times : times
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u)
}

function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#{2,} (.+)$/gm)].map(([, heading = ""]) => heading.replaceAll("`", "").toLowerCase())
}

/** Returns the section whose heading is the word, or else has it, with the sections below it. */
function sectionOf(text: string, wanted: string): string | undefined {
  const lines = text.split("\n")
  const headings = lines.map((line) => /^(#{2,}) (.+)$/.exec(line)?.[2]?.replaceAll("`", "").toLowerCase())
  const whole = headings.indexOf(wanted)
  const at = whole === -1 ? headings.findIndex((heading) => heading?.includes(wanted) === true) : whole
  if (at === -1) return undefined
  const level = /^#+/.exec(lines[at] ?? "")?.[0].length ?? 0
  const end = lines.findIndex((line, index) => index > at && (/^(#+) /.exec(line)?.[1]?.length ?? level + 1) <= level)
  return `${lines
    .slice(at, end === -1 ? undefined : end)
    .join("\n")
    .trimEnd()}\n`
}
