import { printable } from "@assay/schemas"
import { cutLine } from "../text/cut-text.ts"

/** Signs that Markdown, its tables, mathematics or HTML read as markup. */
const MARKUP = /[&<>`*[\]|\\~$@]|#(?=\d)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g
/** Matches texts that GitHub and GitLab turn into links. */
const LINK_STARTS = /(www)\.|:(?=\/\/)/gi

/**
 * Escapes a text from outside for one line of Markdown, also inside a table. Signs become entities, so that they open no markup, link,
 * image or mathematics. An invisible space after `@`, and after `#` before a number, keeps them from naming a person or an issue. Line ends become spaces, and
 * control characters are shown as `⟨U+202E⟩`.
 * @param limit maximum number of UTF-16 units that are kept
 */
export function markdownText(text: string, limit = 400): string {
  return printable(cutLine(text, limit).toWellFormed())
    .replace(MARKUP, (sign) => `&#${sign.charCodeAt(0)};${sign === "@" || sign === "#" ? "&#8203;" : ""}`)
    .replace(LINK_STARTS, (_, word: string | undefined) => (word === undefined ? "&#58;" : `${word}&#46;`))
}

/** Escapes a text like `markdownText`, and shows it as code. Sites look for no names of people in code. */
export function markdownCode(text: string, limit = 200): string {
  return text === "" ? "" : `<code>${markdownText(text, limit)}</code>`
}

/** Formats a link. The address is one of ours. */
export function markdownLink(label: string, url: string): string {
  return `[${markdownText(label)}](<${encodeURI(url).replaceAll(/[<>]/g, encodeURIComponent)}>)`
}

export interface MarkdownColumn {
  readonly heading: string
  readonly align?: "right"
}

/** Formats a table. The cells are Markdown without line ends. */
export function markdownTable(columns: readonly MarkdownColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`
  return [
    line(columns.map(({ heading }) => heading)),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...rows.map(line),
  ].join("")
}
